import Foundation
import GRDBSQLite

/// The least that a write costs beside which somebody wants to know whether its row is one of theirs.
extension RawStore {
    /// Has SQLite's preupdate hook compare the id of each row that changes, before and after, with one that stays.
    ///
    /// - Parameter last: The id, which is kept as long as the program runs.
    /// - Returns: False if SQLite is built without the hook.
    func compareIds(with last: String) -> Bool {
        typealias Hook =
            @convention(c) (
                UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64,
                Int64
            ) -> Void
        typealias Install =
            @convention(c) (OpaquePointer?, Hook?, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
        guard let install = dlsym(nil, "sqlite3_preupdate_hook"), RowValues.old != nil, RowValues.new != nil else {
            return false
        }
        let hook: Hook = { last, connection, kind, _, _, _, _ in
            guard let last else { return }
            if kind != SQLITE_INSERT { RowValues.compare(RowValues.old, connection, last) }
            if kind != SQLITE_DELETE { RowValues.compare(RowValues.new, connection, last) }
        }
        _ = unsafeBitCast(install, to: Install.self)(connection, hook, strdup(last))
        return true
    }
}

/// The values of a row that is about to change. The functions have the types that SQLite's documentation gives.
private enum RowValues {
    typealias Read = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32

    static let old = dlsym(nil, "sqlite3_preupdate_old").map { unsafeBitCast($0, to: Read.self) }
    static let new = dlsym(nil, "sqlite3_preupdate_new").map { unsafeBitCast($0, to: Read.self) }
    /// How many rows stood before the one that they were compared with; nobody reads it.
    nonisolated(unsafe) static var before = 0

    static func compare(_ read: Read?, _ connection: OpaquePointer?, _ last: UnsafeMutableRawPointer) {
        var value: OpaquePointer?
        guard read?(connection, 0, &value) == SQLITE_OK, let text = sqlite3_value_text(value) else { return }
        if strcmp(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self), last.assumingMemoryBound(to: CChar.self))
            < 0
        {
            before += 1
        }
    }
}
