public import StorageGRDB

/// A repository that does not name its record type, for places that inject one.
///
/// The methods are those of ``GenericRepository``, which each of them calls.
public struct AnyRepository<E: StorageKitEntity>: Sendable {
    private let base: any RepositoryMethods<E>

    /// Hides the record type of a repository.
    ///
    /// - Parameter repository: The repository that does the work.
    public init<R>(_ repository: GenericRepository<E, R>) {
        base = repository
    }

    /// The entity with that id, or nil.
    public func get(id: String, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await base.get(id: id, isolation: isolation)
    }

    /// The same without the caller's actor, for protocols that ask for it and as a function value.
    @_disfavoredOverload
    public func get(id: String) async throws -> E? {
        try await get(id: id, isolation: #isolation)
    }

    /// The entity with that id, or nil.
    @_disfavoredOverload
    public func get(id: E.Id, isolation: isolated (any Actor)? = #isolation) async throws -> E? {
        try await base.get(id: id, isolation: isolation)
    }

    /// The entity with that id, or nil, from where the policy says.
    public func get(
        id: String, policy: CachePolicy, isolation: isolated (any Actor)? = #isolation
    ) async throws -> E? {
        try await base.get(id: id, policy: policy, isolation: isolation)
    }

    /// The same without the caller's actor, for protocols that ask for it and as a function value.
    @_disfavoredOverload
    public func get(id: String, policy: CachePolicy) async throws -> E? {
        try await get(id: id, policy: policy, isolation: #isolation)
    }

    /// The entity with that id, or nil, from where the policy says.
    @_disfavoredOverload
    public func get(
        id: E.Id, policy: CachePolicy, isolation: isolated (any Actor)? = #isolation
    ) async throws -> E? {
        try await base.get(id: id, policy: policy, isolation: isolation)
    }

    /// Inserts an entity, and returns what is stored.
    @discardableResult
    public func insert(_ entity: E) async throws -> E { try await base.insert(entity) }

    /// Inserts all entities in one transaction: all of them or none.
    @discardableResult
    public func insert(_ entities: [E]) async throws -> [E] { try await base.insert(entities) }

    /// Updates the row of an entity, and returns what is stored.
    @discardableResult
    public func update(_ entity: E) async throws -> E { try await base.update(entity) }

    /// Inserts the entity, or updates the row with its id.
    public func put(_ entity: E) async throws { try await base.put(entity) }

    /// Deletes the entity with that id. Nothing happens if there is none.
    public func delete(id: String) async throws { try await base.delete(id: id) }

    /// Deletes the entity with that id. Nothing happens if there is none.
    @_disfavoredOverload
    public func delete(id: E.Id) async throws { try await base.delete(id: id) }

    /// All entities, sorted by a column or by id.
    public func getAll(orderBy: String? = nil, ascending: Bool = true) async throws -> [E] {
        try await base.getAll(orderBy: orderBy, ascending: ascending)
    }

    /// The entities whose column holds that value, sorted by a column or by id.
    public func getAll(
        where column: String, equals value: String, orderBy: String? = nil, ascending: Bool = true
    ) async throws -> [E] {
        try await base.getAll(where: column, equals: value, orderBy: orderBy, ascending: ascending)
    }

    /// How many entities there are.
    public func countAll() async throws -> Int { try await base.countAll() }

    /// A page of the sorted entities.
    public func getPage(
        orderBy: String? = nil, ascending: Bool = true, limit: Int, offset: Int = 0
    ) async throws -> RepoPage<E> {
        try await base.getPage(orderBy: orderBy, ascending: ascending, limit: limit, offset: offset)
    }

    /// Saves all entities in one transaction: all of them or none.
    public func putAll(_ entities: [E]) async throws { try await base.putAll(entities) }

    /// Deletes all entities, and returns how many they were.
    @discardableResult
    public func deleteAll() async throws -> Int { try await base.deleteAll() }

    /// Deletes the entities whose column holds that value, and returns how many they were.
    @discardableResult
    public func deleteAll(where column: String, equals value: String) async throws -> Int {
        try await base.deleteAll(where: column, equals: value)
    }

    /// The entity now and after each change of its row, nil while there is none. The loop has each value on its own actor.
    public func observe(id: String) -> AsyncStream<E?> { base.observe(id: id) }

    /// The entity now and after each change of its row, nil while there is none. The loop has each value on its own actor.
    @_disfavoredOverload
    public func observe(id: E.Id) -> AsyncStream<E?> { base.observe(id: id) }

    /// All entities, now and after each change of the table. The loop has each value on its own actor.
    public func observeAll(orderBy: String? = nil, ascending: Bool = true) -> AsyncStream<[E]> {
        base.observeAll(orderBy: orderBy, ascending: ascending)
    }

    /// Like ``observeAll(orderBy:ascending:)``, without a list equal to the one before.
    public func observeAllDistinct(orderBy: String? = nil, ascending: Bool = true) -> AsyncStream<[E]> {
        base.observeAllDistinct(orderBy: orderBy, ascending: ascending)
    }
}

// MARK: - In a transaction

extension AnyRepository {
    /// The entity with that id in a transaction or a snapshot, or nil.
    public func get(id: String, in reading: some StorageReading) throws -> E? {
        try base.get(id: id, in: reading)
    }

    /// The entity with that id in a transaction or a snapshot, or nil.
    @_disfavoredOverload
    public func get(id: E.Id, in reading: some StorageReading) throws -> E? {
        try base.get(id: id, in: reading)
    }

    /// All entities in a transaction or a snapshot, sorted by a column or by id.
    public func getAll(orderBy: String? = nil, ascending: Bool = true, in reading: some StorageReading) throws -> [E] {
        try base.getAll(orderBy: orderBy, ascending: ascending, in: reading)
    }

    /// The entities whose column holds that value in a transaction or a snapshot, sorted by a column or by id.
    public func getAll(
        where column: String, equals value: String, orderBy: String? = nil, ascending: Bool = true,
        in reading: some StorageReading
    ) throws -> [E] {
        try base.getAll(where: column, equals: value, orderBy: orderBy, ascending: ascending, in: reading)
    }

    /// How many entities there are in a transaction or a snapshot.
    public func countAll(in reading: some StorageReading) throws -> Int { try base.countAll(in: reading) }

    /// A page of the sorted entities in a transaction or a snapshot.
    public func getPage(
        orderBy: String? = nil, ascending: Bool = true, limit: Int, offset: Int = 0, in reading: some StorageReading
    ) throws -> RepoPage<E> {
        try base.getPage(orderBy: orderBy, ascending: ascending, limit: limit, offset: offset, in: reading)
    }

    /// Inserts an entity in a transaction, and returns what is stored.
    @discardableResult
    public func insert(_ entity: E, in transaction: StorageTransaction) throws -> E {
        try base.insert(entity, in: transaction)
    }

    /// Inserts all entities in a transaction: all of them or none.
    @discardableResult
    public func insert(_ entities: [E], in transaction: StorageTransaction) throws -> [E] {
        try base.insert(entities, in: transaction)
    }

    /// Updates the row of an entity in a transaction, and returns what is stored.
    @discardableResult
    public func update(_ entity: E, in transaction: StorageTransaction) throws -> E {
        try base.update(entity, in: transaction)
    }

    /// Inserts the entity, or updates the row with its id, in a transaction.
    public func put(_ entity: E, in transaction: StorageTransaction) throws {
        try base.put(entity, in: transaction)
    }

    /// Saves all entities in a transaction: all of them or none.
    public func putAll(_ entities: [E], in transaction: StorageTransaction) throws {
        try base.putAll(entities, in: transaction)
    }

    /// Deletes the entity with that id in a transaction. Nothing happens if there is none.
    public func delete(id: String, in transaction: StorageTransaction) throws {
        try base.delete(id: id, in: transaction)
    }

    /// Deletes the entity with that id in a transaction. Nothing happens if there is none.
    @_disfavoredOverload
    public func delete(id: E.Id, in transaction: StorageTransaction) throws {
        try base.delete(id: id, in: transaction)
    }

    /// Deletes all entities in a transaction, and returns how many they were.
    @discardableResult
    public func deleteAll(in transaction: StorageTransaction) throws -> Int { try base.deleteAll(in: transaction) }

    /// Deletes the entities whose column holds that value in a transaction, and returns how many they were.
    @discardableResult
    public func deleteAll(where column: String, equals value: String, in transaction: StorageTransaction) throws -> Int
    {
        try base.deleteAll(where: column, equals: value, in: transaction)
    }
}

/// What the type-erased repository asks of the one it hides.
private protocol RepositoryMethods<E>: Sendable {
    associatedtype E: StorageKitEntity
    func get(id: String, isolation: isolated (any Actor)?) async throws -> E?
    @_disfavoredOverload func get(id: E.Id, isolation: isolated (any Actor)?) async throws -> E?
    func get(id: String, policy: CachePolicy, isolation: isolated (any Actor)?) async throws -> E?
    @_disfavoredOverload func get(id: E.Id, policy: CachePolicy, isolation: isolated (any Actor)?) async throws -> E?
    func insert(_ entity: E) async throws -> E
    func insert(_ entities: [E]) async throws -> [E]
    func update(_ entity: E) async throws -> E
    func put(_ entity: E) async throws
    func delete(id: String) async throws
    @_disfavoredOverload func delete(id: E.Id) async throws
    func getAll(orderBy: String?, ascending: Bool) async throws -> [E]
    func getAll(where: String, equals: String, orderBy: String?, ascending: Bool) async throws -> [E]
    func countAll() async throws -> Int
    func getPage(orderBy: String?, ascending: Bool, limit: Int, offset: Int) async throws -> RepoPage<E>
    func putAll(_ entities: [E]) async throws
    func deleteAll() async throws -> Int
    func deleteAll(where: String, equals: String) async throws -> Int
    func observe(id: String) -> AsyncStream<E?>
    @_disfavoredOverload func observe(id: E.Id) -> AsyncStream<E?>
    func observeAll(orderBy: String?, ascending: Bool) -> AsyncStream<[E]>
    func observeAllDistinct(orderBy: String?, ascending: Bool) -> AsyncStream<[E]>
    func get(id: String, in reading: some StorageReading) throws -> E?
    @_disfavoredOverload func get(id: E.Id, in reading: some StorageReading) throws -> E?
    func getAll(orderBy: String?, ascending: Bool, in reading: some StorageReading) throws -> [E]
    func getAll(
        where: String, equals: String, orderBy: String?, ascending: Bool, in reading: some StorageReading
    ) throws -> [E]
    func countAll(in reading: some StorageReading) throws -> Int
    func getPage(
        orderBy: String?, ascending: Bool, limit: Int, offset: Int, in reading: some StorageReading
    ) throws -> RepoPage<E>
    func insert(_ entity: E, in transaction: StorageTransaction) throws -> E
    func insert(_ entities: [E], in transaction: StorageTransaction) throws -> [E]
    func update(_ entity: E, in transaction: StorageTransaction) throws -> E
    func put(_ entity: E, in transaction: StorageTransaction) throws
    func putAll(_ entities: [E], in transaction: StorageTransaction) throws
    func delete(id: String, in transaction: StorageTransaction) throws
    @_disfavoredOverload func delete(id: E.Id, in transaction: StorageTransaction) throws
    func deleteAll(in transaction: StorageTransaction) throws -> Int
    func deleteAll(where: String, equals: String, in transaction: StorageTransaction) throws -> Int
}

extension GenericRepository: RepositoryMethods {}
