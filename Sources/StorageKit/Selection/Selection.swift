public import StorageRepo

/// A question for columns, expressions or entities: what `select` of a ``Query`` returns. A selection is a value: each
/// step returns a new one.
///
/// ```swift
/// let names = storage.query(User.self).where { $0.age >= 18 }.select(\.name)
/// try await names.distinct().fetch()
/// // SELECT DISTINCT "name" FROM "users" WHERE "age" >= 18
/// ```
public struct Selection<E: RegisteredEntity, Row: Sendable>: Sendable, PlannedQuery {
    package let repository: GenericRepository<E, E.Record>
    package var plan: QueryPlan
    package let selected: _Selected<Row>

    package init(_ repository: GenericRepository<E, E.Record>, _ plan: QueryPlan, _ selected: _Selected<Row>) {
        self.repository = repository
        self.plan = plan
        self.plan.selection = selected.nodes
        self.selected = selected
    }

    /// Counts equal rows once. Nil is a value like any other. An order has to be one of what is selected.
    ///
    /// ``limit(_:)`` and ``offset(_:)`` after it count different rows; where they came before it, only the rows that they leave are asked,
    /// and the order that said which those are may be of anything.
    public func distinct() -> Selection {
        Selection(repository, plan.distinct(), selected)
    }

    /// Returns at most so many rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func limit(_ n: Int) -> Selection {
        changing { $0.limit = n }
    }

    /// Passes over the first rows.
    ///
    /// - Parameter n: The number; the call that asks throws if it is negative.
    public func offset(_ n: Int) -> Selection {
        changing { $0.offset = n }
    }

    /// The SQL that ``fetch()`` runs, for tests.
    package var sql: LoweredQuery {
        get throws { try plan.selectionSQL() }
    }

    func all() throws -> TableRead<[Row]> { try repository.table.selected(plan, selected) }

    func first() throws -> TableRead<Row?> {
        try limit(Swift.min(plan.limit ?? 1, 1)).all().map(\.first)
    }
}

// MARK: - Asking

extension Selection {
    /// What is selected of each row, in order.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for what cannot be asked, a value that was calculated beyond the range
    ///   of its type, or an error of SQLite; ``StorageError/entityDecodingFailed(type:underlying:)`` for a broken row.
    public func fetch() async throws -> [Row] {
        try await repository.run(all())
    }

    /// What is selected of the first row, or nil. SQLite reads no further than that row.
    ///
    /// - Throws: As ``fetch()`` does.
    public func fetchOne() async throws -> Row? {
        try await repository.run(first())
    }

    /// How many rows ``fetch()`` would return.
    ///
    /// - Throws: As ``fetch()`` does.
    public func count() async throws -> Int {
        try await repository.run(repository.table.count(plan))
    }

    /// What is selected of each row in a transaction or a snapshot, in order.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetch(in reading: some StorageReading) throws -> [Row] {
        try repository.run(all(), in: reading)
    }

    /// What is selected of the first row in a transaction or a snapshot, or nil.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func fetchOne(in reading: some StorageReading) throws -> Row? {
        try repository.run(first(), in: reading)
    }

    /// How many rows there are in a transaction or a snapshot.
    ///
    /// - Throws: As ``fetch()`` does, and once the handle's closure has returned.
    public func count(in reading: some StorageReading) throws -> Int {
        try repository.run(repository.table.count(plan), in: reading)
    }
}
