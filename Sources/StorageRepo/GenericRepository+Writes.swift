public import StorageGRDB

extension GenericRepository {
    /// Inserts an entity.
    ///
    /// - Parameter entity: The entity.
    /// - Returns: What is stored.
    /// - Throws: ``StorageError``, also if the id is there already; nothing was written then.
    @discardableResult
    public func insert(_ entity: E) async throws -> E {
        try await write(.insert, entity)
    }

    /// Inserts all entities in one transaction: all of them or none.
    ///
    /// - Parameter entities: The entities.
    /// - Returns: What is stored, in the same order.
    /// - Throws: ``StorageError``, also if an id is there already; nothing was written then.
    @discardableResult
    public func insert(_ entities: [E]) async throws -> [E] {
        try await write(.insert, entities)
    }

    /// Updates the row of an entity.
    ///
    /// - Parameter entity: The entity.
    /// - Returns: What is stored.
    /// - Throws: ``StorageError/entityNotFound(type:id:)`` if there is no row with its id, `conflict` if that has another version than the
    ///   entity; nothing was written then.
    @discardableResult
    public func update(_ entity: E) async throws -> E {
        try await write(.update, entity)
    }

    /// Deletes the row of an entity, if it has the entity's version.
    package func delete(_ entity: E) async throws {
        try await store.delete(entity)
    }

    package func write(_ kind: EntityWrite<R>.Kind, _ entity: E) async throws -> E {
        try await store.write(kind, entity, now: store.clock.now)
    }

    package func write(_ kind: EntityWrite<R>.Kind, _ entities: [E]) async throws -> [E] {
        try await run(table.write(kind, entities, now: store.clock.now))
    }
}

extension GenericRepository where E: RegisteredEntity {
    /// Saves an entity by another unique key than its id: the row that has the same values there is updated and keeps its id.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - conflict: The key.
    /// - Returns: What is stored, with the id of its row.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func save(_ entity: E, onConflict conflict: SaveConflict<E>) async throws -> E {
        try await run(table.save(entity, conflict, now: store.clock.now))
    }

    /// Saves all entities by another unique key than their ids, in one transaction: all of them or none.
    ///
    /// - Parameters:
    ///   - entities: The entities.
    ///   - conflict: The key.
    /// - Returns: What is stored, in the same order, with the ids of the rows.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func save(_ entities: [E], onConflict conflict: SaveConflict<E>) async throws -> [E] {
        try await run(table.save(entities, conflict, now: store.clock.now))
    }

    /// Saves an entity by another unique key than its id in a transaction, as ``save(_:onConflict:)-(E,_)`` does.
    ///
    /// - Returns: What is stored, with the id of its row.
    /// - Throws: ``StorageError``; nothing was written then, and the transaction goes on if its closure does.
    @discardableResult
    public func save(
        _ entity: E, onConflict conflict: SaveConflict<E>, in transaction: StorageTransaction
    ) throws -> E {
        try transaction.run(table.save(entity, conflict, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Saves all entities by another unique key than their ids in a transaction: all of them or none.
    ///
    /// - Returns: What is stored, in the same order, with the ids of the rows.
    /// - Throws: ``StorageError``; none of them was written then.
    @discardableResult
    public func save(
        _ entities: [E], onConflict conflict: SaveConflict<E>, in transaction: StorageTransaction
    ) throws -> [E] {
        try transaction.run(table.save(entities, conflict, now: store.clock.now), of: store, isSeveral: true)
    }
}

// MARK: - In a transaction

extension GenericRepository {
    /// The entity with that id in a transaction or a snapshot, or nil.
    ///
    /// - Throws: ``StorageError`` if the row is no such entity.
    public func get(id: String, in reading: some StorageReading) throws -> E? {
        try reading._handle.get(from: store, id: table.storedId(text: id))
    }

    /// The entity with that id in a transaction or a snapshot, or nil.
    ///
    /// - Throws: ``StorageError`` if the row is no such entity.
    @_disfavoredOverload
    public func get(id: E.Id, in reading: some StorageReading) throws -> E? {
        try reading._handle.get(from: store, id: table.storedId(id))
    }

    /// All entities in a transaction or a snapshot, sorted.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func getAll(orderBy: String? = nil, ascending: Bool = true, in reading: some StorageReading) throws -> [E] {
        try run(table.all(table.plan(orderBy: orderBy, ascending: ascending)), in: reading)
    }

    /// The entities whose column holds that value in a transaction or a snapshot, sorted.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func getAll(
        where column: String, equals value: String, orderBy: String? = nil, ascending: Bool = true,
        in reading: some StorageReading
    ) throws -> [E] {
        try run(table.all(plan(where: column, equals: value, orderBy: orderBy, ascending: ascending)), in: reading)
    }

    /// How many entities there are in a transaction or a snapshot.
    ///
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func countAll(in reading: some StorageReading) throws -> Int {
        try run(table.count(table.plan), in: reading)
    }

    /// A page of the sorted entities in a transaction or a snapshot.
    ///
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for an unknown column, a limit below 1 or a negative offset.
    public func getPage(
        orderBy: String? = nil, ascending: Bool = true, limit: Int, offset: Int = 0, in reading: some StorageReading
    ) throws -> RepoPage<E> {
        try run(page(orderBy: orderBy, ascending: ascending, limit: limit, offset: offset), in: reading)
    }

    /// Inserts the entity, or updates the row with its id, in a transaction.
    ///
    /// - Throws: ``StorageError``; nothing was written then, and the transaction goes on if its closure does.
    public func put(_ entity: E, in transaction: StorageTransaction) throws {
        try transaction.save(entity, in: store)
    }

    /// Inserts an entity in a transaction.
    ///
    /// - Returns: What is stored.
    /// - Throws: ``StorageError``, also if the id is there already; nothing was written then.
    @discardableResult
    public func insert(_ entity: E, in transaction: StorageTransaction) throws -> E {
        try transaction.write(.insert, entity, in: store)
    }

    /// Inserts all entities in a transaction: all of them or none.
    ///
    /// - Returns: What is stored, in the same order.
    /// - Throws: ``StorageError``, also if an id is there already; none of them was written then.
    @discardableResult
    public func insert(_ entities: [E], in transaction: StorageTransaction) throws -> [E] {
        try transaction.write(.insert, entities, in: store)
    }

    /// Updates the row of an entity in a transaction.
    ///
    /// - Returns: What is stored.
    /// - Throws: ``StorageError/entityNotFound(type:id:)`` if there is no row with its id, `conflict` if that has another version than the
    ///   entity; nothing was written then.
    @discardableResult
    public func update(_ entity: E, in transaction: StorageTransaction) throws -> E {
        try transaction.write(.update, entity, in: store)
    }

    /// Saves all entities in a transaction: all of them or none.
    ///
    /// - Throws: ``StorageError``; none of them was written then.
    public func putAll(_ entities: [E], in transaction: StorageTransaction) throws {
        try transaction.run(table.save(entities, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Deletes the entity with that id in a transaction. Nothing happens if there is none.
    ///
    /// - Throws: ``StorageError``; then nothing was deleted.
    public func delete(id: String, in transaction: StorageTransaction) throws {
        try run(table.deletion(id: table.storedId(text: id)), in: transaction)
    }

    /// Deletes the entity with that id in a transaction. Nothing happens if there is none.
    ///
    /// - Throws: ``StorageError``; then nothing was deleted.
    @_disfavoredOverload
    public func delete(id: E.Id, in transaction: StorageTransaction) throws {
        try run(table.deletion(id: table.storedId(id)), in: transaction)
    }

    /// Deletes all entities in a transaction.
    ///
    /// - Returns: How many they were.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @discardableResult
    public func deleteAll(in transaction: StorageTransaction) throws -> Int {
        try run(table.deletion(table.plan), in: transaction)
    }

    /// Deletes the entities whose column holds that value, in a transaction.
    ///
    /// - Returns: How many they were.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    @discardableResult
    public func deleteAll(where column: String, equals value: String, in transaction: StorageTransaction) throws -> Int
    {
        try run(table.deletion(plan(where: column, equals: value)), in: transaction)
    }
}
