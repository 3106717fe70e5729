import GRDB

/// A new name of a table or a column.
enum Rename {
    case table(String, to: String)
    case column(String, to: String, table: String)

    var operation: MigrationPlan.Operation {
        switch self {
        case .table(let old, let new): .renameTable(old, to: new)
        case .column(let old, let new, let table): .renameColumn(old, to: new, table: table)
        }
    }
}

extension Database {
    /// The names that a table and its columns have in the file only, and had in earlier models.
    ///
    /// - Parameter model: All tables of the model.
    /// - Throws: ``SchemaConflictError`` where the old name and the new one are there.
    func renames(for schema: TableSchema, model: [TableSchema]) throws -> [Rename] {
        var renames: [Rename] = []
        var name = schema.name
        // As with columns: a name that another entity has now stands for its table, once the new name is there too.
        let isThere = try hasTable(name)
        let tables = try schema.formerNames.filter { former in
            try !former.isSameName(as: schema.name) && hasTable(former)
                && !(isThere && model.contains { $0.name.isSameName(as: former) })
        }
        if let former = tables.last {
            guard tables.count == 1, !isThere else {
                let now = isThere ? name : former
                let other = tables.first { $0 != now } ?? former
                throw SchemaConflictError(table: now, columns: [], reason: .formerName(other))
            }
            renames.append(.table(former, to: name))
            name = former
        }
        guard !schema.formerColumnNames.isEmpty, let found = try tableSchema(named: name) else { return renames }
        for column in schema.columns {
            if let former = try former(column, schema, found) {
                renames.append(.column(former, to: column.name, table: schema.name))
            }
        }
        return renames
    }

    private func former(_ column: ColumnSchema, _ schema: TableSchema, _ found: TableSchema) throws -> String? {
        // A name that another property has now stands for that one, once the new name is there too.
        let isThere = found.has(column.name)
        let names = (schema.formerColumnNames[column.name] ?? []).filter { name in
            !name.isSameName(as: column.name) && found.has(name) && !(isThere && schema.has(name))
        }
        guard let former = names.last else { return nil }
        guard names.count == 1, !isThere else {
            let now = isThere ? column.name : former
            let other = names.first { $0 != now } ?? former
            throw SchemaConflictError(table: schema.name, columns: [now], reason: .formerName(other))
        }
        return former
    }

    /// Gives a table or column its new name. SQLite changes what refers to it: indexes, triggers, views and references.
    ///
    /// - Parameter id: Of the step, under which the file remembers the columns of the table.
    func apply(_ rename: Rename, id: String) throws {
        switch rename {
        case .table(let old, let new):
            try new.checkAsTableName()
            try keepingOwnObjects {
                try execute(sql: "ALTER TABLE main.\(old.quotedIdentifier) RENAME TO \(new.quotedIdentifier)")
            }
            try keepColumns(of: old, as: new, id: id)
            try dropIndexOfOldName(old)
        case .column(let old, let new, let table):
            try keepingOwnObjects {
                try execute(
                    sql: """
                        ALTER TABLE main.\(table.quotedIdentifier) \
                        RENAME COLUMN \(old.quotedIdentifier) TO \(new.quotedIdentifier)
                        """)
            }
            if try recordedModels().madeNullable(old, of: table) {
                try forgetNullable(old, of: table)
                try recordNullable(new, of: table)
            }
        }
    }

    /// What the file remembers of the columns of a table stays known under its new name.
    private func keepColumns(of old: String, as new: String, id: String) throws {
        let models = try recordedModels()
        try recordRequired([new: models.requiredColumns(of: old)], id: id)
        for column in try tableSchema(named: new)?.columns ?? [] where models.madeNullable(column.name, of: old) {
            try recordNullable(column.name, of: new)
        }
    }

    /// A full-text index goes by the name of its table: under the new one it is made anew by its own step.
    private func dropIndexOfOldName(_ old: String) throws {
        let index = FullTextIndex(table: old, columns: [], tokenizer: "")
        guard try tableSQL(index.name)?.makesFTS5Table == true,
            try recordedMigrations().contains(FullTextStep(index: index).id)
        else { return }
        try index.drop(on: self)
    }
}

extension TableSchema {
    fileprivate func has(_ column: String) -> Bool { columns.contains { $0.name.isSameName(as: column) } }
}

// MARK: - What auto-schema made, under other names

/// The indexes and references of auto-schema's own, by what a new name does not change.
private struct OwnObjects {
    /// Columns by where they stand: in the table that begins at a page of the file, at these positions.
    struct Place: Hashable {
        let page: Int
        let columns: [Int]
    }

    var indexes: [(name: String, sql: String, place: Place)] = []
    var references: [(table: String, place: Place, reference: ReferenceSchema)] = []
}

extension Database {
    /// Runs what may give tables and columns new names. What auto-schema has made of them stays known as its own.
    func keepingOwnObjects(_ rename: () throws -> Void) throws {
        let own = try ownObjects()
        try rename()
        try keep(own)
    }

    private func ownObjects() throws -> OwnObjects {
        let recorded = try recordedModels()
        var own = OwnObjects()
        for row in try Row.fetchAll(self, sql: "SELECT name, sql FROM main.sqlite_master WHERE type = 'index'") {
            if let sql = row[1] as String?, recorded.madeIndex(sql), let place = try place(ofIndex: row[0]) {
                own.indexes.append((row[0], sql, place))
            }
        }
        for table in try tablesWithForeignKeys() {
            for reference in try installedReferences(of: table) where recorded.madeReference(reference, of: table) {
                if let place = try place(of: reference, table) { own.references.append((table, place, reference)) }
            }
        }
        return own
    }

    /// Remembers those that have other names now.
    private func keep(_ own: OwnObjects) throws {
        for (name, old, place) in own.indexes {
            let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?"
            guard let new = try String.fetchOne(self, sql: sql, arguments: [name]), new != old,
                try self.place(ofIndex: name) == place
            else { continue }
            try forgetIndex(old)
            try recordIndex(new)
        }
        for (table, place, old) in own.references {
            let sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage = ?"
            guard let tableNow = try String.fetchOne(self, sql: sql, arguments: [place.page]) else { continue }
            for new in try installedReferences(of: tableNow) where new != old || tableNow != table {
                guard try self.place(of: new, tableNow) == place, new.onDelete == old.onDelete,
                    new.onUpdate == old.onUpdate
                else { continue }
                try forgetReference(old, of: table)
                try recordReference(new, of: tableNow)
            }
        }
    }

    private func place(of reference: ReferenceSchema, _ table: String) throws -> OwnObjects.Place? {
        try place(
            """
            SELECT master.rootpage, list.cid FROM main.sqlite_master AS master, pragma_table_info(master.name, 'main') AS list
            WHERE master.type = 'table' AND lower(master.name) = lower(?) AND lower(list.name) = lower(?)
            """, [table, reference.column])
    }

    private func place(ofIndex name: String) throws -> OwnObjects.Place? {
        try place(
            """
            SELECT master.rootpage, list.cid FROM main.sqlite_master AS made
            JOIN main.sqlite_master AS master ON master.type = 'table' AND lower(master.name) = lower(made.tbl_name)
            JOIN pragma_index_info(made.name, 'main') AS list
            WHERE made.type = 'index' AND made.name = ? ORDER BY list.seqno
            """, [name])
    }

    private func place(_ sql: String, _ arguments: StatementArguments) throws -> OwnObjects.Place? {
        let rows = try Row.fetchAll(self, sql: sql, arguments: arguments)
        return rows.first.map { OwnObjects.Place(page: $0[0], columns: rows.map { $0[1] }) }
    }
}
