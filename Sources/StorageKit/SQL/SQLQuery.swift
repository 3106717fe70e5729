public import StorageRepo

extension Storage {
    /// Asks a whole statement in SQL, for what no query says: recursive ones, windows.
    ///
    /// ```swift
    /// @StorageSelection struct YearCount: Equatable { let year: String?; let n: Int }
    ///
    /// let years = storage.sql("SELECT strftime('%Y', dueDate) AS year, count(*) AS n FROM reminders WHERE listId = \(id) GROUP BY 1",
    ///     as: YearCount.self)
    /// try await years.fetch()
    /// for await rows in years.observe() { show(rows) }
    /// ```
    ///
    /// Values between `\(` and `)` are arguments of the statement, and never become part of its text.
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it and no semicolon behind it.
    ///   - type: What each row is: a ``StorageSelection()`` struct or an entity, whose properties are found by the names of the columns, or
    ///     the value of one column, such as `Int` or `String?`.
    public func sql<Row: SQLRow & Sendable>(_ statement: SQLText, as type: Row.Type) -> SQLQuery<Row> {
        SQLQuery(stores, SQLStatement(statement, as: type, coders: stores.config.coders))
    }

    /// Asks a whole statement in SQL whose one column holds raw values, such as those of an enum.
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it and no semicolon behind it.
    ///   - type: What each row is.
    @_disfavoredOverload
    public func sql<Raw: RawRepresentable & Sendable>(_ statement: SQLText, as type: Raw.Type) -> SQLQuery<Raw>
    where Raw.RawValue: ColumnValue {
        SQLQuery(stores, SQLStatement(statement, as: type, coders: stores.config.coders))
    }

    /// Asks a whole statement in SQL whose one column holds raw values or NULL, which is nil.
    ///
    /// - Parameters:
    ///   - statement: One statement that reads, with values in it and no semicolon behind it.
    ///   - type: What each row is.
    @_disfavoredOverload
    public func sql<Raw: RawRepresentable & Sendable>(_ statement: SQLText, as type: Raw?.Type) -> SQLQuery<Raw?>
    where Raw.RawValue: ColumnValue {
        SQLQuery(stores, SQLStatement(statement, as: type, coders: stores.config.coders))
    }
}

/// A statement in SQL as a query: what `sql` of a ``Storage`` returns.
///
/// ```swift
/// let open = storage.sql("SELECT count(*) FROM reminders WHERE isDone = \(false)", as: Int.self)
/// try await open.fetchOne()
/// // SELECT count(*) FROM reminders WHERE isDone = ?
/// ```
///
/// SQLite says which tables the statement reads, so that a stream reads again after their changes and no others.
public struct SQLQuery<Row: Sendable>: Sendable {
    private let stores: EntityStores
    private let statement: SQLStatement<Row>

    init(_ stores: EntityStores, _ statement: SQLStatement<Row>) {
        self.stores = stores
        self.statement = statement
    }

    /// All rows, in order.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for a statement that is none, that writes, or that lacks a column, and for a
    ///   value of another type, with the name of its column; ``StorageError/entityDecodingFailed(type:underlying:)`` for a row that
    ///   is no such entity.
    public func fetch() async throws -> [Row] {
        try await stores.db.run(statement.all())
    }

    /// The first row, or nil. SQLite reads no further than that row.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await stores.db.run(statement.first())
    }

    /// All rows in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Row] {
        try reading.run(statement.all(), for: stores.db)
    }

    /// The first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try reading.run(statement.first(), for: stores.db)
    }

    /// All rows, now and after each change of a table that the statement reads. The loop has each value on its own actor.
    ///
    /// A statement that reads a virtual table, such as a full-text index, is read again after each commit, since nobody tells of their
    /// changes. An error does not end the stream.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observe(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        live.stream(bufferingPolicy: bufferingPolicy, onError: onError)
    }

    package var live: LiveValue<[Row]> { stores.db.live(statement, onError: stores.config.onObservationError) }
}

extension SQLQuery where Row: Equatable {
    /// Like ``SQLQuery/observe(bufferingPolicy:onError:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - bufferingPolicy: How many lists wait for a slow consumer.
    ///   - onError: Called with each error; nil calls the store's `onObservationError`.
    public func observeDistinct(
        bufferingPolicy: AsyncStream<[Row]>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<[Row]> {
        live.stream(bufferingPolicy: bufferingPolicy, isRepeated: ==, onError: onError)
    }
}

extension LiveQuery {
    /// The rows of a statement in SQL.
    ///
    /// - Parameter query: The statement.
    public convenience init<Row>(_ query: SQLQuery<Row>) where Value == [Row] {
        self.init(query.live, initially: [])
    }
}
