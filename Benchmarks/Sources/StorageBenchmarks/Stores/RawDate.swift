import Foundation
import GRDBSQLite

/// Dates as text with milliseconds, `YYYY-MM-DD HH:MM:SS.SSS`, read and written digit by digit. It knows as much of the
/// calendar as the benchmarks need: years from 1970 on.
enum RawDate {
    private static let length = 23

    @inline(__always) static func bind(_ date: Date, _ statement: OpaquePointer, _ index: Int32) {
        var text: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &text) { bytes in
            write(date, to: bytes)
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            _ = sqlite3_bind_text(statement, index, start, Int32(length), RawStatement.transient)
        }
    }

    @inline(__always) static func read(_ row: OpaquePointer, _ column: Int32) -> Date {
        guard let text = sqlite3_column_text(row, column), sqlite3_column_bytes(row, column) >= length else {
            return .distantPast
        }
        let day = days(year: number(text, 0, 4), month: number(text, 5, 2), day: number(text, 8, 2))
        let seconds = day * 86_400 + number(text, 11, 2) * 3600 + number(text, 14, 2) * 60 + number(text, 17, 2)
        return Date(timeIntervalSince1970: Double(seconds) + Double(number(text, 20, 3)) / 1000)
    }

    // MARK: - Digits

    @inline(__always) private static func write(_ date: Date, to bytes: UnsafeMutableRawBufferPointer) {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let day = civil(milliseconds / 86_400_000)
        let time = milliseconds % 86_400_000
        put(day.year, 4, bytes, 0)
        put(day.month, 2, bytes, 5)
        put(day.day, 2, bytes, 8)
        put(time / 3_600_000, 2, bytes, 11)
        put(time / 60_000 % 60, 2, bytes, 14)
        put(time / 1000 % 60, 2, bytes, 17)
        put(time % 1000, 3, bytes, 20)
        bytes[4] = UInt8(ascii: "-")
        bytes[7] = UInt8(ascii: "-")
        bytes[10] = UInt8(ascii: " ")
        bytes[13] = UInt8(ascii: ":")
        bytes[16] = UInt8(ascii: ":")
        bytes[19] = UInt8(ascii: ".")
    }

    @inline(__always) private static func put(
        _ number: Int, _ digits: Int, _ bytes: UnsafeMutableRawBufferPointer, _ start: Int
    ) {
        var rest = number
        for place in stride(from: start + digits - 1, through: start, by: -1) {
            bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    @inline(__always) private static func number(_ text: UnsafePointer<UInt8>, _ start: Int, _ digits: Int) -> Int {
        var number = 0
        for place in start..<start + digits { number = number * 10 + Int(text[place] &- UInt8(ascii: "0")) }
        return number
    }

    // MARK: - Days

    // Years begin on 1 March here, so that a leap day is the last day of its year.

    @inline(__always) private static func days(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }

    @inline(__always) private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let rest = shifted % 146_097
        let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * year + year / 4 - year / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + year + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
