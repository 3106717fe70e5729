import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// SQLite's preupdate hook, where the library has it: it alone tells of every row that changes, by whatever road: also
/// of rows that REPLACE deletes, of those in tables without rowids, and of all rows of a DELETE without condition.
///
/// The header does not declare it unless it is compiled in by whoever compiles us, and so it is looked up by name.
enum PreupdateHook {
    typealias Callback =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            sqlite3_int64,
            sqlite3_int64
        ) -> Void
    private typealias Install =
        @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias ReadValue =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32

    private static let install = symbol("sqlite3_preupdate_hook", as: Install.self)
    private static let old = symbol("sqlite3_preupdate_old", as: ReadValue.self)
    private static let new = symbol("sqlite3_preupdate_new", as: ReadValue.self)

    static var isAvailable: Bool { install != nil && old != nil && new != nil }

    static func set(on connection: OpaquePointer?, _ callback: Callback?, _ context: UnsafeMutableRawPointer?) {
        _ = install?(connection, callback, context)
    }

    /// A column of the row before and after the change, inside the callback.
    static func oldValue(_ connection: OpaquePointer?, _ column: Int32) -> StoredValue? {
        value(old, connection, column)
    }

    static func newValue(_ connection: OpaquePointer?, _ column: Int32) -> StoredValue? {
        value(new, connection, column)
    }

    /// Whether an update leaves a column as it was.
    static func isUnchanged(_ connection: OpaquePointer?, _ column: Int32) -> Bool {
        var (before, after): (OpaquePointer?, OpaquePointer?)
        guard let old, let new, old(connection, column, &before) == SQLITE_OK,
            new(connection, column, &after) == SQLITE_OK, let before, let after
        else { return false }
        let type = sqlite3_value_type(before)
        guard type == sqlite3_value_type(after) else { return false }
        switch type {
        case SQLITE_INTEGER: return sqlite3_value_int64(before) == sqlite3_value_int64(after)
        case SQLITE_TEXT:
            let count = sqlite3_value_bytes(before)
            guard count == sqlite3_value_bytes(after), let before = sqlite3_value_text(before),
                let after = sqlite3_value_text(after)
            else { return false }
            return memcmp(before, after, Int(count)) == 0
        default: return false
        }
    }

    private static func value(_ read: ReadValue?, _ connection: OpaquePointer?, _ column: Int32) -> StoredValue? {
        var value: OpaquePointer?
        guard let read, read(connection, column, &value) == SQLITE_OK, let value else { return nil }
        return StoredValue(sqliteValue: value)
    }

    private static func symbol<T>(_ name: String, as type: T.Type) -> T? {
        #if canImport(Darwin)
        let anywhere = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let anywhere: UnsafeMutableRawPointer? = nil
        #endif
        return dlsym(anywhere, name).map { unsafeBitCast($0, to: type) }
    }
}

extension StoredValue {
    /// A value that SQLite lends for the length of a call.
    fileprivate init(sqliteValue value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(value)
            self = .blob(start.map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data())
        default: self = .null
        }
    }
}
