import GRDB

extension TableSchema {
    func create(in db: Database) throws {
        try name.checkAsTableName()
        let keys = columns.filter(\.primaryKey)
        try db.create(table: name) { t in
            for column in columns {
                let definition = t.column(column.name, Database.ColumnType(rawValue: column.type))
                if column.primaryKey, keys.count == 1 {
                    definition.primaryKey()
                } else if column.notNull {
                    definition.notNull()
                }
                if let value = column.defaultValue { definition.defaults(sql: value) }
            }
            if keys.count > 1 { t.primaryKey(keys.map(\.name)) }
        }
    }
}

extension String {
    /// - Throws: `StorageError.invalidTableName` for a name that SQLite keeps for itself, or that GRDB, which
    ///   puts names between quotes as they are, cannot handle.
    func checkAsTableName() throws {
        let isReserved = lowercased().hasPrefix("sqlite_")
        if isReserved || !isName { throw StorageError.invalidTableName(self) }
    }

    /// Whether it can stand between double quotes as it is. By bytes: a quotation mark with a combining accent is one
    /// letter to Swift, and two to SQLite.
    var isName: Bool { !isEmpty && !utf8.contains(UInt8(ascii: "\"")) && !utf8.contains(0) }
}
