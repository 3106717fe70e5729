/// A type that is one SQLite value; every other type is JSON.
protocol Leaf {
    /// The value as SQLite keeps it; nil if it has none.
    var stored: SQLiteValue? { get }
    /// Reads a value; nil if it is of another storage class, or does not fit.
    static func read(_ value: SQLiteValue) -> Self?
}

extension Bool: Leaf {
    var stored: SQLiteValue? { .integer(self ? 1 : 0) }

    // As SQLite reads it: what is not 0 is true.
    static func read(_ value: SQLiteValue) -> Bool? { Int64.read(value).map { $0 != 0 } }
}

extension Leaf where Self: FixedWidthInteger {
    /// An INTEGER. What is above `Int64.max` has no room there and becomes its eight bytes, big end first: blobs sort
    /// after all numbers and byte by byte, so that order and comparisons stay right.
    var stored: SQLiteValue? {
        if let small = Int64(exactly: self) { return .integer(small) }
        return .blob(withUnsafeBytes(of: UInt64(truncatingIfNeeded: self).bigEndian) { Data($0) })
    }

    static func read(_ value: SQLiteValue) -> Self? {
        switch value {
        case .integer(let number): return Self(exactly: number)
        case .real(let number):
            // A column of type REAL keeps integers so, up to 2^53 without loss.
            return abs(number) <= 0x1p53 ? Self(exactly: number) : nil
        case .blob(let bytes) where bytes.count == 8 && Self.max > Int64.max:
            return Self(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }
}

extension Int: Leaf {}
extension Int8: Leaf {}
extension Int16: Leaf {}
extension Int32: Leaf {}
extension Int64: Leaf {}
extension UInt: Leaf {}
extension UInt8: Leaf {}
extension UInt16: Leaf {}
extension UInt32: Leaf {}
extension UInt64: Leaf {}

extension Double: Leaf {
    // SQLite would store NaN as NULL.
    var stored: SQLiteValue? { isNaN ? nil : .real(self) }

    static func read(_ value: SQLiteValue) -> Double? {
        switch value {
        case .real(let number): number
        // A column of type INTEGER keeps whole numbers so.
        case .integer(let number): Double(exactly: number)
        default: nil
        }
    }
}

extension Float: Leaf {
    var stored: SQLiteValue? { Double(self).stored }

    static func read(_ value: SQLiteValue) -> Float? {
        if case .integer(let number) = value { return Float(exactly: number) }
        return Double.read(value).flatMap { $0.isFinite && !Float($0).isFinite ? nil : Float($0) }
    }
}

extension String: Leaf {
    var stored: SQLiteValue? { .text(self) }

    static func read(_ value: SQLiteValue) -> String? {
        if case .text(let text) = value { text } else { nil }
    }
}

extension Data: Leaf {
    var stored: SQLiteValue? { .blob(self) }

    static func read(_ value: SQLiteValue) -> Data? {
        if case .blob(let data) = value { data } else { nil }
    }
}

extension Date: Leaf {
    /// Seconds since 1970.
    var stored: SQLiteValue? { timeIntervalSince1970.stored }

    static func read(_ value: SQLiteValue) -> Date? {
        Double.read(value).map { Date(timeIntervalSince1970: $0) }
    }
}

extension URL: Leaf {
    var stored: SQLiteValue? { .text(absoluteString) }

    static func read(_ value: SQLiteValue) -> URL? {
        String.read(value).flatMap { URL(string: $0) }
    }
}

/// An optional that is read by itself, not as an optional property of its type.
protocol OptionalValue {
    static func read(with reader: ColumnReader) throws -> Self
}

extension Optional: OptionalValue where Wrapped: Decodable {
    static func read(with reader: ColumnReader) throws -> Wrapped? {
        reader.value == .null ? nil : try reader.read(Wrapped.self)
    }
}
