import Foundation
public import GRDBSQLite

/// What a column holds.
@frozen
public enum StorageClass: Int32 {
    /// `SQLITE_INTEGER`.
    case integer = 1
    /// `SQLITE_FLOAT`.
    case real = 2
    /// `SQLITE_TEXT`.
    case text = 3
    /// `SQLITE_BLOB`.
    case blob = 4
    /// `SQLITE_NULL`.
    case null = 5

    /// Its name in SQL.
    package var name: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .null: "NULL"
        }
    }
}

/// A value that SQLite lends: of a column of the row that a statement stands on, of an argument of a function, or of a row
/// that changes.
///
/// To ask a value locks nothing, unlike to ask the statement for a column.
@frozen
public struct ColumnCell {
    /// SQLite's value; nil reads as NULL.
    public let pointer: OpaquePointer?

    /// Wraps a value of SQLite's.
    @inlinable
    public init(_ pointer: OpaquePointer?) {
        self.pointer = pointer
    }

    /// What it holds.
    @inlinable public var storageClass: StorageClass {
        pointer.flatMap { StorageClass(rawValue: sqlite3_value_type($0)) } ?? .null
    }

    /// The INTEGER in it.
    @inlinable public var integer: Int64 { sqlite3_value_int64(pointer) }

    /// The number in it.
    @inlinable public var real: Double { sqlite3_value_double(pointer) }

    /// The bytes of the TEXT in it, never up to its first NUL only.
    @inlinable public var text: UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(pointer)
        return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))
    }

    /// The bytes of the BLOB in it.
    @inlinable public var blob: UnsafeRawBufferPointer {
        // There is no address for a blob without bytes.
        let start = sqlite3_value_blob(pointer)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))
    }

    /// How many bytes its TEXT or BLOB has; 0 for everything else.
    package var byteCount: Int {
        switch storageClass {
        case .text: text.count
        case .blob: blob.count
        case .integer, .real, .null: 0
        }
    }

    /// A copy of it.
    public var value: SQLiteValue {
        switch storageClass {
        case .null: .null
        case .integer: .integer(integer)
        case .real: .real(real)
        case .text: .text(String(decoding: text, as: UTF8.self))
        case .blob: .blob(Data(blob))
        }
    }

    /// The same, to ask SQLite for it again; nil for a text that is not UTF-8, of which ``value`` is another text.
    package var exactValue: SQLiteValue? {
        guard storageClass == .text else { return value }
        return String(validating: text, as: UTF8.self).map { .text($0) }
    }
}
