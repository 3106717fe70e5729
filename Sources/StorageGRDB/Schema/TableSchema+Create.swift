import GRDB

extension TableSchema {
    /// Creates the table with what hangs on it.
    func create(in db: Database) throws {
        try createTable(in: db)
        for index in wantedIndexes { try index.create(on: name, in: db) }
    }

    /// Creates the table alone.
    func createTable(in db: Database) throws {
        try name.checkAsTableName()
        try db.execute(sql: sql)
    }
}

extension String {
    /// - Throws: `StorageError.invalidTableName` for a name that SQLite keeps for itself, or that GRDB, which
    ///   puts names between quotes as they are, cannot handle.
    func checkAsTableName() throws {
        let isReserved = lowercased().hasPrefix("sqlite_") || isSameName(as: Database.migrationsTable)
        if isReserved || !isName { throw StorageError.invalidTableName(self) }
    }

    /// Whether it can stand between double quotes as it is. By bytes: a quotation mark with a combining accent is one
    /// letter to Swift, and two to SQLite.
    var isName: Bool { !isEmpty && !utf8.contains(UInt8(ascii: "\"")) && !utf8.contains(0) }
}
