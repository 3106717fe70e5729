/// An integer of at most 64 bits, kept as an SQLite INTEGER.
///
/// SQLite's integers are signed. An unsigned value above `Int64.max` is kept as its eight bytes, big end
/// first: SQLite sorts blobs after all numbers and byte by byte, so that order and comparisons stay right.
public protocol IntegerColumnValue: NumericColumnValue, FixedWidthInteger {}

extension IntegerColumnValue {
    /// `INTEGER`; `UNSIGNED BIG INT` for a type that goes beyond `Int64.max`.
    public static var columnType: ColumnType { Self.max > Int64.max ? .unsigned : .integer }

    /// An INTEGER, or eight bytes for a value above `Int64.max`.
    public func storedValue() -> StoredValue {
        if let small = Int64(exactly: self) {
            return .integer(small)
        }
        return withUnsafeBytes(of: UInt64(self).bigEndian) { .blob(Data($0)) }
    }

    /// Reads an INTEGER that fits the type, or the eight bytes of a value above `Int64.max`.
    ///
    /// - Throws: ``ColumnDecodingError`` for another storage class, a number out of the type's range, or bytes of a number that fits
    ///   `Int64`: such are stored as an INTEGER, and no query would find the bytes.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Self {
        if Self.max > Int64.max, row.isBlob(at: index) {
            let bytes = try row.blob(at: index)
            guard bytes.count == 8, bytes[bytes.startIndex] >= 0x80 else {
                throw row.mismatch(at: index, expected: Self.self)
            }
            let pattern = bytes.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
            return Self(truncatingIfNeeded: pattern)
        }
        guard let value = Self(exactly: try row.integer(at: index, as: Self.self)) else {
            throw row.mismatch(at: index, expected: Self.self)
        }
        return value
    }

    /// Binds ``storedValue()``, without the detour where the value is a plain INTEGER.
    public func bind(to row: inout RowWriter) throws {
        if let small = Int64(exactly: self) {
            row.bindInteger(small)
        } else {
            try row.bind(storedValue())
        }
    }
}

extension Int: IntegerColumnValue {}
extension Int8: IntegerColumnValue {}
extension Int16: IntegerColumnValue {}
extension Int32: IntegerColumnValue {}
extension Int64: IntegerColumnValue {}
extension UInt: IntegerColumnValue {}
extension UInt8: IntegerColumnValue {}
extension UInt16: IntegerColumnValue {}
extension UInt32: IntegerColumnValue {}
extension UInt64: IntegerColumnValue {}
