/// Notes the rows that the open transaction of a connection changes, on the connection's thread alone.
///
/// What a savepoint or a statement that failed put back was noted before, and stays noted.
public final class ChangedRowLog {
    /// So many bytes of values are noted of one transaction, roughly.
    static let mostBytes = 1 << 20

    private let limit: Int
    private var tables: [NotedTable] = []
    private var places: [String: Int] = [:]
    private var rowCount = 0
    private var byteCount = 0
    /// Nil where somebody else has the hook, and hands the changes on.
    private var hook: PreupdateHook?

    /// - Parameter limit: So many rows of a transaction are noted; the rest is counted.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Notes what a connection changes in its main database, for as long as the connection lives: keep it at least so long.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - limit: So many rows of a transaction are noted; the rest is counted.
    /// - Returns: Nil if the library does not tell of rows.
    public convenience init?(of connection: Connection, limit: Int) {
        self.init(limit: limit)
        hook = PreupdateHook(on: connection.pointer) { [unowned self] change, table in add(change, table) }
        if hook == nil { return nil }
    }

    /// Notes a change.
    package func add(_ change: PreupdateHook.Change, _ table: UnsafePointer<CChar>) {
        let columns = 0..<change.columnCount
        // What is written into a value in place is told of without what it becomes.
        let isKnown = change.kind != .update || change.new(0) != nil
        let isSame = change.kind == .update && isKnown && columns.allSatisfy(change.leaves)
        // The columns behind are younger than the row, and what they held is asked for later.
        let stored = columns.first(where: change.lacks) ?? columns.upperBound
        if isSame, stored == columns.upperBound { return }
        let place = place(of: String(cString: table))
        tables[place].count += 1
        // About how many bytes the copies take.
        let cost = { (cell: ColumnCell?) in cell.map { 16 + $0.byteCount } ?? 0 }
        let size = columns.reduce(0) { $0 + cost(change.old($1)) + cost(change.new($1)) }
        guard isKnown, rowCount < limit, byteCount + size <= ChangedRowLog.mostBytes else { return }
        rowCount += 1
        byteCount += size
        let row = CommittedRows.Row(
            before: change.kind == .insert ? nil : columns.map { change.old($0)?.value ?? .null },
            after: change.kind == .delete ? nil : columns.map { change.new($0)?.value ?? .null })
        tables[place].rows.append((row, Int(stored)))
    }

    private func place(of table: String) -> Int {
        if let place = places[table] { return place }
        places[table] = tables.count
        tables.append(NotedTable(name: table))
        return tables.count - 1
    }

    /// Forgets what was noted, since it was rolled back.
    public func clear() {
        guard !tables.isEmpty else { return }
        tables = []
        places = [:]
        rowCount = 0
        byteCount = 0
    }

    /// What was noted since the last call, with the names of the columns.
    ///
    /// - Parameter connection: The connection, which is asked for the names.
    /// - Returns: Nil if nothing was changed.
    /// - Throws: ``SQLiteFailure``.
    public func take(_ connection: Connection) throws(SQLiteFailure) -> CommittedRows? {
        guard !tables.isEmpty else { return nil }
        let noted = tables
        clear()
        var taken = CommittedRows(tables: [])
        for table in noted {
            let (columns, count) = try connection.knownColumns(of: table.name, defaultsFrom: table.firstLacking)
            let told = table.told(columns, of: count)
            if told.count > 0 { taken.tables.append(told) }
        }
        return taken.tables.isEmpty ? nil : taken
    }
}

/// What was noted of a table.
private struct NotedTable {
    let name: String
    var count = 0
    /// The rows, each with how many of its columns were stored before: those behind are younger.
    var rows: [(row: CommittedRows.Row, stored: Int)] = []
    /// The first column that some row lacks; nil if none does.
    var firstLacking: Int? { rows.filter { $0.stored < $0.row.valueCount }.map(\.stored).min() }

    /// What is told of it.
    ///
    /// - Parameters:
    ///   - columns: The columns whose place is known.
    ///   - columnCount: How many there are in all.
    func told(_ columns: [KnownColumn], of columnCount: Int) -> CommittedRows.Table {
        var told = CommittedRows.Table(name: name, columns: columns.map(\.name), rows: [], count: count)
        // Rows from before the transaction dropped a column, or the table, are counted alone: nobody knows which value is whose.
        for (noted, stored) in rows where noted.valueCount <= columnCount {
            var row = noted
            row.fill(columns, from: stored)
            row.keep(columns)
            if stored < columns.count, noted.valueCount == columns.count, row.before == row.after {
                told.count -= 1
            } else {
                told.rows.append(row)
            }
        }
        return told
    }
}

private struct KnownColumn {
    let name: String
    let affinity: Affinity
    let defaultValue: SQLiteValue
}

extension PreupdateHook.Change {
    /// Whether a column of an updated row has the value that it had.
    fileprivate func leaves(_ column: Int32) -> Bool {
        guard let old = old(column), let new = new(column) else { return false }
        return old.isSame(as: new)
    }
}

extension CommittedRows.Row {
    fileprivate var valueCount: Int { before?.count ?? after?.count ?? 0 }

    /// Puts the defaults of columns in, from one on.
    fileprivate mutating func fill(_ columns: [KnownColumn], from start: Int) {
        guard let values = before else { return }
        for place in start..<max(start, min(values.count, columns.count)) {
            before?[place] = columns[place].defaultValue
        }
    }

    fileprivate mutating func keep(_ columns: [KnownColumn]) {
        before?.keep(columns)
        after?.keep(columns)
    }
}

extension [SQLiteValue] {
    /// Keeps the values of the columns. In the record of a row a whole number takes the place of a real one, and some versions of the
    /// hook tell of that; and a default may be written as a number where the column holds texts.
    fileprivate mutating func keep(_ columns: [KnownColumn]) {
        self = zip(self, columns).map { value, column in
            switch (value, column.affinity) {
            case (.integer(let number), .real): .real(Double(number))
            case (.integer(let number), .text): .text("\(number)")
            default: value
            }
        }
    }
}

extension Connection {
    /// The columns that stand in a changed row where they stand in the table, and how many there are in all. The hook counts stored
    /// columns in some versions of SQLite and all in others, so that behind one that is not stored (`hidden` is 2) none is known.
    ///
    /// - Parameter first: The column from which on to look up defaults, which are NULL otherwise.
    fileprivate func knownColumns(
        of table: String, defaultsFrom first: Int?
    ) throws(SQLiteFailure) -> (known: [KnownColumn], count: Int) {
        let statement = try prepare(
            "SELECT name, type, hidden, dflt_value FROM pragma_table_xinfo(?1, 'main') ORDER BY cid")
        try statement.bind([.text(table)])
        var columns: [KnownColumn] = []
        var count = 0
        var areKnown = true
        while try statement.handle.step() {
            count += 1
            areKnown = areKnown && statement.handle.cell(at: 2).integer != 2
            guard areKnown else { continue }
            let (name, type) = (statement.handle.cell(at: 0).text, statement.handle.cell(at: 1).text)
            var defaultValue = SQLiteValue.null
            if let first, count > first, case .text(let sql) = statement.handle.cell(at: 3).value {
                defaultValue = constant(sql)
            }
            columns.append(
                KnownColumn(
                    name: String(decoding: name, as: UTF8.self),
                    affinity: Affinity(of: String(decoding: type, as: UTF8.self)), defaultValue: defaultValue))
        }
        return (columns, count)
    }

    /// The value of a default. It is a constant: no other column is added to a table with rows.
    private func constant(_ sql: String) -> SQLiteValue {
        guard let statement = try? prepare("SELECT (\(sql))"), (try? statement.handle.step()) == true else {
            return .null
        }
        return statement.handle.cell(at: 0).value
    }
}
