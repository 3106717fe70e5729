extension StorageReading {
    /// The rows of a statement in SQL, in this state: see ``SQLQuery``.
    ///
    /// ```swift
    /// try await storage.transaction { tx in
    ///     let years = try tx.sql("SELECT DISTINCT strftime('%Y', dueDate) FROM reminders WHERE listId = \(id)", as: String?.self)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it.
    ///   - type: What each row is.
    /// - Throws: As ``SQLQuery/fetch()`` does, and once the handle's closure has returned.
    public func sql<Row: SQLRow & Sendable>(_ statement: SQLText, as type: Row.Type) throws -> [Row] {
        try rows(of: SQLStatement(statement, as: type, coders: _handle.stores.config.coders))
    }

    /// The raw values of one column that a statement in SQL gives, in this state.
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it.
    ///   - type: What each row is.
    /// - Throws: As ``SQLQuery/fetch()`` does, and once the handle's closure has returned.
    @_disfavoredOverload
    public func sql<Raw: RawRepresentable & Sendable>(_ statement: SQLText, as type: Raw.Type) throws -> [Raw]
    where Raw.RawValue: ColumnValue {
        try rows(of: SQLStatement(statement, as: type, coders: _handle.stores.config.coders))
    }

    /// The raw values of one column that a statement in SQL gives, nil for NULL, in this state.
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it.
    ///   - type: What each row is.
    /// - Throws: As ``SQLQuery/fetch()`` does, and once the handle's closure has returned.
    @_disfavoredOverload
    public func sql<Raw: RawRepresentable & Sendable>(_ statement: SQLText, as type: Raw?.Type) throws -> [Raw?]
    where Raw.RawValue: ColumnValue {
        try rows(of: SQLStatement(statement, as: type, coders: _handle.stores.config.coders))
    }

    private func rows<Row>(of statement: SQLStatement<Row>) throws -> [Row] {
        try run(statement.all(), for: _handle.actor)
    }

    /// Runs a store's read of no table in particular.
    package func run<Value>(_ read: TableRead<Value>, for store: DatabaseActor) throws -> Value {
        try _handle.read(for: store, read.body)
    }
}
