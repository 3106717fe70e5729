public import StorageRepo

extension Storage {
    /// The entity now and after each change, nil while there is none. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id as text.
    public func observe<E: RegisteredEntity>(_ type: E.Type, id: String) -> AsyncStream<E?> {
        repository(type).observe(id: id)
    }

    /// The entity now and after each change, nil while there is none. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - id: The id.
    @_disfavoredOverload
    public func observe<E: RegisteredEntity>(_ type: E.Type, id: E.Id) -> AsyncStream<E?> {
        repository(type).observe(id: id)
    }

    /// All entities, now and after each change of the table. The loop has each value on its own actor.
    ///
    /// ```swift
    /// for await users in storage.observeAll(User.self, orderBy: "name") {
    ///     show(users)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    public func observeAll<E: RegisteredEntity>(
        _ type: E.Type, orderBy: String? = nil, ascending: Bool = true
    ) -> AsyncStream<[E]> {
        repository(type).observeAll(orderBy: orderBy, ascending: ascending)
    }

    /// Like ``observeAll(_:orderBy:ascending:)-(_,String?,_)``, without a list equal to the one before.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - orderBy: The column to sort by; nil sorts by id.
    ///   - ascending: The direction.
    public func observeAllDistinct<E: RegisteredEntity>(
        _ type: E.Type, orderBy: String? = nil, ascending: Bool = true
    ) -> AsyncStream<[E]> {
        repository(type).observeAllDistinct(orderBy: orderBy, ascending: ascending)
    }
}
