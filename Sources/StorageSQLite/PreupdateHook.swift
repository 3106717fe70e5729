import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// SQLite's preupdate hook, where the library has it: it alone tells of every row that changes, by whatever road: also
/// of rows that REPLACE deletes, of those in tables without rowids, and of all rows of a DELETE without condition.
///
/// The header does not declare it unless it is compiled in by whoever compiles us, and so it is looked up by name. The hook has
/// to live as long as its connection.
package final class PreupdateHook {
    /// A row of the main database that is about to change, for the length of the call.
    package struct Change {
        package enum Kind { case insert, update, delete }

        package let kind: Kind
        private let connection: OpaquePointer?

        fileprivate init?(_ connection: OpaquePointer?, _ operation: Int32) {
            self.connection = connection
            switch operation {
            case SQLITE_INSERT: kind = .insert
            case SQLITE_UPDATE: kind = .update
            // What is written into a value in place is told of as a deletion. What it becomes nobody says.
            case SQLITE_DELETE: kind = PreupdateHook.blobColumn.map { $0(connection) >= 0 } == true ? .update : .delete
            default: return nil
            }
        }

        /// How many columns can be asked for.
        package var columnCount: Int32 { PreupdateHook.count?(connection) ?? 0 }

        /// A column before the change; nil where there was no row.
        package func old(_ column: Int32) -> ColumnCell? {
            kind == .insert ? nil : value(PreupdateHook.old, column)
        }

        /// A column after the change; nil where there will be no row.
        package func new(_ column: Int32) -> ColumnCell? {
            kind == .delete ? nil : value(PreupdateHook.new, column)
        }

        /// Whether the row was stored before its table had the column. It holds the column's default then, where many
        /// versions of the hook say NULL.
        package func lacks(_ column: Int32) -> Bool {
            // No call tells. SQLite (3.40) has one NULL for whatever is not there, a column of no statement among it. A version
            // that has not says no here, and NULL is told.
            guard let old = old(column), old.storageClass == .null else { return false }
            return old.pointer == sqlite3_column_value(nil, 0)
        }

        private func value(_ read: ReadValue?, _ column: Int32) -> ColumnCell? {
            var value: OpaquePointer?
            guard let read, read(connection, column, &value) == SQLITE_OK, let value else { return nil }
            return ColumnCell(value)
        }
    }

    private let body: (Change, _ table: UnsafePointer<CChar>) -> Void

    /// Has SQLite tell of each row that a connection changes in its main database.
    ///
    /// - Returns: Nil if the library has no such hook.
    package init?(on connection: OpaquePointer, _ body: @escaping (Change, _ table: UnsafePointer<CChar>) -> Void) {
        guard let install = PreupdateHook.install, PreupdateHook.old != nil, PreupdateHook.new != nil else {
            return nil
        }
        self.body = body
        // Unretained: whoever has the hook sees to it that it lives as long as the connection.
        _ = install(
            connection,
            { hook, connection, operation, database, table, _, _ in
                guard let hook, let database, let table, strcmp(database, "main") == 0,
                    let change = Change(connection, operation)
                else { return }
                Unmanaged<PreupdateHook>.fromOpaque(hook).takeUnretainedValue().body(change, table)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: - The library's symbols

    private typealias Callback =
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            sqlite3_int64, sqlite3_int64
        ) -> Void
    private typealias Install =
        @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    private typealias Count = @convention(c) (OpaquePointer?) -> Int32
    private typealias ReadValue =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    private typealias BlobColumn = @convention(c) (OpaquePointer?) -> Int32

    private static let install = symbol("sqlite3_preupdate_hook", as: Install.self)
    private static let old = symbol("sqlite3_preupdate_old", as: ReadValue.self)
    private static let new = symbol("sqlite3_preupdate_new", as: ReadValue.self)
    private static let count = symbol("sqlite3_preupdate_count", as: Count.self)
    private static let blobColumn = symbol("sqlite3_preupdate_blobwrite", as: BlobColumn.self)

    private static func symbol<T>(_ name: String, as type: T.Type) -> T? {
        #if canImport(Darwin)
        let anywhere = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let anywhere: UnsafeMutableRawPointer? = nil
        #endif
        // The types above are those of SQLite's documentation.
        return dlsym(anywhere, name).map { unsafeBitCast($0, to: type) }
    }
}

extension ColumnCell {
    /// Whether both hold the same.
    package func isSame(as other: ColumnCell) -> Bool {
        guard storageClass == other.storageClass else { return false }
        switch storageClass {
        case .integer: return integer == other.integer
        case .real: return real.bitPattern == other.real.bitPattern
        case .text: return text.elementsEqual(other.text)
        case .blob: return blob.elementsEqual(other.blob)
        case .null: return true
        }
    }
}
