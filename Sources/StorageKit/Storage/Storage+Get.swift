public import StorageRepo

extension Storage {
    /// The entity with that id, or nil: from memory if it is there, else from the table. The disk cache, where it is on, only
    /// notes that the entity was used; ``CachePolicy/cacheOnly`` asks it.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text; UUID and integer ids are parsed, and other text finds nothing.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity.
    @inlinable
    public func get<E: RegisteredEntity>(
        _ type: E.Type, id: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> E? {
        try await repository(type).get(id: id, policy: defaultPolicy, isolation: isolation)
    }

    /// The same without the caller's actor, for protocols that ask for it and as a function value.
    @_disfavoredOverload
    public func get<E: RegisteredEntity>(_ type: E.Type, id: String) async throws -> E? {
        try await get(type, id: id, isolation: #isolation)
    }

    /// The entity with that id, or nil: from memory if it is there, else from the table. The disk cache, where it is on, only
    /// notes that the entity was used; ``CachePolicy/cacheOnly`` asks it.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    ///   - isolation: The caller's actor, which is not left while memory has the entity.
    /// - Throws: ``StorageError`` if the table cannot be read or the row is no such entity.
    @inlinable
    @_disfavoredOverload
    public func get<E: RegisteredEntity>(
        _ type: E.Type, id: E.Id, isolation: isolated (any Actor)? = #isolation
    ) async throws -> E? {
        try await repository(type).get(id: id, policy: defaultPolicy, isolation: isolation)
    }

    /// All entities, sorted.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func all<E: RegisteredEntity>(
        _ type: E.Type, orderBy: String? = nil, ascending: Bool = true
    ) async throws -> [E] {
        try await repository(type).getAll(orderBy: orderBy, ascending: ascending)
    }

    /// A page of the sorted entities.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    ///   - limit: How many items the page may have, at least 1.
    ///   - offset: How many items to pass over.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for an unknown column, a limit below 1 or a
    ///   negative offset.
    public func page<E: RegisteredEntity>(
        _ type: E.Type, orderBy: String? = nil, ascending: Bool = true, limit: Int, offset: Int = 0
    ) async throws -> RepoPage<E> {
        try await repository(type).getPage(orderBy: orderBy, ascending: ascending, limit: limit, offset: offset)
    }

    /// How many entities there are.
    ///
    /// - Parameter type: The entity.
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func count<E: RegisteredEntity>(_ type: E.Type) async throws -> Int {
        try await repository(type).countAll()
    }
}

// MARK: - Relations

extension Storage {
    /// The entity that a foreign key points to, or nil.
    ///
    /// - Parameters:
    ///   - type: The parent.
    ///   - id: The value of the foreign key.
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func loadParent<Parent: RegisteredEntity>(_ type: Parent.Type, id: String) async throws -> Parent? {
        try await get(type, id: id)
    }

    /// The entity that a foreign key points to, or nil.
    ///
    /// - Parameters:
    ///   - type: The parent.
    ///   - id: The value of the foreign key.
    /// - Throws: ``StorageError`` if the table cannot be read.
    @_disfavoredOverload
    public func loadParent<Parent: RegisteredEntity>(_ type: Parent.Type, id: Parent.Id) async throws -> Parent? {
        try await get(type, id: id)
    }

    /// The entities whose foreign key points to a parent.
    ///
    /// - Parameters:
    ///   - type: The child.
    ///   - foreignKey: The column of the child's table that holds the parent's id.
    ///   - parentId: The parent's id.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if there is no such column.
    public func loadChildren<Child: RegisteredEntity>(
        _ type: Child.Type, where foreignKey: String, equals parentId: String,
        orderBy: String? = nil, ascending: Bool = true
    ) async throws -> [Child] {
        try await repository(type).getAll(
            where: foreignKey, equals: parentId, orderBy: orderBy, ascending: ascending)
    }
}
