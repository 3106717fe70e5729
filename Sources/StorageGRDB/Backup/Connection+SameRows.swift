import StorageCore
import StorageSQLite

extension Connection {
    /// Whether two databases have the same tables, indexes, triggers and views, the same rows, and the same numbers of the app's.
    ///
    /// Their files need not be the same byte for byte: a store that is opened and closed moves pages that are in no use.
    ///
    /// - Throws: ``SQLiteFailure`` if one cannot be read, as where a table needs what only the app has.
    func hasRows(of other: Connection) throws(SQLiteFailure) -> Bool {
        let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        guard try has(schema, from: other) else { return false }
        // Pages of another size, and texts of another encoding, cannot be put back.
        for pragma in ["user_version", "application_id", "page_size", "encoding"] {
            guard try has("PRAGMA \(pragma)", from: other) else { return false }
        }
        // Of a virtual table the rows are in tables that belong to it.
        let tables = try prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
        while try tables.handle.step() {
            guard case .text(let name) = tables.handle.cell(at: 0).value else { continue }
            let table = name.quotedIdentifier
            // A table WITHOUT ROWID has no such column.
            let hasRowid = (try? prepare("SELECT rowid FROM \(table)")) != nil
            let columns = hasRowid ? "rowid, *" : "*"
            guard try has("SELECT \(columns) FROM \(table) NOT INDEXED", from: other) else { return false }
        }
        return true
    }

    /// Whether a query has the same rows, in the same order.
    private func has(_ sql: String, from other: Connection) throws(SQLiteFailure) -> Bool {
        let (own, others) = (try prepare(sql), try other.prepare(sql))
        while true {
            let (hasRow, otherHasRow) = (try own.handle.step(), try others.handle.step())
            guard hasRow, otherHasRow else { return hasRow == otherHasRow }
            guard own.handle.row == others.handle.row else { return false }
        }
    }
}
