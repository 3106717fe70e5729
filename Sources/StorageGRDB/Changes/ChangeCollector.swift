import GRDB
import StorageSQLite
import Synchronization

/// Collects what the open transaction of one connection changes. All but ``isTransactionOpen`` is used on that connection's
/// thread only.
final class ChangeCollector {
    // In one value, since the program checks each time that a class's property is not used twice at once.
    private var rows = CollectedRows()
    private let isOpen = Atomic<Bool>(false)
    /// Notes whole rows; nil if nobody wants them.
    let log: ChangedRowLog?
    /// GRDB keeps this as long as its connection is open, by the observer that has it.
    private var hook: PreupdateHook?

    init(log: ChangedRowLog? = nil) {
        self.log = log
    }

    /// Whether something was collected since ``take()`` was called.
    var isTransactionOpen: Bool { isOpen.load(ordering: .acquiring) }

    /// What was collected since the last call.
    func take() -> [String: TableChange] {
        isOpen.store(false, ordering: .releasing)
        log?.clear()
        return rows.take()
    }

    /// Whether a row was changed once and no more since ``take()`` was called, and is there. An app's own trigger may have
    /// changed it again or taken it away, or a savepoint that was rolled back.
    ///
    /// - Parameter table: The lowercased name of the table.
    func hasChangedOnce(_ id: StoredValue, of table: String) -> Bool { rows.hasChangedOnce(id, of: table) }

    /// Looks up where the columns stand.
    ///
    /// - Parameter tracked: What is to be known of the tables, by lowercased name.
    func resolve(_ tracked: [String: TrackedTable], in db: Database) throws {
        // What cannot be looked up is not known either.
        rows.tracked = [:]
        var found: [String: CollectedRows.TrackedColumns] = [:]
        for (table, tracked) in tracked {
            guard let (id, _) = try db.place(of: tracked.idColumn, in: table) else { continue }
            found[table] = CollectedRows.TrackedColumns(
                id: id,
                columns: try tracked.columns.compactMap { name, interest in
                    try db.place(of: name, in: table).map { index, hasDefault in
                        CollectedRows.TrackedColumn(
                            name: name, index: index, hasDefault: hasDefault, interest: interest)
                    }
                })
        }
        rows.tracked = found
    }

    /// A change of which only the table is known.
    func add(table name: String) {
        if name.withCString({ rows.add(table: $0) }) { isOpen.store(true, ordering: .releasing) }
    }

    fileprivate func add(_ change: PreupdateHook.Change, _ name: UnsafePointer<CChar>) {
        log?.add(change, name)
        if rows.add(change, name) { isOpen.store(true, ordering: .releasing) }
    }

    /// Has SQLite tell of each row that the connection changes.
    ///
    /// - Returns: Whether it can.
    func attach(to db: Database) -> Bool {
        hook = db.sqliteConnection.flatMap { connection in
            PreupdateHook(on: connection) { [unowned self] change, table in add(change, table) }
        }
        return hook != nil
    }
}

/// The rows that a transaction has changed so far, table by table.
private struct CollectedRows {
    /// Above so many rows of one table, the list would cost more than it saves.
    fileprivate static let limit = 1000
    /// Above so many tables, none stays for the next transaction.
    private static let mostTables = 256

    /// Where to find the columns in a row, for the tables of which somebody wants to know the rows.
    var tracked: [String: TrackedColumns] = [:] {
        didSet { for index in tables.indices { tables[index].tracked = tracked[tables[index].name] } }
    }
    /// What was collected of each table that was changed. They stay, so that the next change of a table needs no new one.
    private var tables: [Table] = []
    /// The index of the table that was changed last, since the next change is likely one of the same.
    private var last = 0
    /// How many tables were changed.
    private var changedTables = 0

    struct TrackedColumns: Equatable {
        let id: Int32
        let columns: [TrackedColumn]
    }

    /// A column of which somebody wants to know whether it changes, and what else.
    struct TrackedColumn: Equatable {
        let name: String
        let index: Int32
        /// Whether a row that is older than the column holds something there.
        let hasDefault: Bool
        let interest: ColumnInterest
    }

    private struct Table {
        /// As SQLite spells it, with the NUL at its end.
        let spelling: ContiguousArray<CChar>
        let name: String
        var tracked: TrackedColumns? {
            // Of the rows that were collected before, other columns are known.
            didSet { if count > 0, tracked != oldValue { isMixed = true } }
        }
        var ids: Set<StoredValue> = []
        /// One for each column in question.
        var values: [ChangedValues.Column] = []
        var addsRows = false
        /// Whether rows were collected with different columns in question.
        var isMixed = false
        /// Those that were changed more than once, or went.
        var repeatedIds: Set<StoredValue> = []
        var isOverLimit = false
        /// How often a row was changed.
        var count = 0
        /// Whether a row was deleted while rows were not known one by one.
        var mayLackRow = false

        var change: TableChange {
            guard !isOverLimit, let tracked else { return .allRows }
            var known = ChangedValues()
            if !isMixed, values.count == tracked.columns.count {
                known.addsRows = addsRows
                for (column, values) in zip(tracked.columns, values) { known.columns[column.name] = values }
            }
            return .rows(ids, known)
        }

        func isSpelled(_ name: UnsafePointer<CChar>) -> Bool {
            spelling.withUnsafeBufferPointer { spelling in
                spelling.baseAddress.map { strcmp($0, name) == 0 } ?? false
            }
        }

        mutating func add(_ change: PreupdateHook.Change) {
            guard let tracked else {
                isOverLimit = true
                if change.kind == .delete { mayLackRow = true }
                return
            }
            if !tracked.columns.isEmpty, !isMixed { addValues(change, tracked.columns) }
            let (old, new) = (change.old(tracked.id), change.new(tracked.id))
            if change.kind == .update, let old, let new, old.isSame(as: new) { return insert(new.exactValue) }
            if change.kind != .insert { insert(old?.exactValue, isGone: true) }
            if change.kind != .delete { insert(new?.exactValue) }
        }

        private mutating func addValues(_ change: PreupdateHook.Change, _ columns: [TrackedColumn]) {
            if values.isEmpty {
                values = columns.map { column in
                    ChangedValues.Column(
                        former: column.interest.contains(.formerValues) ? [] : nil,
                        all: column.interest.contains(.allValues) ? [] : nil)
                }
            }
            if change.kind == .insert { addsRows = true }
            for (position, column) in columns.enumerated() {
                // Of a column that only has to differ, once is enough.
                let isOpen = column.interest.contains(.formerValues) || !values[position].differs
                guard column.interest.contains(.allValues) || change.kind != .insert && isOpen else { continue }
                values[position].add(change, column.index, hasDefault: column.hasDefault)
            }
        }

        private mutating func insert(_ id: StoredValue?, isGone: Bool = false) {
            guard let id else {
                if isGone { mayLackRow = true }
                return isOverLimit = true
            }
            if !ids.insert(id).inserted || isGone { repeatedIds.insert(id) }
            if ids.count > CollectedRows.limit { isOverLimit = true }
        }

        mutating func clear() {
            if !ids.isEmpty { ids = [] }
            if !repeatedIds.isEmpty { repeatedIds = [] }
            if !values.isEmpty { values = [] }
            addsRows = false
            isMixed = false
            isOverLimit = false
            count = 0
            mayLackRow = false
        }
    }

    mutating func take() -> [String: TableChange] {
        guard changedTables > 0 else { return [:] }
        defer { changedTables = 0 }
        var changes: [String: TableChange] = [:]
        for index in tables.indices where tables[index].count > 0 {
            changes[tables[index].name] = tables[index].change
            tables[index].clear()
        }
        // An app may make tables under ever new names, and drop them.
        if tables.count > CollectedRows.mostTables { (tables, last) = ([], 0) }
        return changes
    }

    func hasChangedOnce(_ id: StoredValue, of name: String) -> Bool {
        let spellings = tables.filter { $0.name == name && $0.count > 0 }
        guard spellings.count == 1, let table = spellings.first else { return false }
        // A trigger may have changed another row in its place.
        return table.isOverLimit
            ? table.count == 1 && !table.mayLackRow : table.ids.contains(id) && !table.repeatedIds.contains(id)
    }

    /// - Returns: Whether it is the first change.
    mutating func add(table name: UnsafePointer<CChar>) -> Bool {
        let index = index(of: name)
        tables[index].isOverLimit = true
        return count(index)
    }

    /// - Returns: Whether it is the first change.
    mutating func add(_ change: PreupdateHook.Change, _ name: UnsafePointer<CChar>) -> Bool {
        let index = index(of: name)
        if !tables[index].isOverLimit { tables[index].add(change) }
        return count(index)
    }

    private mutating func count(_ index: Int) -> Bool {
        tables[index].count += 1
        if tables[index].count == 1 { changedTables += 1 }
        return changedTables == 1 && tables[index].count == 1
    }

    private mutating func index(of name: UnsafePointer<CChar>) -> Int {
        if last < tables.count, tables[last].isSpelled(name) { return last }
        if let index = tables.firstIndex(where: { $0.isSpelled(name) }) {
            last = index
        } else {
            last = tables.count
            tables.append(table(spelled: name))
        }
        return last
    }

    private func table(spelled name: UnsafePointer<CChar>) -> Table {
        let spelling = ContiguousArray(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
        let name = String(cString: name).asciiLowercased
        return Table(spelling: spelling, name: name, tracked: tracked[name])
    }
}

extension ChangedValues.Column {
    /// - Parameter hasDefault: Whether a row that is older than the column holds something there. Many versions of the hook say NULL then.
    fileprivate mutating func add(_ change: PreupdateHook.Change, _ column: Int32, hasDefault: Bool) {
        let (old, new) = (change.old(column), change.new(column))
        let isOldKnown = old.map { !hasDefault || $0.storageClass != .null } ?? (change.kind == .insert)
        guard isOldKnown, new != nil || change.kind == .delete else {
            (differs, former, all) = (true, nil, nil)
            return
        }
        all.add(old)
        all.add(new)
        guard let old, new.map({ !old.isSame(as: $0) }) ?? true else { return }
        differs = true
        former.add(old)
    }
}

extension Set<StoredValue>? {
    /// Nil once a value cannot be asked for again, or they are too many: one row may take very many in a transaction.
    fileprivate mutating func add(_ cell: ColumnCell?) {
        guard let cell, self != nil else { return }
        guard let value = cell.exactValue else { return self = nil }
        self?.insert(value)
        if let count = self?.count, count > CollectedRows.limit { self = nil }
    }
}

extension Database {
    /// Where a hook finds a column in a row, and whether the column has a default; nil if that is not known.
    ///
    /// The hook counts stored columns in some versions of SQLite and all in others: up to the column there must be none that is
    /// not stored (`hidden` is 2).
    fileprivate func place(of column: String, in table: String) throws -> (index: Int32, hasDefault: Bool)? {
        let sql = """
            SELECT cid, dflt_value IS NOT NULL FROM pragma_table_xinfo(?1, 'main') AS id WHERE lower(name) = lower(?2) AND NOT EXISTS (
                SELECT 1 FROM pragma_table_xinfo(?1, 'main') AS other
                WHERE other.cid <= id.cid AND other.hidden = 2)
            """
        // Not by GRDB, which may be about to run a statement.
        return try firstRow(sql, [.text(table), .text(column)]) { (Int32(try $0.next() as Int), try $0.next()) }
    }
}
