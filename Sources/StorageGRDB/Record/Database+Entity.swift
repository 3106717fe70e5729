import GRDB

extension Database {
    /// The entity with that id, or nil.
    func entity<R: StorageKitEntityRecord>(_ table: RecordTable<R>, id: StoredValue) throws -> R.E? {
        var found: R.E?
        try readRow(of: table, id: id) { found = try R._decode(&$0) }
        return found
    }

    /// Reads the row with an id, if there is one.
    func readRow<R: StorageKitEntityRecord>(
        of table: RecordTable<R>, id: StoredValue, _ read: (inout RowReader) throws -> Void
    ) throws {
        let statement = try cachedStatement(sql: table.sql.selectByIdSQL)
        try statement.bind(table.sql.idArguments(id))
        try statement.forEachRow(coders: table.coders) { row in
            try EntityCodec.namingColumn(of: R.self, &row, read)
        }
    }
}
