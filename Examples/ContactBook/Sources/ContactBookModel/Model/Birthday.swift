import StorageKit

/// A day of the year, with the year where it is known.
public struct Birthday: Hashable, Sendable {
    /// The year, if it is known.
    public let year: Int?
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    /// A day that comes every year.
    package init(month: Int, day: Int) {
        year = nil
        self.month = month
        self.day = day
    }

    /// Reads `1990-05-17`, or `--05-17` as Google writes a birthday without a year. Anything else, and a day
    /// that the month does not have, is nil.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        let rest: Substring
        if text.hasPrefix("--") {
            year = nil
            rest = text.dropFirst(2)
        } else {
            let head = text.prefix(5)
            guard head.hasSuffix("-"), let number = Birthday.number(head.dropLast(), digits: 4), number > 0 else {
                return nil
            }
            year = number
            rest = text.dropFirst(5)
        }
        let parts = rest.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let month = Birthday.number(parts[0], digits: 2),
            let day = Birthday.number(parts[1], digits: 2),
            (1...12).contains(month), day >= 1, day <= Birthday.days(in: month, of: year)
        else { return nil }
        self.month = month
        self.day = day
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.count == digits, text.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }

    private static func days(in month: Int, of year: Int?) -> Int {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2:
            // Without a year, 29 February may be right.
            guard let year else { return 29 }
            return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: return 31
        }
    }
}

extension Birthday: CustomStringConvertible {
    /// The text that ``init(_:)`` reads.
    public var description: String {
        let head = year.map { Birthday.padded($0, to: 4) } ?? "-"
        return "\(head)-\(dayOfYear)"
    }

    /// Month and day, such as `05-17`: what birthdays are sorted by.
    package var dayOfYear: String {
        "\(Birthday.padded(month, to: 2))-\(Birthday.padded(day, to: 2))"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
