import Foundation

/// Random texts and bytes of the kind that programs stumble over. A full run prints the seed before anything can trap.
package struct FuzzInput {
    package var random: SeededGenerator

    /// - Parameter name: What is fed with it, for the line with the seed.
    package init(_ name: String) {
        random = SeededGenerator()
        if RunLength.current == .full { print("fuzz · \(name): \(seed)") }
    }

    /// How to have the same input again.
    package var seed: String { "STORAGEKIT_SEED=\(random.seed)" }

    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// True once in so many times.
    package mutating func once(in times: Int) -> Bool { number(1...times) == 1 }

    package mutating func pick<T>(_ values: [T]) -> T { values[number(0...values.count - 1)] }

    package mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<number(0...count)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Bytes that are no UTF-8, most of the time, or pieces of the texts that columns hold.
    package mutating func textBytes() -> [UInt8] {
        switch number(0...3) {
        case 0: bytes(upTo: 40)
        case 1: Array(pick(FuzzInput.texts).utf8)
        case 2: mutated(Array(pick(FuzzInput.texts).utf8))
        default: Array((0..<number(0...8)).map { _ in pick(FuzzInput.pieces) }.joined().utf8)
        }
    }

    package mutating func text() -> String { String(decoding: textBytes(), as: UTF8.self) }

    /// The same with some bytes changed, inserted, repeated or cut off.
    package mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<number(1...4) {
            let place = number(0...bytes.count)
            switch number(0...5) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2 where place < bytes.count: bytes.removeSubrange(place..<min(bytes.count, place + number(1...8)))
            case 3: bytes.insert(contentsOf: self.bytes(upTo: 4), at: place)
            case 4: bytes.insert(contentsOf: bytes.prefix(place).suffix(number(1...16)), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    /// Text that is JSON most of the time, now and then nested without measure.
    package mutating func json() -> String {
        if once(in: 300) {
            let depth = pick([10, 511, 512, 513, 5_000])
            let (open, close) = pick([("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")])
            return String(repeating: open, count: depth) + "1"
                + (once(in: 2) ? String(repeating: close, count: depth) : "")
        }
        let text = value(depth: 0)
        return once(in: 3) ? String(decoding: mutated(Array(text.utf8)), as: UTF8.self) : text
    }

    private mutating func value(depth: Int) -> String {
        switch number(0...(depth < 4 ? 4 : 2)) {
        case 0: return pick(FuzzInput.scalars)
        case 1, 2: return "\"" + text().filter { $0 != "\"" && $0 != "\\" } + "\""
        case 3: return "[" + (0..<number(0...4)).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
        default:
            let members = (0..<number(0...4)).map { _ in "\"\(pick(FuzzInput.keys))\":\(value(depth: depth + 1))" }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private static let keys = ["a", "circle", "polygon", "none", "radius", "names", "closed", "", "é", "_0"]

    private static let scalars = [
        "null", "true", "false", "0", "-0", "1", "-1.5", "1e400", "-1e400", "1e-400", "9223372036854775808",
        "18446744073709551616", "123456789012345678901234567890", "0.1", "NaN", "Infinity", "tru", "1.", "01", "\"\"",
        "\"\\ud800\"", "\"\\u0000\"", "{}", "[]", "",
    ]

    /// What the columns of the types hold, and what is near it.
    private static let texts = [
        "", "\0", "2026-11-21 10:30:00.123", "2026-11-21T10:30:00Z", "2026-11-21T10:30:00.5+02:00", "0000-00-00",
        "9999-12-31",
        "0001-01-01 00:00:00.000", "2000-12-31 23:59:59.9999999999999999999999", "2026-02-30", "-0001-01-01",
        "2026-11-21 24:00:00", "1582-10-10 00:00", "0", "-0", "1e400", "-1e-400", "1e99999999999999999999",
        "1e-99999999999999999999", "+.5e+5", "nan", "inf", "9223372036854775808",
        "12345678901234567890123456789012345678.9",
        "0.000000000000000000000000000000000000000000000000001", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "e621e1f8c36c495a93fc0c247a3e6e5f", "https://example.com/a?b#c", "http://[::1", "http://é.example/%zz", "//",
        ":", "%",
        "low", "high", "[]", "{}", "[1", "{\"circle\":{\"radius\":1}}", "\u{FEFF}", "e\u{301}", "\u{202E}abc",
    ]

    private static let pieces = [
        "0", "1", "9", "-", ":", ".", " ", "T", "Z", "+", "e", "E", "/", "%", "[", "]", "{", "}", "\"", ",", "\\", "\0",
        "é",
        "\u{301}", "🙂", "\u{FFFD}", "\u{10FFFF}", "\r\n", "00", "99", "2026", "null", "true", "http", "&", "=", "?",
        "#",
    ]
}

/// Says in one line what a fuzz test has tried. That the line is there says that nothing trapped.
package func reportFuzz(_ name: String, _ counts: (Int, String)...) {
    let parts = counts.map { "\($0.0.grouped) \($0.1)" }
    print("fuzz · \(name): \((parts + ["0 traps"]).joined(separator: ", "))")
}
