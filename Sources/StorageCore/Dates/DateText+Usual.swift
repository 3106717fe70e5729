/// The form that nearly all dates of a database have, `YYYY-MM-DD HH:MM:SS.SSS`, or more decimals for what a clock tells: read
/// and written without looking for another. What does not fit is left to the general road, which gives the same for all that
/// does.
extension DateText {
    /// To the point before the decimals, and with three of them.
    static let countWithPoint = 20
    private static let usualCount = 23
    /// With as many decimals as an integer and a power of ten can hold exactly.
    private static let longestCount = 35

    /// The milliseconds, if no more decimals are needed to lead back to the same number of seconds.
    static func milliseconds(of seconds: Double, whole: Double) -> Int? {
        let scaled = ((seconds - whole) * 1000).rounded()
        guard scaled < 1000, DateText.seconds(whole: whole, fraction: Int(scaled), power: 1000) == seconds else {
            return nil
        }
        return Int(scaled)
    }

    mutating func putUsual(_ day: CivilDay, _ time: Int, _ milliseconds: Int) {
        withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes.put(day.year / 100, at: 0)
            bytes.put(day.year % 100, at: 2)
            bytes[4] = UInt8(ascii: "-")
            bytes.put(day.month, at: 5)
            bytes[7] = UInt8(ascii: "-")
            bytes.put(day.day, at: 8)
            bytes[10] = UInt8(ascii: " ")
            bytes.put(time / 3600, at: 11)
            bytes[13] = UInt8(ascii: ":")
            bytes.put(time / 60 % 60, at: 14)
            bytes[16] = UInt8(ascii: ":")
            bytes.put(time % 60, at: 17)
            bytes[19] = UInt8(ascii: ".")
            bytes.put(milliseconds / 10, at: 20)
            bytes[22] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: milliseconds % 10)
        }
        count = DateText.usualCount
    }

    /// Nil for any other form, and for days that the Gregorian calendar does not have.
    static func parseUsual(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count >= usualCount, text.count <= longestCount,
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: " "),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"), text[19] == UInt8(ascii: ".")
        else { return nil }
        var digits = Digits()
        let year = digits.pair(text, 0) * 100 + digits.pair(text, 2)
        let month = digits.pair(text, 5)
        let day = digits.pair(text, 8)
        let hour = digits.pair(text, 11)
        let minute = digits.pair(text, 14)
        let second = digits.pair(text, 17)
        var fraction = digits.pair(text, 20) * 10 + digits.one(text, 22)
        for place in usualCount..<text.count { fraction = fraction * 10 + digits.one(text, place) }
        guard digits.areAll, year > 1582, (1...12).contains(month), hour < 24, minute < 60, second < 60,
            day >= 1, day <= CivilDay.lastGregorianDay(of: month, in: year)
        else { return nil }
        let days = CivilDay(year: year, month: month, day: day).gregorianDaysSince1970 - daysTo2001
        let seconds = Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        return Date(
            timeIntervalSinceReferenceDate: DateText.seconds(
                whole: seconds, fraction: fraction,
                power: text.count == usualCount ? 1000 : powersOfTen[text.count - countWithPoint]))
    }
}

/// Reads digits, and notes whether all were some.
private struct Digits {
    private var highest: UInt8 = 0

    var areAll: Bool { highest <= 9 }

    @inline(__always)
    mutating func one(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        let digit = text[place] &- UInt8(ascii: "0")
        highest = max(highest, digit)
        return Int(digit)
    }

    @inline(__always)
    mutating func pair(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        one(text, place) * 10 + one(text, place + 1)
    }
}

extension UnsafeMutableRawBufferPointer {
    @inline(__always)
    fileprivate func put(_ number: Int, at place: Int) {
        self[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
        self[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
    }
}
