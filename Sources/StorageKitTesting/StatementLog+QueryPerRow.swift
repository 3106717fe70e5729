/// A statement ran for each of many rows, where one could have been asked for all of them.
public struct QueryPerRow: Error, CustomStringConvertible {
    /// The statements, with `?` for bound values, and with how many different values each ran.
    public let statements: [(sql: String, count: Int)]

    /// A line for each statement.
    public var description: String {
        "a query for each row:\n" + statements.map { "\($0.count) x \($0.sql)" }.joined(separator: "\n")
    }
}

extension StatementLog {
    /// Fails a test if a statement runs for each row of another (the N+1 problem): if it runs again and again, each time with other
    /// values. The writes of one transaction count once, since a batch has a statement for each row.
    ///
    /// ```swift
    /// try await log.expectNoQueryPerRow {
    ///     _ = try await store.storage.query(Author.self).including(\.books).fetch()
    /// }
    /// ```
    ///
    /// Have more rows in the store than may be too many.
    ///
    /// - Parameters:
    ///   - limit: With how many different values a statement may run.
    ///   - isolation: The actor that the caller is on.
    ///   - body: What is done.
    /// - Returns: All statements that ran.
    /// - Throws: ``QueryPerRow`` with the statements that ran more often, and what `body` throws.
    @discardableResult
    public func expectNoQueryPerRow(
        atMost limit: Int = 3, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async throws -> StatementList {
        let statements = try await during(body)
        let tooMany = statements.distinctRuns.filter { $0.count > limit }
        if !tooMany.isEmpty { throw QueryPerRow(statements: tooMany) }
        return statements
    }
}
