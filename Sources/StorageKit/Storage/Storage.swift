public import StorageRepo

/// The store as an app uses it: save, get, delete, query and observe entities by their type.
///
/// ```swift
/// let storage = context.facade
/// try await storage.save(User(id: "1", name: "Ada"))
/// let ada = try await storage.get(User.self, id: "1")
/// ```
///
/// Every method throws ``StorageError``; a cancelled task throws `CancellationError`, but for what memory answers and
/// for the save of one entity that need not wait: these are done all the same.
public final class Storage: Sendable {
    @usableFromInline let stores: EntityStores
    /// Where `get` looks.
    @usableFromInline let defaultPolicy: CachePolicy

    init(_ stores: EntityStores) {
        self.stores = stores
        defaultPolicy = .localFirst(ttl: stores.config.defaultTTL)
    }

    /// The repository of an entity, for what the facade does not offer.
    ///
    /// - Parameter type: The entity.
    @inlinable
    public func repository<E: RegisteredEntity>(_ type: E.Type) -> GenericRepository<E, E.Record> {
        GenericRepository(stores)
    }

    /// The repository of an entity, its record type hidden.
    ///
    /// - Parameter type: The entity.
    public func anyRepository<E: RegisteredEntity>(_ type: E.Type) -> AnyRepository<E> {
        AnyRepository(repository(type))
    }

    /// Starts a query.
    ///
    /// ```swift
    /// let adults = try await storage.query(User.self).where { $0.age >= 18 }.orderBy("name").fetch()
    /// // SELECT ... FROM "users" WHERE "age" >= 18 ORDER BY "name" ASC
    /// ```
    ///
    /// - Parameter type: The entity.
    public func query<E: RegisteredEntity>(_ type: E.Type) -> Query<E> {
        Query(repository: repository(type))
    }
}
