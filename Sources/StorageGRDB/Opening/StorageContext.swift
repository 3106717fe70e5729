public import GRDB

/// The database of a store: GRDB's pool, and the door that StorageKit reads and writes through.
public struct StorageContext: Sendable {
    /// GRDB's pool (or queue, in memory), for whatever GRDB can do and StorageKit does not wrap. Writes made
    /// here are seen by observers like any other. To close the store, close its context: StorageKit reads on connections
    /// of its own, which the pool knows nothing of.
    public let pool: any DatabaseWriter
    /// The door to the database.
    public let dbActor: DatabaseActor

    /// Puts a pool and its door together.
    ///
    /// - Parameters:
    ///   - pool: GRDB's pool or queue.
    ///   - dbActor: The door made for that same pool.
    public init(pool: some DatabaseWriter, dbActor: DatabaseActor) {
        self.pool = pool
        self.dbActor = dbActor
    }
}
