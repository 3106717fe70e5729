extension SQLiteDatabase {
    /// Runs a closure in a transaction: all that it did stays, or nothing.
    ///
    /// ```swift
    /// try await database.withTransaction { db in
    ///     try await db.execute("UPDATE accounts SET balance = balance - 10 WHERE id = 1")
    ///     try await db.execute("UPDATE accounts SET balance = balance + 10 WHERE id = 2")
    /// }
    /// // BEGIN IMMEDIATE; UPDATE ...; UPDATE ...; COMMIT
    /// ```
    ///
    /// Calls that other tasks make to this database wait until the transaction has ended, however long the closure
    /// awaits. If the closure throws, or its task is cancelled before it returns, everything is rolled back. Called on
    /// the handle, it makes a savepoint: what the inner closure did can be undone alone.
    ///
    /// Inside, use the handle only. A call to the database that the transaction is on throws
    /// ``SQLiteError/heldByCaller(path:)``. Tasks that were made inside wait for the end as others do; where the closure
    /// awaits one, the two would wait for each other: its call throws the same after the `busyTimeout` of the database. The closure must not
    /// await a detached task that makes one.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the closure runs on: the caller's.
    ///   - body: What to do, with a handle that works until the closure returns. Nested transactions that are still
    ///     open then, in tasks that outlive the closure, are undone.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error; `CancellationError`; ``SQLiteError`` if the transaction could not begin or commit.
    @discardableResult
    public func withTransaction<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: (SQLiteDatabase) async throws -> T
    ) async throws -> T {
        let transaction = try await turnstile.begin(on: level)
        let handle = SQLiteDatabase(turnstile: turnstile, level: transaction.level)
        do {
            let result = try await transaction.turn.during { try await body(handle) }
            try Task.checkCancellation()
            try await turnstile.commit(transaction)
            return result
        } catch {
            await turnstile.rollBack(transaction)
            throw error
        }
    }

    /// Reads the rows of one statement, however many, without keeping more than a few hundred in memory.
    ///
    /// ```swift
    /// try await database.forEachRow("SELECT * FROM users ORDER BY id") { row in
    ///     print(try schema.decode(row).name)
    /// }
    /// ```
    ///
    /// The rows are those of one state of the database. Calls that other tasks make to it wait until the walk has ended;
    /// a call that the closure makes to it throws ``SQLiteError/heldByCaller(path:)``. Throw to end a walk early.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - values: The values of its parameters (`?`).
    ///   - isolation: The actor that the closure runs on: the caller's.
    ///   - body: What to do with each row, in order.
    /// - Throws: The closure's error; `CancellationError`; ``SQLiteError``, for instance
    ///   ``SQLiteError/notReadOnly(sql:)`` for a statement that changes something.
    public func forEachRow(
        _ sql: String, _ values: [SQLiteValue] = [], isolation: isolated (any Actor)? = #isolation,
        _ body: (Row) async throws -> Void
    ) async throws {
        let turn = try await turnstile.beginWalk(sql, values, on: level)
        do {
            try await turn.during {
                while true {
                    let rows = try await turnstile.nextRows(turn, on: level)
                    guard !rows.isEmpty else { break }
                    for row in rows {
                        try Task.checkCancellation()
                        try await body(row)
                    }
                }
            }
        } catch {
            await turnstile.endWalk(turn, on: level)
            throw error
        }
        await turnstile.endWalk(turn, on: level)
    }
}
