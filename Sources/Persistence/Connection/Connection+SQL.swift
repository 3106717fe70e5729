import StorageSQLite

extension Connection {
    /// Runs all statements of a text in turn; each takes as many of the values as it has parameters.
    ///
    /// - Returns: How many rows the statements themselves inserted, updated and deleted.
    func execute(_ sql: String, _ values: [SQLiteValue]) throws -> Int {
        if let statement = statements.take(sql) {
            defer { giveBack(statement, for: sql) }
            return try run(statement, values)
        }
        var text = try SQLiteError.reporting { try SQLText(sql) }
        var (values, changed, isFirst) = (values[...], 0, true)
        // Each is compiled when the one before has run: it may need a table that that one makes.
        while let statement = try nextStatement(of: &text) {
            let isLast = text.isAtEnd
            let isAlone = isFirst && isLast
            isFirst = false
            defer { if isAlone { giveBack(statement, for: sql) } }
            let own = isLast ? values : values.prefix(statement.parameterCount)
            values = values.dropFirst(own.count)
            changed += try run(statement, own)
        }
        guard values.isEmpty else {
            throw SQLiteError.bindingCount(expected: 0, given: values.count, sql: sql)
        }
        return changed
    }

    /// All rows of a text that is one statement.
    func rows(_ sql: String, _ values: [SQLiteValue]) throws -> [Row] {
        let statement = try takeStatement(sql)
        defer { giveBack(statement, for: sql) }
        try begin(statement, values)
        var rows: [Row] = []
        while try step(statement) { rows.append(statement.row()) }
        return rows
    }

    private func run(_ statement: CompiledStatement, _ values: some Collection<SQLiteValue>) throws -> Int {
        try begin(statement, values)
        let before = sqlite.totalChangeCount
        while try step(statement) {}
        // What changes nothing leaves the number of the statement before it. A virtual table writes rows of its own
        // when it is made, and when a transaction ends.
        return statement.changesRows && sqlite.totalChangeCount != before ? sqlite.changeCount : 0
    }
}

// MARK: - Statements

extension Connection {
    /// A statement, compiled, for the caller to ``begin(_:_:)``, ``step(_:)`` through and ``giveBack(_:for:)``.
    func takeStatement(_ sql: String) throws -> CompiledStatement {
        try statements.take(sql) ?? compile(sql)
    }

    /// Compiles a text that is one statement, also if one is kept.
    func compile(_ sql: String) throws -> CompiledStatement {
        var text = try SQLiteError.reporting { try SQLText(sql) }
        guard let statement = try nextStatement(of: &text), text.isAtEnd else {
            throw SQLiteError.notOneStatement(sql: sql)
        }
        return statement
    }

    /// Keeps a statement for its text, in place of one that is kept.
    func giveBack(_ statement: CompiledStatement, for sql: String) {
        statement.reset()
        if !statement.isPragma { statements.keep(statement, for: sql) }
    }

    /// Readies a statement for its first step. Of a pragma it may be all there is to do.
    func begin(_ statement: CompiledStatement, _ values: some Collection<SQLiteValue>) throws {
        try Task.checkCancellation()
        if depth > 0 {
            guard !statement.controlsTransaction else { throw SQLiteError.transactionControl(sql: statement.sql) }
            guard !isAutocommit else { throw SQLiteError.transactionLost }
        }
        try statement.bind(values)
        if statement.isPragma { try statement.compileInEarnest(on: sqlite) }
    }

    /// Takes one step. Returns whether there is a row.
    ///
    /// A write inside a transaction is not interrupted: SQLite would roll back the whole transaction, on behalf of
    /// what may be one child task of many.
    func step(_ statement: CompiledStatement) throws -> Bool {
        isInterruptible = statement.isReadOnly || (isAutocommit && !statement.controlsTransaction)
        defer { isInterruptible = false }
        return try statement.step()
    }

    /// Compiles the next statement of a text and moves behind it; nil if there is none.
    private func nextStatement(of text: inout SQLText) throws -> CompiledStatement? {
        let (isPragma, changesRows) = (text.isAtPragma, text.isAtRowChange)
        (sawTransactionControl, isLookingAhead) = (false, isPragma)
        defer { isLookingAhead = false }
        let statement = try SQLiteError.reporting { try sqlite.prepareNext(&text, isKept: true) }
        return statement.map {
            CompiledStatement(
                $0, controlsTransaction: sawTransactionControl, isPragma: isPragma, changesRows: changesRows)
        }
    }
}
