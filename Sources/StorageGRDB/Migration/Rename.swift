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
    var references: [(table: String, place: Place, parent: Int?, reference: ReferenceSchema)] = []
    /// All references by table, whoever made them.
    var installed: [String: [ReferenceSchema]] = [:]
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
            let installed = try installedReferences(of: table)
            own.installed[table] = installed
            for reference in installed where recorded.madeReference(reference, of: table) {
                if let place = try place(of: reference, table) {
                    own.references.append((table, place, try page(of: reference.table), reference))
                }
            }
        }
        return own
    }

    /// Remembers those that have other names now. One name may have become another's, so that the old ones go first.
    private func keep(_ own: OwnObjects) throws {
        let indexes = try own.indexes.compactMap { name, old, place in
            try String.fetchOne(
                self, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", arguments: [name]
            ).flatMap { new in
                try new != old && new.leavingOutNames == old.leavingOutNames && self.place(ofIndex: name) == place
                    ? (old: old, new: new) : nil
            }
        }
        let references = try own.references.compactMap { table, place, parent, old in
            // Another one may have come to its place, as where a column before it was dropped.
            let isThere = try installedReferences(of: table).contains(old)
            return try nameNow(ofTableAt: place.page).flatMap { tableNow in
                try installedReferences(of: tableNow).first { new in
                    try !(isThere && own.installed[tableNow]?.contains(new) == true)
                        && (new != old || tableNow != table) && self.place(of: new, tableNow) == place
                        && page(of: new.table) == parent && new.onDelete == old.onDelete && new.onUpdate == old.onUpdate
                }.map { (old: old, of: table, new: $0, tableNow) }
            }
        }
        for index in indexes { try forgetIndex(index.old) }
        for reference in references { try forgetReference(reference.old, of: reference.of) }
        for index in indexes { try recordIndex(index.new) }
        for (_, _, new, table) in references { try recordReference(new, of: table) }
    }

    private func nameNow(ofTableAt page: Int) throws -> String? {
        let sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage = ?"
        return try String.fetchOne(self, sql: sql, arguments: [page])
    }

    private func page(of table: String) throws -> Int? {
        let sql = "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND lower(name) = lower(?)"
        return try Int.fetchOne(self, sql: sql, arguments: [table])
    }

    private func place(of reference: ReferenceSchema, _ table: String) throws -> OwnObjects.Place? {
        try page(of: table).map { page in
            let sql = "SELECT cid FROM pragma_table_info(?, 'main') WHERE lower(name) = lower(?)"
            return OwnObjects.Place(
                page: page, columns: try Int.fetchAll(self, sql: sql, arguments: [table, reference.column]))
        }
    }

    private func place(ofIndex name: String) throws -> OwnObjects.Place? {
        let table = "SELECT tbl_name FROM main.sqlite_master WHERE type = 'index' AND name = ?"
        return try String.fetchOne(self, sql: table, arguments: [name]).flatMap(page).map { page in
            let sql = "SELECT cid FROM pragma_index_info(?, 'main') ORDER BY seqno"
            return OwnObjects.Place(page: page, columns: try Int.fetchAll(self, sql: sql, arguments: [name]))
        }
    }
}

extension String {
    /// The words and signs of a statement of auto-schema's, which puts names between quotation marks; nil if it cannot be read.
    fileprivate var leavingOutNames: [String]? {
        let bytes = Array(utf8)
        return [SQLToken](of: bytes)?.map { token in
            bytes[token.range.lowerBound] == UInt8(ascii: "\"") ? "name" : token.text.asciiLowercased
        }
    }
}
