public import StorageGRDB

/// The reads and writes of one entity type, by its record.
///
/// ```swift
/// let users = storage.repository(User.self)
/// try await users.put(User(id: "1", name: "Ada"))
/// let ada = try await users.get(id: "1")
/// ```
///
/// Every method throws ``StorageError``; a cancelled task throws `CancellationError`, but for what takes microseconds, such as to get or
/// put one entity, which is done all the same.
public struct GenericRepository<E: StorageKitEntity, R: StorageKitEntityRecord>: Sendable where R.E == E {
    /// One object holds all that a store has of the type, so that a repository is made in no time.
    @usableFromInline let store: EntityStore<R>
    package var live: LiveTable<R> { store.live }
    package var db: DatabaseActor { store.db }
    var config: StorageConfig { store.config }
    package var table: RecordTable<R> { store.table }

    /// Creates a repository with caches of its own, which its copies share. Those that a `Context` makes share the
    /// context's.
    ///
    /// - Parameters:
    ///   - db: The door to the database.
    ///   - config: The settings of the store: its clock stamps `updatedAt`, its coders make JSON columns.
    public init(db: DatabaseActor, config: StorageConfig = StorageConfig()) {
        self.init(EntityStores(db: db, config: config))
    }

    @inlinable
    package init(_ stores: EntityStores) {
        store = stores.of(R.self)
    }
}

// MARK: - One entity

extension GenericRepository {
    /// The entity with that id, or nil: from the table, or from memory, which never has an older value.
    ///
    /// - Parameters:
    ///   - id: The id as text; UUID and integer ids are parsed, and other text finds nothing.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity.
    @inlinable
    public func get(id: String, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await get(store.table.storedId(text: id), nil, isolation)
    }

    /// The same without the caller's actor, for protocols that ask for it and as a function value.
    @_disfavoredOverload
    public func get(id: String) async throws -> E? {
        try await get(id: id, isolation: #isolation)
    }

    /// The entity with that id, or nil.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity.
    @inlinable
    @_disfavoredOverload
    public func get(id: E.Id, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await get(store.table.storedId(id), nil, isolation)
    }

    /// The entity with that id, or nil, from where the policy says.
    ///
    /// - Parameters:
    ///   - id: The id as text; UUID and integer ids are parsed, and other text finds nothing.
    ///   - policy: Where to look, and how long to keep what is found.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity. What goes wrong in a cache is
    ///   no error, but a miss.
    @inlinable
    public func get(id: String, policy: CachePolicy, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await get(store.table.storedId(text: id), policy, isolation)
    }

    /// The same without the caller's actor, for protocols that ask for it and as a function value.
    @_disfavoredOverload
    public func get(id: String, policy: CachePolicy) async throws -> E? {
        try await get(id: id, policy: policy, isolation: #isolation)
    }

    /// The entity with that id, or nil, from where the policy says.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - policy: Where to look, and how long to keep what is found.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity.
    @inlinable
    @_disfavoredOverload
    public func get(id: E.Id, policy: CachePolicy, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await get(store.table.storedId(id), policy, isolation)
    }

    /// Stays on the caller's actor while memory has the entity, so that a hit costs no hop to another thread.
    ///
    /// - Parameter policy: Nil for memory and the table, where the disk cache is neither asked nor told.
    @inlinable @inline(__always)
    func get(_ id: StoredValue?, _ policy: CachePolicy?, _ isolation: isolated (any Actor)?) async throws -> E? {
        guard let id else { return nil }
        if let entity = store.inMemory(id, policy) { return entity }
        // On an actor, which may be the main one, no file is read.
        if isolation == nil {
            if store.hasTurnEnded() { await Task.yield() }
            var found: E?
            if store.readAtOnce(id, policy, { found = try R._decode(&$0) }) { return found }
        }
        return try await store.get(id, policy)
    }

    /// Inserts the entity, or updates the row with its id. The caches then have it too.
    ///
    /// - Parameter entity: The entity.
    /// - Throws: ``StorageError``; then nothing was written.
    public func put(_ entity: E) async throws {
        if store.hasTurnEnded() { await Task.yield() }
        let now = store.clock.now
        if try !store.saveAtOnce(entity, now: now) { try await store.saveLater(entity, now: now) }
    }

    /// Deletes the entity with that id. Nothing happens if there is none.
    ///
    /// - Parameter id: The id as text.
    /// - Throws: ``StorageError``; then nothing was deleted.
    public func delete(id: String) async throws {
        guard let id = table.storedId(text: id) else { return }
        try await store.delete(id: id)
    }

    /// Deletes the entity with that id. Nothing happens if there is none.
    ///
    /// - Parameter id: The id.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @_disfavoredOverload
    public func delete(id: E.Id) async throws {
        guard let id = table.storedId(id) else { return }
        try await store.delete(id: id)
    }
}

// MARK: - Many entities

extension GenericRepository {
    /// All entities, sorted.
    ///
    /// - Parameters:
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func getAll(orderBy: String? = nil, ascending: Bool = true) async throws -> [E] {
        try await run(table.all(table.plan(orderBy: orderBy, ascending: ascending)))
    }

    /// The entities whose column holds that value, sorted.
    ///
    /// - Parameters:
    ///   - column: The column to compare.
    ///   - value: The value it must hold.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func getAll(
        where column: String, equals value: String, orderBy: String? = nil, ascending: Bool = true
    ) async throws -> [E] {
        try await run(table.all(plan(where: column, equals: value, orderBy: orderBy, ascending: ascending)))
    }

    /// How many entities there are.
    ///
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func countAll() async throws -> Int {
        try await run(table.count(table.plan))
    }

    /// A page of the sorted entities.
    ///
    /// - Parameters:
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    ///   - limit: How many items the page may have, at least 1.
    ///   - offset: How many items to pass over.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for an unknown column, a limit below 1 or a
    ///   negative offset.
    public func getPage(
        orderBy: String? = nil, ascending: Bool = true, limit: Int, offset: Int = 0
    ) async throws -> RepoPage<E> {
        try await run(page(orderBy: orderBy, ascending: ascending, limit: limit, offset: offset))
    }

    /// Saves all entities in one transaction: all of them or none.
    ///
    /// - Parameter entities: The entities. Of two with one id the later wins.
    /// - Throws: ``StorageError``; then nothing was written.
    public func putAll(_ entities: [E]) async throws {
        if !entities.isEmpty { try await run(table.save(entities, now: store.clock.now)) }
    }

    /// Deletes all entities.
    ///
    /// - Returns: How many they were.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await run(table.deletion(table.plan))
    }

    /// Deletes the entities whose column holds that value.
    ///
    /// - Parameters:
    ///   - column: The column to compare.
    ///   - value: The value it must hold.
    /// - Returns: How many they were.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    @discardableResult
    public func deleteAll(where column: String, equals value: String) async throws -> Int {
        try await run(table.deletion(plan(where: column, equals: value)))
    }
}

// MARK: - Streams

extension GenericRepository {
    /// The entity now and after each change of its row, nil while there is none. The loop has each value on its own actor.
    ///
    /// - Parameter id: The id as text.
    public func observe(id: String) -> AsyncStream<E?> {
        liveRow(text: id).stream()
    }

    /// The entity now and after each change of its row, nil while there is none. The loop has each value on its own actor.
    ///
    /// - Parameter id: The id.
    @_disfavoredOverload
    public func observe(id: E.Id) -> AsyncStream<E?> {
        liveRow(id).stream()
    }

    /// All entities, now and after each change of the table. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    public func observeAll(orderBy: String? = nil, ascending: Bool = true) -> AsyncStream<[E]> {
        liveAll(orderBy: orderBy, ascending: ascending).stream()
    }

    /// Like ``observeAll(orderBy:ascending:)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    public func observeAllDistinct(orderBy: String? = nil, ascending: Bool = true) -> AsyncStream<[E]> {
        liveAll(orderBy: orderBy, ascending: ascending).stream(isRepeated: ==)
    }

    package func liveAll(orderBy: String?, ascending: Bool) -> LiveValue<[E]> {
        live.list(table.plan(orderBy: orderBy, ascending: ascending))
    }

    // No row can match an id that cannot be stored: NULL equals nothing.

    package func liveRow(text: String) -> LiveValue<E?> { live.row(table.storedId(text: text) ?? .null) }

    package func liveRow(_ id: E.Id) -> LiveValue<E?> { live.row(table.storedId(id) ?? .null) }
}

// MARK: - Plans

extension GenericRepository {
    /// Runs a read of the table.
    package func run<Value: Sendable>(_ read: TableRead<Value>) async throws -> Value {
        try await db.run(read, of: table)
    }

    /// Runs a read of the table in a transaction or a snapshot.
    package func run<Value>(_ read: TableRead<Value>, in reading: some StorageReading) throws -> Value {
        try reading._handle.read(read, of: store)
    }

    /// Runs a write of the table, in a transaction of its own.
    package func run<Value: Sendable>(_ write: TableWrite<Value>) async throws -> Value {
        try await db.run(write, of: table)
    }

    /// Runs a write of the table in a transaction.
    package func run<Value>(_ write: TableWrite<Value>, in transaction: StorageTransaction) throws -> Value {
        try transaction.run(write, of: store)
    }

    package func updateAll(_ plan: QueryPlan, set assignments: [ColumnAssignment]) throws -> TableWrite<Int> {
        try table.update(plan, set: assignments, now: store.clock.now)
    }

    /// A page of the sorted entities.
    func page(orderBy: String?, ascending: Bool, limit: Int, offset: Int) throws -> TableRead<RepoPage<E>> {
        var plan = table.plan(orderBy: orderBy, ascending: ascending)
        // Ties are broken by id, or a row could stand on two pages.
        if orderBy != nil { plan.sort(by: table.idColumn, .ascending) }
        return try page(plan, limit: limit, offset: offset)
    }

    /// A page of what a plan asks for, whose order leaves no ties.
    package func page(_ plan: QueryPlan, limit: Int, offset: Int) throws -> TableRead<RepoPage<E>> {
        try QueryPlan.check(pageLimit: limit)
        var plan = plan
        // One row more tells whether others follow.
        plan.limit = limit == .max ? limit : limit + 1
        plan.offset = offset
        return try table.all(plan).map { items in
            let page = Array(items.prefix(limit))
            return RepoPage(items: page, nextOffset: offset + page.count, hasMore: items.count > limit)
        }
    }

    /// The rows whose column holds that value, sorted.
    func plan(
        where column: String, equals value: String, orderBy: String? = nil, ascending: Bool = true
    ) -> QueryPlan {
        var plan = table.plan(orderBy: orderBy, ascending: ascending)
        plan.add(column: column, equals: value)
        return plan
    }
}
