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
    func apply(_ rename: Rename) throws {
        switch rename {
        case .table(let old, let new):
            try new.checkAsTableName()
            try keepingOwnObjects {
                try execute(sql: "ALTER TABLE main.\(old.quotedIdentifier) RENAME TO \(new.quotedIdentifier)")
            }
            try dropOwnFullTextIndex(of: old)
        case .column(let old, let new, let table):
            let isSearched = try indexedColumns(of: table).contains { $0.isSameName(as: old) }
            try keepingOwnObjects {
                try execute(
                    sql: """
                        ALTER TABLE main.\(table.quotedIdentifier) \
                        RENAME COLUMN \(old.quotedIdentifier) TO \(new.quotedIdentifier)
                        """)
            }
            if isSearched { try dropOwnFullTextIndex(of: table) }
        }
    }

    /// A full-text index goes by the names of its table and columns: under new ones it is made anew by its own step.
    private func dropOwnFullTextIndex(of table: String) throws {
        let index = FullTextIndex(table: table, columns: [], tokenizer: "")
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

/// What the file knows of tables, and the indexes and references of auto-schema's own, by what a new name does not change.
private struct OwnObjects {
    /// Columns by where they stand: in the table that begins at a page of the file, at these positions.
    struct Place {
        let page: Int
        let columns: [Int]
        let columnCount: Int

        /// Whether columns were added or dropped meanwhile, which moves those behind them.
        func isMoved(to other: Place) -> Bool { columnCount != other.columnCount }

        func leads(to other: Place) -> Bool {
            page == other.page && (columns == other.columns || isMoved(to: other))
        }
    }

    var tables: [(name: String, page: Int, columns: [String])] = []
    var indexes: [(name: String, sql: String, place: Place)] = []
    var references: [(table: String, place: Place, parent: Int?, reference: ReferenceSchema)] = []
    /// All references by table, whoever made them.
    var installed: [String: [ReferenceSchema]] = [:]
}

extension Database {
    /// Runs what may give tables and columns new names. What auto-schema has made of them stays known as its own, and what the file
    /// remembers of their columns stays known under the new names.
    func keepingOwnObjects(_ rename: () throws -> Void) throws {
        let own = try ownObjects()
        try rename()
        // One that has ended the transaction is refused by whoever runs it, and GRDB refuses all that follows.
        guard isInsideTransaction else { return }
        try keepColumns(of: own)
        try keep(own)
    }

    private func ownObjects() throws -> OwnObjects {
        let recorded = try recordedModels()
        var own = OwnObjects()
        for row in try Row.fetchAll(
            self, sql: "SELECT name, rootpage FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0")
        {
            own.tables.append((row[0], row[1], try columnNames(of: row[0])))
        }
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

    private func keepColumns(of own: OwnObjects) throws {
        let recorded = try recordedModels()
        var required: [String: [String]] = [:]
        var nullable: [(old: String, of: String, new: String, in: String)] = []
        for (name, page, columns) in own.tables {
            // Where the table is still there under its name, and another begins at its page, it was made anew.
            guard let nameNow = try nameNow(ofTableAt: page), try nameNow == name || !hasTable(name) else { continue }
            let columnsNow = try columnNames(of: nameNow)
            guard nameNow != name || columnsNow != columns else { continue }
            for (old, new) in columns.renamed(to: columnsNow) {
                if recorded.require(old, of: name) { required[nameNow, default: []].append(new) }
                if recorded.madeNullable(old, of: name) { nullable.append((old, name, new, nameNow)) }
            }
        }
        if !required.isEmpty, let model = recorded.latestModel { try recordRequired(required, id: model) }
        for column in nullable { try forgetNullable(column.old, of: column.of) }
        for column in nullable { try recordNullable(column.new, of: column.in) }
    }

    private func columnNames(of table: String) throws -> [String] {
        try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [table])
    }

    /// Remembers those that have other names now. One name may have become another's, so that the old ones go first.
    private func keep(_ own: OwnObjects) throws {
        let indexes = try own.indexes.compactMap { name, old, place in
            try String.fetchOne(
                self, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", arguments: [name]
            ).flatMap { new in
                try new != old && new.leavingOutNames == old.leavingOutNames
                    && self.place(ofIndex: name).map(place.leads) == true
                    ? (old: old, new: new) : nil
            }
        }
        let references = try own.references.compactMap { table, place, parent, old in
            // Another one may have come to its place, as where a column before it was dropped.
            let isThere = try installedReferences(of: table).contains(old)
            return try nameNow(ofTableAt: place.page).flatMap { tableNow in
                try installedReferences(of: tableNow).first { new in
                    guard let placeNow = try self.place(of: new, tableNow), place.leads(to: placeNow) else {
                        return false
                    }
                    let wasThere = own.installed[tableNow]?.contains(new) == true
                    return try !(wasThere && (isThere || place.isMoved(to: placeNow)))
                        && (new != old || tableNow != table) && page(of: new.table) == parent
                        && new.onDelete == old.onDelete && new.onUpdate == old.onUpdate
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
            let columns = try columnNames(of: table)
            return OwnObjects.Place(
                page: page, columns: columns.indices.filter { columns[$0].isSameName(as: reference.column) },
                columnCount: columns.count)
        }
    }

    private func place(ofIndex name: String) throws -> OwnObjects.Place? {
        let table = "SELECT tbl_name FROM main.sqlite_master WHERE type = 'index' AND name = ?"
        return try String.fetchOne(self, sql: table, arguments: [name]).flatMap { table in
            let sql = "SELECT cid FROM pragma_index_info(?, 'main') ORDER BY seqno"
            return try page(of: table).map { page in
                OwnObjects.Place(
                    page: page, columns: try Int.fetchAll(self, sql: sql, arguments: [name]),
                    columnCount: try columnNames(of: table).count)
            }
        }
    }
}

extension [String] {
    /// The names of columns with those that they have now: of all, where none has moved, or else of those that have kept them.
    fileprivate func renamed(to now: [String]) -> [(old: String, new: String)] {
        let pairs = zip(self, now).map { (old: $0, new: $1) }
        let isRenamed =
            count == now.count
            && pairs.allSatisfy { $0.old == $0.new || (!now.contains($0.old) && !contains($0.new)) }
        return isRenamed ? pairs : filter(now.contains).map { ($0, $0) }
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
