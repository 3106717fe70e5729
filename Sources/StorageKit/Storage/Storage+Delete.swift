public import StorageRepo

extension Storage {
    /// Deletes the entity with that id. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    /// - Throws: ``StorageError``; then nothing was deleted.
    public func delete<E: RegisteredEntity>(_ type: E.Type, id: String) async throws {
        try await repository(type).delete(id: id)
    }

    /// Deletes the entity with that id. Nothing happens if there is none.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @_disfavoredOverload
    public func delete<E: RegisteredEntity>(_ type: E.Type, id: E.Id) async throws {
        try await repository(type).delete(id: id)
    }

    /// Deletes the row with the entity's id. Nothing happens if there is none, unless the entity has an id and a version above 0.
    ///
    /// - Parameter entity: The entity; only its id counts, and its version if it has one.
    /// - Throws: ``StorageError``: `conflict` if the row has another version than the entity, or is gone. Nothing was deleted then.
    public func delete<E: RegisteredEntity>(_ entity: E) async throws {
        try await repository(E.self).delete(entity)
    }

    /// Deletes all entities.
    ///
    /// - Parameter type: The entity.
    /// - Returns: How many they were.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @discardableResult
    public func deleteAll<E: RegisteredEntity>(_ type: E.Type) async throws -> Int {
        try await repository(type).deleteAll()
    }

    /// Deletes the entities whose column holds that value.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to compare.
    ///   - value: The value it must hold.
    /// - Returns: How many they were.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    @discardableResult
    public func deleteAll<E: RegisteredEntity>(
        _ type: E.Type, where column: String, equals value: String
    ) async throws -> Int {
        try await repository(type).deleteAll(where: column, equals: value)
    }
}
