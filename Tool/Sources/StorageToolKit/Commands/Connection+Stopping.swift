import StorageSQLite

extension Connection {
    /// Runs a body whose statements are stopped once somebody says so.
    ///
    /// - Parameters:
    ///   - isInterrupted: Asked while SQLite is at work, which may be long over one row.
    ///   - check: Says why it was stopped.
    func stopping<T>(
        when isInterrupted: @escaping () -> Bool, check: () throws -> Void, _ body: () throws -> T
    ) throws -> T {
        interrupt(when: isInterrupted)
        do {
            return try body()
        } catch let failure as SQLiteFailure where failure.canBeInterruption {
            try check()
            throw failure
        }
    }
}
