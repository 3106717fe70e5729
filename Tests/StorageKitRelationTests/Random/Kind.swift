import Foundation
import StorageKit

/// A value whose every spelling is shown as one text.
protocol Shown: Sendable {
    var shown: String { get }
}

extension Optional: Shown where Wrapped: Shown {
    var shown: String { self?.shown ?? "nil" }
}

/// A type of column that expressions are drawn of.
protocol Kind: ColumnValue, Hashable, Shown {
    static func draw(_ maker: inout Maker) -> Self
    /// As SQLite sorts.
    static func isLess(_ first: Self, _ second: Self) -> Bool
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Self>
    /// An expression that only this type has; nil for none.
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Self>?
    /// One that may be nil.
    static func maybeSpecial<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Self?>?
}

extension Kind {
    static func isSame(_ first: Self, _ second: Self) -> Bool { first.shown == second.shown }

    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Self> { KindWords() }

    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Self>? { nil }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Self?>? { nil }
}

/// How much is drawn.
struct Draw {
    /// How many expressions may stand in one another.
    var depth: Int
    /// Whether nothing may be rounded, so that a sum is the same in any order.
    var isExact = false

    var inner: Draw { Draw(depth: depth - 1, isExact: isExact) }
    var exact: Draw { Draw(depth: depth - 1, isExact: true) }
}

/// A number.
protocol NumberKind: Kind, NumericColumnValue, Numeric where Mean: Kind {
    static func divided(_ first: Self, _ second: Self) -> Self
    static func mean(_ sum: Self, _ count: Int) -> Mean
}

extension Int: NumberKind {
    var shown: String { "\(self)" }
    static func draw(_ maker: inout Maker) -> Int { maker.number(-3...6) }
    static func isLess(_ first: Int, _ second: Int) -> Bool { first < second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Int> { words.ints }
    static func divided(_ first: Int, _ second: Int) -> Int { first / second }
    static func mean(_ sum: Int, _ count: Int) -> Double { Double(sum) / Double(count) }
}

extension Double: NumberKind {
    /// 0 and -0 are one number.
    var shown: String { self == 0 ? "0.0" : "\(self)" }
    static func draw(_ maker: inout Maker) -> Double { Double(maker.number(-6...9)) / 4 }
    static func isLess(_ first: Double, _ second: Double) -> Bool { first < second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Double> { words.reals }
    static func divided(_ first: Double, _ second: Double) -> Double { first / second }
    static func mean(_ sum: Double, _ count: Int) -> Double { sum / Double(count) }
}

extension Decimal: NumberKind {
    var shown: String {
        var compact = self
        NSDecimalCompact(&compact)
        return "\(compact)"
    }
    static func draw(_ maker: inout Maker) -> Decimal { maker.pick([0, 1, 2, 10, -1, 9, 0.5, 0.25, -10, 100.1]) }
    static func isLess(_ first: Decimal, _ second: Decimal) -> Bool { first < second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Decimal> { words.decimals }
    static func divided(_ first: Decimal, _ second: Decimal) -> Decimal { first / second }
    static func mean(_ sum: Decimal, _ count: Int) -> Decimal { sum / Decimal(count) }
}

extension UInt64: NumberKind {
    var shown: String { "\(self)" }
    /// Beyond what a Double tells apart, and so small that some rows of them have a sum of sums.
    static func draw(_ maker: inout Maker) -> UInt64 { maker.pick([0, 1, 7, 10, 1 << 53 + 1, 1 << 54, 1 << 54 + 1]) }
    static func isLess(_ first: UInt64, _ second: UInt64) -> Bool { first < second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, UInt64> { words.wholes }
    static func divided(_ first: UInt64, _ second: UInt64) -> UInt64 { first / second }
    static func mean(_ sum: UInt64, _ count: Int) -> Double { Double(sum) / Double(count) }
}

extension String: Kind {
    static let drawn = [
        "", "a", "A", "ab", "aB", "b'c", "x\"y", "é", "e\u{301}", "日本", "%", "_", "İ", "ß", "👩‍👧", "a\0b",
        "e\u{323}\u{301}x", "E\u{301}", "\u{1112}\u{1161}\u{11ab}a", "한", "🇺🇦🇺🇦", "a\r\nb", "ΟΔΟΣ", "ǅ", "Å", "\u{301}a",
        "'; DROP TABLE books; --",
    ]
    /// By its bytes, as SQLite compares texts, and not as Swift does.
    var shown: String { unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
    static func draw(_ maker: inout Maker) -> String { maker.pick(drawn) }
    static func isLess(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, String> { words.texts }
}

extension Date: Kind {
    static let first = Date(timeIntervalSince1970: 1_767_323_045)
    var shown: String { "\((timeIntervalSince1970 * 1000).rounded())" }
    static func draw(_ maker: inout Maker) -> Date {
        first.addingTimeInterval(maker.pick([0, 0, 1, 0.5, 0.123, -1, 7200, 86_400, 86_400 * 40, -86_400 * 400]))
    }
    static func isLess(_ first: Date, _ second: Date) -> Bool { first < second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Date> { words.dates }
}

extension Bool: Kind {
    var shown: String { "\(self)" }
    static func draw(_ maker: inout Maker) -> Bool { maker.once(in: 2) }
    static func isLess(_ first: Bool, _ second: Bool) -> Bool { !first && second }
    static func words<E>(in words: ColumnWords<E>) -> KindWords<E, Bool> { words.flags }
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Bool>? {
        maker.condition(entity, draw.inner)
    }
}

extension UUID: Kind {
    var shown: String { uuidString }
    static func draw(_ maker: inout Maker) -> UUID { number(maker.number(0...20)) }
    static func isLess(_ first: UUID, _ second: UUID) -> Bool { first.uuidString < second.uuidString }

    /// The same for the same number.
    static func number(_ number: Int) -> UUID {
        let byte = UInt8(number)
        return UUID(uuid: (byte &* 77, 0, byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }
}
