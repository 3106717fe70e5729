public import StorageRepo

extension Storage {
    /// Runs a closure in one transaction: all that it writes is kept, or nothing.
    ///
    /// ```swift
    /// try await storage.transaction { tx in
    ///     guard var from = try tx.get(Account.self, id: a), var to = try tx.get(Account.self, id: b) else { throw Missing() }
    ///     from.balance -= 10
    ///     to.balance += 10
    ///     try tx.save([from, to])
    /// }
    /// ```
    ///
    /// The closure runs once, on a thread of its own, behind the writes before. What it reads sees what it wrote; nobody else sees
    /// anything before the commit, after which caches and streams are told once. Calls of the storage itself do not belong in it:
    /// they would be transactions of their own, and need `await`.
    ///
    /// - Parameter body: What to read and write. An error that it throws rolls everything back and passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error; `CancellationError` if the task was cancelled; ``StorageError`` if the transaction could not begin
    ///   or be committed, or if it was ended before the closure returned. Nothing was written then.
    @discardableResult
    public func transaction<T: Sendable>(
        _ body: @escaping @Sendable (StorageTransaction) throws -> T
    ) async throws -> T {
        try await stores.transaction(body)
    }

    /// Reads one state of the database with several calls, beside whoever writes.
    ///
    /// ```swift
    /// let (lists, open) = try await storage.snapshot { tx in
    ///     (try storage.query(List.self).fetch(in: tx), try storage.query(Reminder.self).where { !$0.isDone }.count(in: tx))
    /// }
    /// ```
    ///
    /// - Parameter body: What to read. An error that it throws passes through unchanged.
    /// - Returns: What the closure returns.
    /// - Throws: The closure's error; `CancellationError` if the task was cancelled; ``StorageError`` if no connection could be had.
    public func snapshot<T: Sendable>(_ body: @escaping @Sendable (StorageSnapshot) throws -> T) async throws -> T {
        try await stores.snapshot(body)
    }
}
