/// What can be done with the entities of one table, as closures: ``make(database:schema:)`` fills them for SQLite, a test
/// or another store with its own.
public struct DAO<Entity: Sendable>: Sendable {
    /// Stores a new entity and returns it as it is stored.
    public let create: @Sendable (Entity) async throws -> Entity
    /// The entity with that primary key; nil if there is none.
    public let read: @Sendable (SQLiteValue) async throws -> Entity?
    /// Stores an entity in place of the one with its primary key, and returns it as it is stored.
    public let update: @Sendable (Entity) async throws -> Entity
    /// Deletes the entity with that primary key.
    public let delete: @Sendable (SQLiteValue) async throws -> Void
    /// All entities.
    public let list: @Sendable () async throws -> [Entity]
    /// The entities of an SQL query, with the values of its parameters (`?`).
    public let query: @Sendable (String, [SQLiteValue]) async throws -> [Entity]
    /// The rows of an SQL query, of any columns, with the values of its parameters (`?`).
    public let queryRows: @Sendable (String, [SQLiteValue]) async throws -> [Row]

    /// Makes a DAO of closures.
    ///
    /// - Parameters:
    ///   - create: Stores a new entity.
    ///   - read: Finds an entity by its primary key.
    ///   - update: Stores an entity in place of the one with its primary key.
    ///   - delete: Deletes the entity with a primary key.
    ///   - list: Returns all entities.
    ///   - query: Returns the entities of an SQL query with values for its parameters.
    ///   - queryRows: Returns the rows of an SQL query with values for its parameters.
    public init(
        create: @escaping @Sendable (Entity) async throws -> Entity,
        read: @escaping @Sendable (SQLiteValue) async throws -> Entity?,
        update: @escaping @Sendable (Entity) async throws -> Entity,
        delete: @escaping @Sendable (SQLiteValue) async throws -> Void,
        list: @escaping @Sendable () async throws -> [Entity],
        query: @escaping @Sendable (String, [SQLiteValue]) async throws -> [Entity],
        queryRows: @escaping @Sendable (String, [SQLiteValue]) async throws -> [Row]
    ) {
        self.create = create
        self.read = read
        self.update = update
        self.delete = delete
        self.list = list
        self.query = query
        self.queryRows = queryRows
    }
}
