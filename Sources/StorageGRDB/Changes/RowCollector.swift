import GRDB
import GRDBSQLite

/// Collects what the open transaction of one connection changes. Used on that connection's thread only.
final class RowCollector {
    /// Above so many rows of one table, the list would cost more than it saves.
    private static let limit = 1000

    /// Where to find the id in a row, for the tables of which somebody wants to know the rows.
    private var idColumns: [String: Int32] = [:]
    private var collected: [String: TableChange] = [:]
    /// The table of the last change, since the next is likely one of the same.
    private var name: [CChar] = []
    private var table = ""
    private var idColumn: Int32?
    private var ids: Set<StoredValue> = []
    private var isOverLimit = false
    /// How often a row was changed, by table.
    private var counts: [String: Int] = [:]
    private var count = 0
    /// Called with the first change of a transaction.
    var onFirstChange: (() -> Void)?

    /// What was collected since the last call.
    func take() -> [String: TableChange] {
        flush()
        name = []
        defer {
            collected.removeAll(keepingCapacity: true)
            counts.removeAll(keepingCapacity: true)
        }
        return collected
    }

    /// How often rows of a table were changed since ``take()`` was called. An app's own trigger counts too.
    func changeCount(of table: String) -> Int {
        counts[table, default: 0] + (table == self.table && !name.isEmpty ? count : 0)
    }

    /// Looks up where the ids stand.
    ///
    /// - Parameter tracked: The id columns of the tables, by lowercased name.
    func resolve(_ tracked: [String: String], in db: Database) throws {
        idColumns = [:]
        for (table, column) in tracked {
            // The hook counts stored columns in some versions of SQLite and all in others: before the id there must be none
            // that is not stored (`hidden` is 2), or all rows count as changed.
            let sql = """
                SELECT cid FROM pragma_table_xinfo(:table, 'main') AS id WHERE lower(name) = lower(:column) AND NOT EXISTS (
                    SELECT 1 FROM pragma_table_xinfo(:table, 'main') AS other
                    WHERE other.cid < id.cid AND other.hidden = 2)
                """
            idColumns[table] = try Int32.fetchOne(db, sql: sql, arguments: ["table": table, "column": column])
        }
    }

    func forgetColumns() {
        idColumns = [:]
    }

    /// A change of which only the table is known.
    func add(table: String) {
        if collected.isEmpty { onFirstChange?() }
        collected[table.asciiLowercased] = .allRows
        counts[table.asciiLowercased, default: 0] += 1
    }

    fileprivate func add(_ connection: OpaquePointer?, _ operation: Int32, _ name: UnsafePointer<CChar>) {
        if !self.name.elementsEqual(UnsafeBufferPointer(start: name, count: strlen(name))) { begin(name) }
        count += 1
        guard let idColumn, !isOverLimit else { return }
        if operation != SQLITE_INSERT { insert(PreupdateHook.oldValue(connection, idColumn)) }
        if operation != SQLITE_DELETE { insert(PreupdateHook.newValue(connection, idColumn)) }
        if ids.count > RowCollector.limit { isOverLimit = true }
    }

    private func insert(_ id: StoredValue?) {
        if let id { ids.insert(id) } else { isOverLimit = true }
    }

    private func begin(_ name: UnsafePointer<CChar>) {
        flush()
        if collected.isEmpty { onFirstChange?() }
        self.name = Array(UnsafeBufferPointer(start: name, count: strlen(name)))
        table = String(cString: name).asciiLowercased
        idColumn = idColumns[table]
        isOverLimit = idColumn == nil
        switch collected[table] {
        case .rows(let rows): ids = rows
        case .allRows: isOverLimit = true
        case nil: collected[table] = .rows([])
        }
    }

    private func flush() {
        guard !name.isEmpty else { return }
        collected[table] = isOverLimit ? .allRows : .rows(ids)
        counts[table, default: 0] += count
        ids = []
        count = 0
    }

    /// Has SQLite tell of each row that the connection changes.
    ///
    /// - Returns: Whether it can.
    func attach(to db: Database) -> Bool {
        guard PreupdateHook.isAvailable else { return false }
        let context = Unmanaged.passUnretained(self).toOpaque()
        PreupdateHook.set(
            on: db.sqliteConnection,
            { context, connection, operation, database, table, _, _ in
                guard let context, let database, let table, strcmp(database, "main") == 0 else { return }
                Unmanaged<RowCollector>.fromOpaque(context).takeUnretainedValue().add(connection, operation, table)
            }, context)
        return true
    }
}
