public import GRDB

/// A transaction: what `Storage.transaction` hands to its closure. Everything in it is synchronous.
///
/// ```swift
/// try await storage.transaction { tx in
///     guard var account = try tx.get(Account.self, id: id) else { throw Missing() }
///     account.balance -= 10
///     try tx.save(account)
///     try storage.query(Offer.self).where { $0.accountId == id }.deleteAll(in: tx)
/// }
/// ```
///
/// A write that throws leaves nothing, and the transaction goes on if its closure does. What is read sees what was written before.
/// Nobody else sees anything before the commit.
public final class StorageTransaction: StorageReading {
    /// What calls with `in:` stand on.
    public let _handle: ReadingHandle

    /// GRDB's connection, for SQL beside the entities. It must not end the transaction.
    ///
    /// - Throws: ``StorageError`` once the closure has returned, or the transaction has ended.
    public var database: Database { get throws { try _handle.share() } }

    init(_ handle: ReadingHandle) {
        _handle = handle
    }

    // MARK: - One entity

    /// Inserts the entity, or updates the row that has its id.
    ///
    /// - Throws: ``StorageError``: `constraintViolated` for a key or a check, `conflict` if the row has another version than the entity.
    ///   Nothing was written then.
    public func save<E: RegisteredEntity>(_ entity: E) throws {
        try save(entity, in: store(E.self))
    }

    /// Inserts an entity that has a version or whose id SQLite gives, or updates the row that has its id and version.
    ///
    /// - Returns: What is stored, with its new version, and with its id.
    /// - Throws: ``StorageError``: `conflict` if the row has another version than the entity. Nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity & ReturnedBySave>(_ entity: E) throws -> E {
        try write(.save, entity, in: store(E.self))
    }

    /// Saves the entity by another unique key than its id: the row that has the same values there is updated and keeps its id.
    ///
    /// - Returns: What is stored, with the id of its row.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity>(_ entity: E, onConflict conflict: SaveConflict<E>) throws -> E {
        let store = store(E.self)
        // The row that comes back may not be read.
        return try run(store.table.save(entity, conflict, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Inserts the entity.
    ///
    /// - Returns: What is stored.
    /// - Throws: ``StorageError``: `constraintViolated` if the id is there already. Nothing was written then.
    @discardableResult
    public func insert<E: RegisteredEntity>(_ entity: E) throws -> E {
        try write(.insert, entity, in: store(E.self))
    }

    /// Inserts all entities: all of them or none.
    ///
    /// - Parameter entities: The entities.
    /// - Returns: What is stored, in the same order.
    /// - Throws: ``StorageError``: `constraintViolated` if an id is there already. None of them was written then.
    @discardableResult
    public func insert<E: RegisteredEntity>(_ entities: [E]) throws -> [E] {
        try write(.insert, entities, in: store(E.self))
    }

    /// Updates the row that has the entity's id.
    ///
    /// - Returns: What is stored.
    /// - Throws: ``StorageError``: `entityNotFound` if there is none, `conflict` if it has another version. Nothing was written then.
    @discardableResult
    public func update<E: RegisteredEntity>(_ entity: E) throws -> E {
        try write(.update, entity, in: store(E.self))
    }

    /// Reads the entity with that id, changes it and saves it.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    ///   - change: Changes everything but the id.
    /// - Returns: What is stored; nil if there is no such entity.
    /// - Throws: ``StorageError``, and what `change` throws. Nothing was written then.
    @discardableResult
    public func modify<E: RegisteredEntity>(
        _ type: E.Type, id: String, _ change: (inout E) throws -> Void
    ) throws -> E? {
        try get(type, id: id).map { try modify($0, change) }
    }

    /// Reads the entity with that id, changes it and saves it.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    ///   - change: Changes everything but the id.
    /// - Returns: What is stored; nil if there is no such entity.
    /// - Throws: ``StorageError``, and what `change` throws. Nothing was written then.
    @discardableResult
    @_disfavoredOverload
    public func modify<E: RegisteredEntity>(
        _ type: E.Type, id: E.Id, _ change: (inout E) throws -> Void
    ) throws -> E? {
        try get(type, id: id).map { try modify($0, change) }
    }

    private func modify<E: RegisteredEntity>(_ entity: E, _ change: (inout E) throws -> Void) throws -> E {
        // The closure may write, too.
        try savepoint {
            var changed = entity
            try change(&changed)
            let table = store(E.self).table
            guard table.storedId(changed.id) == table.storedId(entity.id) else {
                throw StorageError.invalidConfiguration(
                    message: "modify cannot change the id of '\(E.self)'; delete the entity and insert another")
            }
            return try update(changed)
        }
    }

    /// Deletes the row of the entity. Nothing happens if there is none, unless the entity has an id and a version above 0.
    ///
    /// - Throws: ``StorageError``: `conflict` if the row has another version than the entity. Nothing was deleted then.
    public func delete<E: RegisteredEntity>(_ entity: E) throws {
        let store = store(E.self)
        try _handle.write(to: store) { try $0.delete(entity, from: store.table, isAlone: false) }
    }

    /// Deletes the row with that id, whatever its version. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    /// - Throws: ``StorageError``; then nothing was deleted.
    public func delete<E: RegisteredEntity>(_ type: E.Type, id: String) throws {
        let store = store(type)
        try run(store.table.deletion(id: store.table.storedId(text: id)), of: store)
    }

    /// Deletes the row with that id, whatever its version. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @_disfavoredOverload
    public func delete<E: RegisteredEntity>(_ type: E.Type, id: E.Id) throws {
        let store = store(type)
        try run(store.table.deletion(id: store.table.storedId(id)), of: store)
    }

    // MARK: - Many entities

    /// Saves all entities: all of them or none.
    ///
    /// - Parameter entities: The entities. Of two with one id the later wins; where they count versions, it is a conflict.
    /// - Throws: ``StorageError``; then none of them was written.
    public func save<E: RegisteredEntity>(_ entities: [E]) throws {
        let store = store(E.self)
        try run(store.table.save(entities, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Saves all entities that have a version or whose ids SQLite gives: all of them or none.
    ///
    /// - Returns: What is stored, in the same order, with new versions, and with ids.
    /// - Throws: ``StorageError``: `conflict` if a row has another version than its entity. None of them was written then.
    @discardableResult
    public func save<E: RegisteredEntity & ReturnedBySave>(_ entities: [E]) throws -> [E] {
        try write(.save, entities, in: store(E.self))
    }

    /// Saves all entities by another unique key than their ids, as ``save(_:onConflict:)-(E,_)`` does one: all of them or none.
    ///
    /// - Returns: What is stored, in the same order, with the ids of the rows.
    /// - Throws: ``StorageError``; then none of them was written.
    @discardableResult
    public func save<E: RegisteredEntity>(_ entities: [E], onConflict conflict: SaveConflict<E>) throws -> [E] {
        let store = store(E.self)
        return try run(store.table.save(entities, conflict, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Runs a part of the transaction that is undone alone if it throws.
    ///
    /// - Parameter body: The part.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, unchanged; the transaction goes on if its own closure does.
    @discardableResult
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        let db = try _handle.open()
        do {
            return try db.atomically {
                let result = try body()
                try _handle.check(db)
                return result
            }
        } catch {
            try _handle.check(db, error)
            throw error
        }
    }

    // MARK: - For queries and repositories

    /// Inserts the entity, or updates the row that has its id.
    package func save<R: StorageKitEntityRecord>(_ entity: R.E, in store: EntityStore<R>) throws {
        let table = store.table
        guard table.sql.versionColumn == nil else {
            _ = try write(.save, entity, in: store)
            return
        }
        let now = store.clock.now
        try _handle.write(to: store) { try $0.save(entity, into: table, now: now) }
    }

    package func write<R: StorageKitEntityRecord>(
        _ kind: EntityWrite<R>.Kind, _ entity: R.E, in store: EntityStore<R>
    ) throws -> R.E {
        let write = try EntityWrite(kind, entity, store.table, now: store.clock.now)
        return try _handle.write(to: store, needsRow: write.takesGivenId) {
            try write.run($0, isAlone: false).entity
        }
    }

    /// All of them or none.
    package func write<R: StorageKitEntityRecord>(
        _ kind: EntityWrite<R>.Kind, _ entities: [R.E], in store: EntityStore<R>
    ) throws -> [R.E] {
        try run(store.table.write(kind, entities, now: store.clock.now), of: store, isSeveral: true)
    }

    /// Runs a write of a store's table.
    ///
    /// - Parameter isSeveral: Whether it may be more than one statement, or throw after it.
    package func run<R: StorageKitEntityRecord, Value>(
        _ write: TableWrite<Value>, of store: EntityStore<R>, isSeveral: Bool = false
    ) throws -> Value {
        try _handle.write(to: store, isSeveral: isSeveral, write.run)
    }

    private func store<E: RegisteredEntity>(_ type: E.Type) -> EntityStore<E.Record> {
        _handle.stores.of(E.Record.self)
    }
}
