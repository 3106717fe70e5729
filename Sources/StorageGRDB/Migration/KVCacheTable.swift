import GRDB

extension Database {
    /// The table of the disk cache, with the indexes that eviction walks along.
    func createKVCache(table: String) throws {
        try create(table: table, options: .ifNotExists) { t in
            t.column("key", .text).primaryKey()
            t.column("blob", .blob).notNull()
            t.column("updatedAt", .datetime).notNull()
            t.column("expiresAt", .datetime)
            t.column("size", .integer).notNull().defaults(to: 0)
        }
        for column in ["expiresAt", "updatedAt"] {
            try create(index: "idx_\(table)_\(column)", on: table, columns: [column], options: .ifNotExists)
        }
    }
}
