import GRDB

/// A statement in SQL of the app's that reads, and the type of its rows.
package struct SQLStatement<Row: Sendable>: Sendable {
    private typealias Reading = @Sendable (SQLColumns) throws -> @Sendable (inout RowReader) throws -> Row

    private let pieces: [SQLPiece]
    private let coders: JSONCoders
    private let reading: Reading

    private init(_ text: SQLText, _ coders: JSONCoders, _ reading: @escaping Reading) {
        pieces = text.pieces
        self.coders = coders
        self.reading = reading
    }

    package init(_ text: SQLText, as type: Row.Type, coders: JSONCoders) where Row: SQLRow {
        self.init(text, coders) { try Row._reading($0) }
    }

    /// Each row is a raw value.
    package init(_ text: SQLText, as type: Row.Type, coders: JSONCoders)
    where Row: RawRepresentable, Row.RawValue: ColumnValue {
        self.init(text, coders) { try $0.readingOne { try $0.next() } }
    }

    /// Each row is a raw value or NULL.
    package init<Raw: RawRepresentable & Sendable>(_ text: SQLText, as type: Row.Type, coders: JSONCoders)
    where Row == Raw?, Raw.RawValue: ColumnValue {
        self.init(text, coders) { try $0.readingOne { try $0.next() } }
    }

    /// The SQL with its arguments.
    package var query: LoweredQuery { get throws { try pieces.statement(coders) } }

    /// All its rows.
    package func all() throws -> TableRead<[Row]> {
        let query = try query
        return TableRead(query) { db in try rows(of: db.readingStatement(query)) }
    }

    /// Its first row, or nil. SQLite reads no further than that.
    package func first() throws -> TableRead<Row?> {
        let query = try query
        return TableRead(query) { db in
            try rows(of: db.readingStatement(query), isFirstOnly: true).first
        }
    }

    /// All its rows, and the tables that SQLite says they are of.
    func allWithTables() throws -> TableRead<(rows: [Row], tables: TablesRead)> {
        let query = try query
        return TableRead(query) { db in
            let statement = try db.readingStatement(query)
            let rows = try rows(of: statement)
            // The connection knows today's schema by now, and GRDB's statement the tables of the one it was made in.
            return (rows, try db.tablesRead(by: db.makeStatement(sql: statement.sql)))
        }
    }

    private func rows(of statement: Statement, isFirstOnly: Bool = false) throws -> [Row] {
        var rows: [Row] = []
        try statement.withRows(coders: coders) { row in
            // Asked now: with its first step SQLite compiles a statement anew if the schema is another.
            let read = try reading(SQLColumns(statement.handle.columnNames))
            repeat { rows.append(try read(&row)) } while !isFirstOnly && row.advance()
        }
        // A column that is missing is missed without a row, too.
        if rows.isEmpty { _ = try reading(SQLColumns(statement.handle.columnNames)) }
        return rows
    }
}

extension Database {
    /// A statement of the app's with its arguments.
    ///
    /// - Throws: `StorageError.queryFailed` for one that could change anything.
    fileprivate func readingStatement(_ query: LoweredQuery) throws -> Statement {
        let statement = try boundStatement(query)
        guard statement.isReadonly, statement.columnCount > 0 else {
            throw StorageError.queryFailed(
                sql: query.sql,
                underlying: InvalidQuery(reason: "the statement writes; only one that reads can be a query"))
        }
        return statement
    }

    /// The tables that a statement reads, as SQLite said when it was prepared.
    fileprivate func tablesRead(by statement: Statement) throws -> TablesRead {
        let region = statement.databaseRegion
        let isRead = { (name: String) in region.isModified(byEventsOfKind: .insert(tableName: name)) }
        // Of virtual tables, those of other files and what a pragma tells as a table nobody says when they change.
        let unwatched = try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT name FROM pragma_table_list WHERE type = 'virtual' OR schema NOT IN ('main', 'temp')
                    UNION ALL SELECT name FROM pragma_module_list WHERE name LIKE 'pragma%'
                    """))
        // SQLite counts in sqlite_sequence by itself and tells nobody.
        guard !unwatched.contains(where: isRead), !isRead("sqlite_sequence") else { return TablesRead(mayBeMore: true) }
        let tables = try tablesOfRows().filter(isRead)
        // The schema's own table is in no list.
        return TablesRead(tables, mayBeMore: tables.isEmpty)
    }
}
