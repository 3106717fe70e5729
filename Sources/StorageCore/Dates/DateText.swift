/// A date in text, in UTC and with as many decimals as bring the same bits back, no more.
///
/// In SQL it is `YYYY-MM-DD HH:MM:SS.SSS`, as GRDB and SQLite write it: at least three decimals, so that texts
/// sort as their dates do. In JSON it is ISO 8601, `YYYY-MM-DDTHH:MM:SSZ`, with decimals only where there are
/// any. Days before 15 October 1582 are days of the Julian calendar, as they are for Foundation, and so for GRDB.
package struct DateText {
    package enum Form: Sendable {
        case sql, iso8601
    }

    package let string: String

    /// Nil for a date outside the years 1 to 9999, which would not sort as text.
    package init?(_ date: Date, form: Form = .sql) {
        guard DateText.isInYears(date) else { return nil }
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        var bytes = [UInt8](repeating: 0, count: DateText.longestCount)
        if let count = bytes.withUnsafeMutableBytes({ $0.baseAddress.flatMap { DateText.putUsual(date, to: $0) } }) {
            bytes.removeSubrange(count...)
        } else {
            bytes.replaceSubrange(DateText.countWithPoint..., with: DateText.exactDecimals(of: seconds, whole: whole))
        }
        if form == .iso8601 {
            bytes[10] = UInt8(ascii: "T")
            if seconds == whole { bytes.removeSubrange((DateText.countWithPoint - 1)...) }
            bytes.append(UInt8(ascii: "Z"))
        }
        string = String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a date as it stands in SQL, where its text is not one of the rare longer ones.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - bytes: Room for ``longestCount`` bytes.
    /// - Returns: How many bytes it takes; nil if the text is longer, or if there is none.
    package static func put(_ date: Date, to bytes: UnsafeMutableRawPointer) -> Int? {
        isInYears(date) ? putUsual(date, to: bytes) : nil
    }

    /// Whether the date has a text.
    package static func isInYears(_ date: Date) -> Bool {
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds >= firstSecond && seconds < endSecond
    }
}

// MARK: - Reading

extension DateText {
    /// The date that a text stands for, or nil if it is none. Time and fraction may be missing, `T` may stand
    /// for the space, and a `Z` or an offset such as `+02:00` may follow.
    package static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        parseUsual(text) ?? parseAny(text)
    }

    /// The same on the general road alone, for tests.
    package static func parseAny(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.skip("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.skip("-"),
            let day = scanner.number(digits: 2), (1...31).contains(day)
        else { return nil }
        let civilDay = CivilDay(year: year, month: month, day: day)
        let days = civilDay.daysSince1970
        // 31 April would count as 1 May.
        guard day <= 28 || CivilDay(daysSince1970: days) == civilDay else { return nil }
        var seconds = (days - daysTo2001) * 86_400
        if scanner.isAtEnd { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        guard scanner.skip(" ") || scanner.skip("T"),
            let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
            let minute = scanner.number(digits: 2), minute < 60
        else { return nil }
        seconds += hour * 3600 + minute * 60
        var decimals: UnsafeBufferPointer<UInt8>?
        if scanner.skip(":") {
            guard let second = scanner.number(digits: 2), second < 60 else { return nil }
            seconds += second
            if scanner.skip(".") { decimals = scanner.digits() }
        }
        guard let offset = scanner.offset() else { return nil }
        seconds -= offset
        guard let decimals, !decimals.isEmpty else { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        return Date(timeIntervalSinceReferenceDate: DateText.seconds(whole: Double(seconds), decimals: decimals))
    }

    private static func seconds(whole: Double, decimals: UnsafeBufferPointer<UInt8>) -> Double {
        if decimals.count <= 15 {
            let fraction = decimals.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return seconds(whole: whole, fraction: fraction, power: powersOfTen[decimals.count])
        }
        if whole == -1 {
            let rest = tensComplement(of: Array(decimals))
            return -(Double("0." + String(decoding: rest, as: UTF8.self)) ?? 0)
        }
        return whole + (Double("0." + String(decoding: decimals, as: UTF8.self)) ?? 0)
    }

    /// Seconds from a whole number and decimals. In the last second before 2001 the number is just below 0,
    /// where doubles lie closer than `whole + fraction` can tell: there it is counted back from 0 instead.
    static func seconds(whole: Double, fraction: Int, power: Double) -> Double {
        whole == -1 ? -((power - Double(fraction)) / power) : whole + Double(fraction) / power
    }

    private static func exactDecimals(of seconds: Double, whole: Double) -> [UInt8] {
        whole == -1
            ? tensComplement(of: decimals(ofFraction: -seconds))
            : decimals(ofFraction: seconds - whole)
    }

    /// The digits after the point of a number between 0 and 1: the shortest that identify it.
    private static func decimals(ofFraction fraction: Double) -> [UInt8] {
        let parts = "\(fraction)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let zeros = parts.count == 2 ? -(Int(parts[1]) ?? 0) : 0
        let digits = mantissa.count == 2 && mantissa[1] != "0" ? mantissa[0] + mantissa[1] : mantissa[0]
        if zeros == 0 { return Array(mantissa[mantissa.count - 1].utf8) }
        return Array(repeating: UInt8(ascii: "0"), count: zeros - 1) + Array(digits.utf8)
    }

    /// The digits of 1 minus the fraction that the digits stand for.
    private static func tensComplement(of digits: [UInt8]) -> [UInt8] {
        var result = digits
        var carried = false
        for position in digits.indices.reversed() {
            let digit = Int(digits[position] - UInt8(ascii: "0"))
            let rest = carried ? 9 - digit : (10 - digit) % 10
            if !carried { carried = digit != 0 }
            result[position] = UInt8(ascii: "0") + UInt8(rest)
        }
        return result
    }

    static let powersOfTen: [Double] = (0...15).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }
    static let daysTo2001 = 11_323
    private static let firstSecond = Double(
        (CivilDay(year: 1, month: 1, day: 1).daysSince1970 - daysTo2001) * 86_400)
    /// The first second of the year 10,000.
    private static let endSecond = Double(
        (CivilDay(year: 10_000, month: 1, day: 1).daysSince1970 - daysTo2001) * 86_400)
}

/// Walks over ASCII digits and signs.
private struct DigitScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    var isAtEnd: Bool { position == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func number(digits: Int) -> Int? {
        guard position + digits <= text.count else { return nil }
        var number = 0
        for byte in text[position..<position + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        position += digits
        return number
    }

    mutating func digits() -> UnsafeBufferPointer<UInt8> {
        let start = position
        while position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) {
            position += 1
        }
        return UnsafeBufferPointer(rebasing: text[start..<position])
    }

    /// Seconds east of UTC, 0 at the end of the text, nil if something else follows.
    mutating func offset() -> Int? {
        if isAtEnd { return 0 }
        if skip("Z") || skip("z") { return isAtEnd ? 0 : nil }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), hours < 24, skip(":"),
            let minutes = number(digits: 2), minutes < 60, isAtEnd
        else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
