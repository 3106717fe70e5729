extension Connection {
    /// Begins a transaction, or a savepoint inside the transaction that is open.
    func begin() throws {
        guard depth == 0 || !isAutocommit else { throw SQLiteError.transactionLost }
        // Immediate: a transaction that reads first and writes later could not wait for the lock of another writer.
        try control(depth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT \(savepoint(depth))")
        depth += 1
    }

    /// Keeps what a transaction did. What is still open inside it is undone.
    ///
    /// - Parameter level: How many transactions were open when it began.
    func commit(_ level: Int) throws {
        if depth > level + 1 { rollBack(level + 1) }
        guard !isAutocommit else {
            depth = level
            throw SQLiteError.transactionLost
        }
        do {
            try control(level == 0 ? "COMMIT" : "RELEASE \(savepoint(level))")
            depth = level
        } catch {
            rollBack(level)
            throw error
        }
    }

    /// Undoes a transaction and all that is open inside it.
    ///
    /// - Parameter level: How many transactions were open when it began.
    func rollBack(_ level: Int) {
        defer { depth = level }
        guard !isAutocommit else { return }
        do {
            guard level > 0 else { return try control("ROLLBACK") }
            try control("ROLLBACK TO \(savepoint(level))")
            try control("RELEASE \(savepoint(level))")
        } catch {
            // Rather nothing than half: the transactions around it find that theirs is lost.
            try? control("ROLLBACK")
        }
    }

    /// Does all of some work, or nothing of it.
    func atomically<T>(_ work: (Connection) throws -> T) throws -> T {
        let level = depth
        try begin()
        let result = Result { try work(self) }
        if case .success = result { try commit(level) } else { rollBack(level) }
        return try result.get()
    }

    /// Runs the caller's SQL, and sees to it that no transaction stays open outside of `withTransaction`.
    func settled<T>(_ sql: String, _ work: (Connection) throws -> T) throws -> T {
        defer { if depth == 0 { rollBack(0) } }
        let result = try work(self)
        guard depth > 0 || isAutocommit else { throw SQLiteError.transactionLeftOpen(sql: sql) }
        return result
    }

    private func savepoint(_ level: Int) -> String { "persistence_\(level)" }

    /// Runs SQL of ours, whether or not the task is cancelled.
    private func control(_ sql: String) throws {
        let statement = try takeStatement(sql)
        defer { giveBack(statement, for: sql) }
        while try statement.step() {}
    }
}
