import StorageSQLite

/// A statement that SQLite has compiled. Used by one connection, on its queue.
final class CompiledStatement {
    /// Whether the statement begins or ends a transaction or savepoint.
    let controlsTransaction: Bool
    /// Whether it is a pragma. SQLite carries out many of them while it compiles them, so that it is compiled without
    /// effect at first, in earnest when it is to run, and never kept.
    let isPragma: Bool
    /// Whether it may insert, update or delete rows, rather than make tables or end transactions.
    let changesRows: Bool
    private var statement: Statement
    private var names = ColumnNames([])
    private var namesVersion: Int32 = -1

    init(_ statement: Statement, controlsTransaction: Bool, isPragma: Bool, changesRows: Bool) {
        self.statement = statement
        self.controlsTransaction = controlsTransaction
        self.isPragma = isPragma
        self.changesRows = changesRows
    }

    /// The statement's text, for errors.
    var sql: String { SQLiteError.excerpt(statement.handle.sql) }

    var parameterCount: Int { statement.handle.parameterCount }

    /// Whether the statement changes nothing. SQLite says so of transaction control too.
    var isReadOnly: Bool { statement.handle.isReadOnly && !controlsTransaction }

    /// The names of the columns. SQLite may compile the statement anew, and find others, when it takes the first step.
    var columns: ColumnNames {
        let version = statement.handle.recompilations
        if version != namesVersion {
            namesVersion = version
            names = ColumnNames(statement.handle.columnNames)
        }
        return names
    }

    /// Binds the values of all parameters.
    func bind(_ values: some Collection<SQLiteValue>) throws {
        guard values.count == parameterCount else {
            throw SQLiteError.bindingCount(expected: parameterCount, given: values.count, sql: sql)
        }
        for (index, value) in values.enumerated() {
            if case .real(let number) = value, number.isNaN {
                throw SQLiteError.notANumber(parameter: index + 1, sql: sql)
            }
        }
        try SQLiteError.reporting { try statement.bind(values) }
    }

    /// Compiles a pragma again, which may carry it out.
    func compileInEarnest(on connection: StorageSQLite.Connection) throws {
        statement = try SQLiteError.reporting { try connection.prepare(statement.handle.sql) }
    }

    /// Takes one step. Returns whether there is a row.
    func step() throws -> Bool {
        try SQLiteError.reporting(statement.handle.step)
    }

    func row() -> Row {
        Row(names: columns, values: statement.handle.row)
    }

    /// Makes the statement ready to run again, and lets its values go.
    func reset() {
        statement.handle.reset()
        statement.handle.clearBindings()
    }
}
