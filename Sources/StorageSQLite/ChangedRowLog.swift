/// Notes the rows that the open transaction of a connection changes, on the connection's thread alone.
///
/// What a savepoint or a statement that failed put back was noted before, and stays noted.
public final class ChangedRowLog {
    /// So many bytes of values are noted of one transaction, roughly.
    static let mostBytes = 1 << 20

    private let limit: Int
    private var tables: [CommittedRows.Table] = []
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
        if change.kind == .update, isKnown, columns.allSatisfy(change.leaves) { return }
        let place = place(of: String(cString: table))
        tables[place].count += 1
        // About how many bytes the copies take.
        let cost = { (cell: ColumnCell?) in cell.map { 16 + $0.byteCount } ?? 0 }
        let size = columns.reduce(0) { $0 + cost(change.old($1)) + cost(change.new($1)) }
        guard isKnown, rowCount < limit, byteCount + size <= ChangedRowLog.mostBytes else { return }
        rowCount += 1
        byteCount += size
        tables[place].rows.append(
            CommittedRows.Row(
                before: change.kind == .insert ? nil : columns.map { change.old($0)?.value ?? .null },
                after: change.kind == .delete ? nil : columns.map { change.new($0)?.value ?? .null }))
    }

    private func place(of table: String) -> Int {
        if let place = places[table] { return place }
        places[table] = tables.count
        tables.append(CommittedRows.Table(name: table, columns: [], rows: [], count: 0))
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
        var taken = CommittedRows(tables: tables)
        clear()
        for index in taken.tables.indices {
            let (columns, count) = try connection.knownColumns(of: taken.tables[index].name)
            taken.tables[index].columns = columns.map(\.name)
            // Rows from before the transaction dropped a column, or the table, are counted alone: which value is whose is not known.
            taken.tables[index].rows.removeAll { $0.valueCount > count }
            for place in taken.tables[index].rows.indices { taken.tables[index].rows[place].keep(columns) }
        }
        return taken
    }
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

    fileprivate mutating func keep(_ columns: [(name: String, affinity: Affinity)]) {
        before?.keep(columns)
        after?.keep(columns)
    }
}

extension [SQLiteValue] {
    /// Keeps the values of the columns. In the record of a row a whole number takes the place of a real one, and some versions of the
    /// hook tell of that.
    fileprivate mutating func keep(_ columns: [(name: String, affinity: Affinity)]) {
        self = zip(self, columns).map { value, column in
            guard case .integer(let number) = value, column.affinity == .real else { return value }
            return .real(Double(number))
        }
    }
}

extension Connection {
    /// The columns that stand in a changed row where they stand in the table, and how many there are in all. The hook counts stored
    /// columns in some versions of SQLite and all in others, so that behind one that is not stored (`hidden` is 2) none is known.
    fileprivate func knownColumns(
        of table: String
    ) throws(SQLiteFailure) -> (known: [(name: String, affinity: Affinity)], count: Int) {
        let statement = try prepare("SELECT name, type, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid")
        try statement.bind([.text(table)])
        var columns: [(name: String, affinity: Affinity)] = []
        var count = 0
        var areKnown = true
        while try statement.handle.step() {
            count += 1
            areKnown = areKnown && statement.handle.cell(at: 2).integer != 2
            guard areKnown else { continue }
            let (name, type) = (statement.handle.cell(at: 0).text, statement.handle.cell(at: 1).text)
            columns.append((String(decoding: name, as: UTF8.self), Affinity(of: String(decoding: type, as: UTF8.self))))
        }
        return (columns, count)
    }
}
