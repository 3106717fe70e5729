public import GRDB

extension RegisteredEntity {
    /// All entities of the table, for closures that read with a connection: `db.stream { db in try User.fetchAll(db) }`.
    ///
    /// JSON columns are read with the coders that a store has unless it configures its own.
    ///
    /// - Parameter db: A connection.
    /// - Returns: The entities, in the order of the table.
    /// - Throws: ``StorageError`` if the table cannot be read or a row is no such entity.
    @_disfavoredOverload
    public static func fetchAll(_ db: Database) throws -> [Self] {
        let table = RecordTable(Record.self)
        do {
            try table.check()
            return try db.entities(QueryPlan(table.source).selectSQL(), of: table)
        } catch {
            throw StorageError.from(error, during: .read)
        }
    }
}
