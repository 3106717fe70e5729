import GRDB

extension Database {
    /// The entity with that id, or nil.
    func entity<R: StorageKitEntityRecord>(_ table: RecordTable<R>, id: StoredValue) throws -> R.E? {
        let statement = try cachedStatement(sql: table.sql.selectByIdSQL)
        try statement.bind(table.sql.idArguments(id))
        var found: R.E?
        try EntityCodec.forEach(table, in: statement) { found = $0 }
        return found
    }
}
