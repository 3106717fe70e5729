public import StorageRepo

extension AppMigrations {
    /// What a start with these options would do to a database, and what it would leave. The database is only read.
    ///
    /// It is `plan(on:clock:)` with the clock of the options and with their form of JSON, which existing rows get in added
    /// columns. How the database is opened is for the reader to say.
    ///
    /// ```swift
    /// let plan = try schema.plan(on: pool, options: options)
    /// ```
    ///
    /// - Parameters:
    ///   - reader: A GRDB pool or queue, which may be read-only.
    ///   - options: What the app starts with.
    /// - Returns: The operations, what they cost, and the differences.
    /// - Throws: ``StorageError``, as the start would.
    public func plan(on reader: some DatabaseReader, options: StorageKit.StartOptions) throws -> MigrationPlan {
        try plan(on: reader, config: options.makeConfig())
    }
}
