public import StorageRepo

extension Storage {
    /// Saves an entity that has a version or whose id SQLite gives: inserts it, or updates its row.
    ///
    /// - Parameter entity: The entity, as it was read. One without an id is inserted.
    /// - Returns: What is stored, with its new version, and with its id.
    /// - Throws: ``StorageError/conflict(type:id:expected:found:)`` if the row has another version, or the entity has one and the row is
    ///   gone. Nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity & ReturnedBySave>(_ entity: E) async throws -> E {
        try await repository(E.self).write(.save, entity)
    }

    /// Saves all entities that have a version or whose ids SQLite gives, in one transaction: all of them or none.
    ///
    /// - Parameter entities: The entities, as they were read. Those without an id are inserted.
    /// - Returns: What is stored, in the same order, with new versions, and with ids.
    /// - Throws: ``StorageError/conflict(type:id:expected:found:)`` if a row has another version than its entity. Nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity & ReturnedBySave>(_ entities: [E]) async throws -> [E] {
        try await repository(E.self).write(.save, entities)
    }

    /// Inserts an entity.
    ///
    /// ```swift
    /// try await storage.insert(note)     // throws if the id is there already
    /// let line = try await storage.insert(LogLine(id: nil, text: "begun"))    // has the id that SQLite gave
    /// ```
    ///
    /// - Parameter entity: The entity.
    /// - Returns: What is stored.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func insert<E: RegisteredEntity>(_ entity: E) async throws -> E {
        try await repository(E.self).insert(entity)
    }

    /// Inserts all entities in one transaction: all of them or none.
    ///
    /// - Parameter entities: The entities.
    /// - Returns: What is stored, in the same order.
    /// - Throws: ``StorageError``, also if an id is there already; nothing was written then.
    @discardableResult
    public func insert<E: RegisteredEntity>(_ entities: [E]) async throws -> [E] {
        try await repository(E.self).insert(entities)
    }

    /// Updates the row of an entity.
    ///
    /// - Parameter entity: The entity.
    /// - Returns: What is stored.
    /// - Throws: ``StorageError/entityNotFound(type:id:)`` if there is no row with its id,
    ///   ``StorageError/conflict(type:id:expected:found:)`` if it has another version. Nothing was written then.
    @discardableResult
    public func update<E: RegisteredEntity>(_ entity: E) async throws -> E {
        try await repository(E.self).update(entity)
    }

    /// Reads an entity, changes it and saves it, in one transaction.
    ///
    /// ```swift
    /// let after = try await storage.modify(Note.self, id: id) { $0.stars += 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    ///   - change: Changes everything but the id.
    /// - Returns: What is stored; nil if there is no such entity.
    /// - Throws: ``StorageError``, and what `change` throws. Nothing was written then.
    @discardableResult
    public func modify<E: RegisteredEntity>(
        _ type: E.Type, id: String, _ change: @escaping @Sendable (inout E) throws -> Void
    ) async throws -> E? {
        try await transaction { tx in try tx.modify(type, id: id, change) }
    }

    /// Reads an entity, changes it and saves it, in one transaction.
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
        _ type: E.Type, id: E.Id, _ change: @escaping @Sendable (inout E) throws -> Void
    ) async throws -> E? {
        try await transaction { tx in try tx.modify(type, id: id, change) }
    }

    /// Saves an entity by another unique key than its id: the row that has the same values there is updated and keeps its id.
    ///
    /// ```swift
    /// try await storage.save(user, onConflict: .update(\.email))
    /// // INSERT INTO "users" ... ON CONFLICT ("email") DO UPDATE SET ...
    /// ```
    ///
    /// A version is counted up, and not compared: the entity need not have been read before.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - conflict: The key.
    /// - Returns: What is stored, with the id of its row.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity>(_ entity: E, onConflict conflict: SaveConflict<E>) async throws -> E {
        try await repository(E.self).save(entity, onConflict: conflict)
    }

    /// Saves all entities by another unique key than their ids, in one transaction: all of them or none.
    ///
    /// ```swift
    /// let stored = try await storage.save(imported, onConflict: .update(\.email))
    /// ```
    ///
    /// - Parameters:
    ///   - entities: The entities. Of two with the same values in the key, the later one updates the row of the one before.
    ///   - conflict: The key.
    /// - Returns: What is stored, in the same order, with the ids of the rows.
    /// - Throws: ``StorageError``; nothing was written then.
    @discardableResult
    public func save<E: RegisteredEntity>(_ entities: [E], onConflict conflict: SaveConflict<E>) async throws -> [E] {
        try await repository(E.self).save(entities, onConflict: conflict)
    }
}
