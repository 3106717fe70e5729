import GRDB

extension IndexSchema {
    /// What auto-schema calls it: `idx_reminders_listId_position`, `unique_users_slug_nocase`, and with a condition some digits
    /// that stand for it.
    func name(on table: String) -> String {
        var parts = [isUnique ? "unique" : "idx", table] + columns
        if ignoresCase { parts.append("nocase") }
        if let condition {
            var fingerprint = Fingerprint()
            fingerprint.add(condition)
            parts.append(String(fingerprint.digits.prefix(8)))
        }
        return parts.joined(separator: "_")
    }

    /// The statement that creates it, as the file keeps it.
    ///
    /// ```sql
    /// CREATE UNIQUE INDEX "unique_users_slug_nocase" ON "users" ("slug" COLLATE NOCASE)
    /// ```
    func sql(name: String, on table: String) -> String {
        let columns = columns.map { $0.quotedIdentifier + (ignoresCase ? " COLLATE NOCASE" : "") }
        let list = columns.joined(separator: ", ")
        return
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quotedIdentifier) ON \(table.quotedIdentifier) (\(list))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    /// Creates it under its name, or one like it if something else has that.
    ///
    /// - Returns: The text that the file keeps.
    @discardableResult
    func create(on table: String, in db: Database) throws -> String {
        let name = name(on: table)
        var free = name
        var number = 1
        while try db.hasObject(named: free) {
            number += 1
            free = "\(name)_\(number)"
        }
        let sql = sql(name: free, on: table)
        // An index goes where its table is, which a temporary one of the same name must not hide.
        try db.execute(sql: sql.ofMainSchema)
        return sql
    }

    /// Whether it can stand for an index over one column: what is looked up by the column is found by it.
    func begins(with column: String) -> Bool {
        condition == nil && !ignoresCase && columns.first?.isSameName(as: column) == true
    }
}

extension TableSchema {
    /// The indexes that the table needs: those that were declared, and those for its references.
    package var wantedIndexes: [IndexSchema] {
        var declared: [IndexSchema] = []
        for index in indexes where !declared.contains(index) { declared.append(index) }
        return declared.serving(references, columns)
    }
}

extension [IndexSchema] {
    /// These, and one for each reference, without which SQLite reads the whole table whenever a row that may be referred to is
    /// deleted. One that begins with the column does as well, and so does the primary key.
    func serving(_ references: [ReferenceSchema], _ columns: [ColumnSchema]) -> [IndexSchema] {
        let key = columns.first(where: \.primaryKey)?.name
        return references.map(\.column).reduce(into: self) { wanted, column in
            let isServed = key?.isSameName(as: column) == true || wanted.contains { $0.begins(with: column) }
            if !isServed { wanted.append(IndexSchema([column])) }
        }
    }
}

extension Database {
    /// Whether the file has a table, index, trigger or view of that name.
    func hasObject(named name: String) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE name = ? COLLATE NOCASE)"
        return try Bool.fetchOne(cachedStatement(sql: sql), arguments: [name]) == true
    }
}

extension String {
    /// The text of an index or a trigger, as SQLite keeps it, with the schema that it is to be made in.
    var ofMainSchema: String {
        for create in ["CREATE INDEX ", "CREATE UNIQUE INDEX ", "CREATE TRIGGER "] where hasPrefix(create) {
            return create + "main." + dropFirst(create.count)
        }
        return self
    }
}
