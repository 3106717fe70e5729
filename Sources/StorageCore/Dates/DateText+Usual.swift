/// The form that nearly all dates of a database have, `YYYY-MM-DD HH:MM:SS.SSS`, or more decimals for what a clock tells: read
/// and written without looking for another. What does not fit is left to the general road, which gives the same for all that
/// does.
extension DateText {
    /// To the point before the decimals, and with three of them.
    static let countWithPoint = 20
    private static let usualCount = 23
    /// With as many decimals as an integer and a power of ten can hold exactly.
    package static let longestCount = 35

    /// Writes a date as it stands in SQL, with up to twelve decimals.
    ///
    /// - Parameters:
    ///   - date: A date of the years 1 to 9999.
    ///   - bytes: Room for ``longestCount`` bytes.
    /// - Returns: How many bytes it takes; nil if twelve decimals do not lead back to the same number of seconds. All up to the
    ///   decimals is written then too.
    static func putUsual(_ date: Date, to bytes: UnsafeMutableRawPointer) -> Int? {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let secondsOfEra = Int(whole) + daysTo2001 * 86_400
        let days = secondsOfEra.flooringDivision(by: 86_400)
        let time = secondsOfEra - days * 86_400
        let day = CivilDay(daysSince1970: days)
        bytes.put(day.year / 100, at: 0)
        bytes.put(day.year % 100, then: "-", at: 2)
        bytes.put(day.month, then: "-", at: 5)
        bytes.put(day.day, then: " ", at: 8)
        bytes.put(time / 3600, then: ":", at: 11)
        bytes.put(time / 60 % 60, then: ":", at: 14)
        bytes.put(time % 60, then: ".", at: 17)
        return putFraction(of: seconds, whole: whole, to: bytes + countWithPoint).map { countWithPoint + $0 }
    }

    /// Writes the fewest decimals, at least three, that lead back to the same number of seconds.
    ///
    /// - Returns: How many; nil if it takes more than twelve.
    private static func putFraction(of seconds: Double, whole: Double, to bytes: UnsafeMutableRawPointer) -> Int? {
        let fraction = seconds - whole
        var (digits, power) = (3, 1000.0)
        while digits <= 12 {
            let scaled = Int(fraction * power + 0.5)
            if Double(scaled) < power, DateText.seconds(whole: whole, fraction: scaled, power: power) == seconds {
                var (rest, place) = (scaled, digits)
                while place > 1 {
                    place -= 2
                    bytes.put(rest % 100, at: place)
                    rest /= 100
                }
                if place == 1 { bytes.storeBytes(of: UInt8(ascii: "0") + UInt8(rest), as: UInt8.self) }
                return digits
            }
            // A clock that counts milliseconds, microseconds or finer ones.
            let step = digits == 3 ? 3 : 1
            digits += step
            power = powersOfTen[digits]
        }
        return nil
    }

    /// Nil for any other form, and for days that the Gregorian calendar does not have.
    static func parseUsual(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count >= usualCount, text.count <= longestCount,
            let date = EightCharacters(text, at: 0, like: .date),
            let time = EightCharacters(text, at: 8, like: .time),
            let rest = EightCharacters(text, at: 15, like: .seconds)
        else { return nil }
        // Numbers of so few digits overflow nowhere.
        let (year, month, day) = (date.pair(at: 0) &* 100 &+ date.pair(at: 2), date.pair(at: 5), time.pair(at: 0))
        let (hour, minute, second) = (time.pair(at: 3), time.pair(at: 6), rest.pair(at: 2))
        guard year > 1582, (1...12).contains(month), hour < 24, minute < 60, second < 60, day >= 1,
            day <= 28 || day <= CivilDay.lastGregorianDay(of: month, in: year)
        else { return nil }
        var fraction = rest.pair(at: 5) &* 10 &+ rest.digit(at: 7)
        var power = 1000.0
        if text.count > usualCount {
            for place in usualCount..<text.count {
                let digit = text[place] &- UInt8(ascii: "0")
                guard digit <= 9 else { return nil }
                fraction = fraction * 10 + Int(digit)
            }
            power = powersOfTen[text.count - countWithPoint]
        }
        let days = CivilDay(year: year, month: month, day: day).daysSince1970 &- daysTo2001
        let seconds = Double(days &* 86_400 &+ hour &* 3600 &+ minute &* 60 &+ second)
        return Date(
            timeIntervalSinceReferenceDate: DateText.seconds(whole: seconds, fraction: fraction, power: power))
    }
}

/// Eight characters of a text in one word, so that they are checked and read together.
private struct EightCharacters {
    /// What stands where. The first character is in the lowest byte.
    struct Pattern {
        /// A zero where a digit is to stand, and what is to stand between them.
        let characters: UInt64
        /// What a byte takes before it has its highest bit: nine more for a digit, none for what stands between them.
        let limits: UInt64

        /// `0000-00-`
        static let date = Pattern(characters: 0x2D30_302D_3030_3030, limits: 0x7F76_767F_7676_7676)
        /// `00 00:00`
        static let time = Pattern(characters: 0x3030_3A30_3020_3030, limits: 0x7676_7F76_767F_7676)
        /// `0:00.000`
        static let seconds = Pattern(characters: 0x3030_302E_3030_3A30, limits: 0x7676_767F_7676_7F76)
    }

    /// The digits as numbers, and zero for what stands between them.
    private let digits: UInt64
    /// At each byte the number that its digit makes with the next.
    private let pairs: UInt64

    /// Nil unless the text has at that place what the pattern asks for.
    @inline(__always)
    init?(_ text: UnsafeBufferPointer<UInt8>, at place: Int, like pattern: Pattern) {
        let bytes = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: place, as: UInt64.self)
        digits = UInt64(littleEndian: bytes) ^ pattern.characters
        // What is above its limit ends with the highest bit set, by itself or by the addition.
        guard (digits | digits &+ pattern.limits) & 0x8080_8080_8080_8080 == 0 else { return nil }
        pairs = digits &* 10 &+ digits >> 8
    }

    @inline(__always)
    func digit(at place: Int) -> Int { Int(truncatingIfNeeded: digits >> UInt64(8 * place) & 0xFF) }

    @inline(__always)
    func pair(at place: Int) -> Int { Int(truncatingIfNeeded: pairs >> UInt64(8 * place) & 0xFF) }
}

extension UnsafeMutableRawPointer {
    /// Puts a number of two digits.
    @inline(__always)
    fileprivate func put(_ number: Int, at place: Int) {
        let number = UInt16(truncatingIfNeeded: number)
        let tens = number / 10
        storeBytes(of: (0x3030 + tens + (number - tens * 10) << 8).littleEndian, toByteOffset: place, as: UInt16.self)
    }

    /// Puts a number of two digits, and what stands behind it.
    @inline(__always)
    fileprivate func put(_ number: Int, then character: Unicode.Scalar, at place: Int) {
        put(number, at: place)
        storeBytes(of: UInt8(ascii: character), toByteOffset: place + 2, as: UInt8.self)
    }
}
