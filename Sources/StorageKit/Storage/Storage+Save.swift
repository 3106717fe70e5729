public import StorageRepo

extension Storage {
    /// Inserts the entity, or updates the row with its id.
    ///
    /// - Parameter entity: The entity.
    /// - Throws: ``StorageError/entityEncodingFailed(type:underlying:)`` if a property cannot be stored,
    ///   ``StorageError/constraintViolated(_:)`` if it breaks a rule of the schema,
    ///   ``StorageError/transactionFailed(underlying:)`` if SQLite cannot write it. Nothing was written then.
    public func save<E: RegisteredEntity>(_ entity: E) async throws {
        try await repository(E.self).put(entity)
    }

    /// Saves all entities in one transaction: all of them or none.
    ///
    /// - Parameter entities: The entities. Of two with one id the later wins; where they count versions, it is a conflict.
    /// - Throws: As ``save(_:)-(E)->()`` does. Nothing was written then.
    public func save<E: RegisteredEntity>(_ entities: [E]) async throws {
        try await repository(E.self).putAll(entities)
    }
}
