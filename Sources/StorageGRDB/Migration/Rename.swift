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
        // As nearly all are. The file need not be asked.
        if schema.formerNames.isEmpty, schema.formerColumnNames.isEmpty { return [] }
        var renames: [Rename] = []
        var name = schema.name
        let found = try schema.formerNames.filter { try !$0.isSameName(as: schema.name) && hasTable($0) }
        let former = try found.former(
            of: name, isThere: hasTable(name),
            isAnothers: { former in model.contains { $0.name.isSameName(as: former) } },
            conflict: { SchemaConflictError(table: $0, columns: [], reason: .formerName($1)) })
        if let former {
            renames.append(.table(former, to: name))
            name = former
        }
        guard !schema.formerColumnNames.isEmpty, let found = try tableSchema(named: name) else { return renames }
        for column in schema.columns {
            let names = (schema.formerColumnNames[column.name] ?? []).filter {
                !$0.isSameName(as: column.name) && found.has($0)
            }
            let former = try names.former(
                of: column.name, isThere: found.has(column.name), isAnothers: schema.has,
                conflict: { SchemaConflictError(table: schema.name, columns: [$0], reason: .formerName($1)) })
            if let former { renames.append(.column(former, to: column.name, table: schema.name)) }
        }
        return renames
    }

    /// Gives a table or column its new name. SQLite changes what refers to it: indexes, triggers, views and references.
    func apply(_ rename: Rename, in run: MigrationContext) throws {
        // The app may have asked for the old way, in which views and triggers keep the old names.
        try setting("legacy_alter_table", to: 0) { try renaming(rename, in: run) }
    }

    private func renaming(_ rename: Rename, in run: MigrationContext) throws {
        switch rename {
        case .table(let old, let new):
            try new.checkAsTableName()
            try dropBrokenFullTextIndex(of: old)
            try keepingOwnObjects(run.tables) {
                try execute(sql: "ALTER TABLE main.\(old.quotedIdentifier) RENAME TO \(new.quotedIdentifier)")
            }
        case .column(let old, let new, let table):
            try dropBrokenFullTextIndex(of: table)
            let isSearched = try indexedColumns(of: table).contains { $0.isSameName(as: old) }
            try keepingOwnObjects(run.tables) {
                try execute(
                    sql: """
                        ALTER TABLE main.\(table.quotedIdentifier) \
                        RENAME COLUMN \(old.quotedIdentifier) TO \(new.quotedIdentifier)
                        """)
            }
            if isSearched { try dropOwnFullTextIndex(of: table) }
        }
    }

    /// A full-text index goes by the names of its table and columns: under new ones it is made anew by its own step. A
    /// full-text table of the app's own stays.
    ///
    /// - Parameter name: What the table is called now, if it has got another name than the index goes by.
    func dropOwnFullTextIndex(of table: String, called name: String? = nil) throws {
        try dropOwnFullTextIndex(of: table, called: name) { index in
            try index.partsInFile(on: self).contains { $0.kind == .table && $0.name.isSameName(as: index.name) }
        }
    }

    /// With the triggers of an index that has lost one of its tables SQLite changes nothing in the schema of the rows' table. Its own step
    /// makes it anew.
    func dropBrokenFullTextIndex(of table: String) throws {
        try dropOwnFullTextIndex(of: table) { try !$0.hasTables(on: self) }
    }

    private func dropOwnFullTextIndex(
        of table: String, called name: String? = nil, if condition: (FullTextIndex) throws -> Bool
    ) throws {
        let index = FullTextIndex(table: table, columns: [], tokenizer: "")
        let id = FullTextStep(index: index).id
        guard try condition(index), try recordedMigrations().contains(where: { $0.isSameName(as: id) }) else { return }
        try index.drop(on: self, ofTable: name)
    }
}

extension [String] {
    /// Which of the former names in the file is the one to rename. A former name that today's model uses for something else counts
    /// only if the file has neither the new name nor another former one.
    ///
    /// - Parameter conflict: What there is to say where the file has two of the names, of which it may be either.
    fileprivate func former(
        of new: String, isThere: Bool, isAnothers: (String) -> Bool,
        conflict: (_ now: String, _ other: String) -> SchemaConflictError
    ) throws -> String? {
        let free = filter { !isAnothers($0) }
        let names = isThere || !free.isEmpty ? free : self
        guard let former = names.last else { return nil }
        guard names.count == 1, !isThere else {
            let now = isThere ? new : former
            throw conflict(now, names.first { $0 != now } ?? former)
        }
        return former
    }
}

extension ReferenceSchema {
    /// The reference as it is once tables and columns have their new names.
    ///
    /// - Parameter table: The table that it is of, as it is called then.
    func renamed(by renames: [Rename], of table: String) -> ReferenceSchema {
        let parent = renames.newName(ofTable: self.table)
        return ReferenceSchema(
            column: renames.newName(ofColumn: column, in: table), table: parent,
            key: renames.newName(ofColumn: key, in: parent), onDelete: onDelete, onUpdate: onUpdate)
    }
}

extension [Rename] {
    fileprivate func newName(ofTable name: String) -> String {
        for case .table(let old, let new) in self where old.isSameName(as: name) { return new }
        return name
    }

    /// - Parameter table: The table, by its new name.
    fileprivate func newName(ofColumn name: String, in table: String) -> String {
        for case .column(let old, let new, let owner) in self
        where old.isSameName(as: name) && owner.isSameName(as: table) {
            return new
        }
        return name
    }
}

// MARK: - What auto-schema made, under other names

extension Database {
    /// A table before a step and behind it.
    private typealias Successor = (old: FoundTable, new: FoundTable)

    /// Runs what may give tables and columns new names. What auto-schema has made of them stays known as its own, and what the file
    /// remembers of their columns stays known under the new names.
    ///
    /// - Parameter found: The tables of the file, as the run knows them.
    func keepingOwnObjects(_ found: FoundTables, _ rename: () throws -> Void) throws {
        let before = try found.read(self)
        try rename()
        // One that has ended the transaction is refused by whoever runs it, and GRDB refuses all that follows.
        guard isInsideTransaction, try !found.isCurrent(self) else { return }
        let now = try found.read(self)
        let pagesMove = try Int.fetchOne(self, sql: "PRAGMA main.auto_vacuum") != 0
        let tables = before.compactMap { table in
            let successor = pagesMove ? now.namesake(of: table, among: before) : now.successor(of: table)
            return successor.map { (old: table, new: $0) }
        }
        let recorded = try recordedModels()
        try keepRequired(of: tables, recorded)
        let moved = tables.flatMap { old, new in
            old.nullableColumns(in: new) + old.indexes(in: new)
                + old.references(in: new) { reference, other in
                    reference.table.isSameName(as: other.table)
                        || tables.contains {
                            $0.old.name.isSameName(as: reference.table) && $0.new.name.isSameName(as: other.table)
                        }
                }
        }.filter { recorded.has($0.old) }
        // One name may have become another's, so that the old ones go first.
        for object in moved { try forget(object.old) }
        for object in moved { try record(object.new) }
        for (old, new) in tables where old.name != new.name {
            try dropOwnFullTextIndex(of: old.name, called: new.name)
        }
    }

    private func keepRequired(of tables: [Successor], _ recorded: RecordedModels) throws {
        let before = recorded.required
        var required: [String: [String]] = [:]
        for (table, other) in tables {
            for (old, new) in table.renamedColumns(in: other)
            where before.contains([table.name, old].map(SQLName.init)) {
                required[other.name, default: []].append(new)
            }
        }
        if !required.isEmpty, let model = recorded.latestModel { try recordRequired(required, model: model) }
    }
}

extension [FoundTable] {
    fileprivate func page(of name: String) -> Int? { first { $0.name.isSameName(as: name) }?.page }

    /// The table as it is now. Where one is there under its name, another that begins at its page is not it: it was made anew.
    fileprivate func successor(of table: FoundTable) -> FoundTable? {
        first { other in
            other.page == table.page && (other.name.isSameName(as: table.name) || page(of: table.name) == nil)
        }
    }

    /// The same in a file with `auto_vacuum`, where tables move when another is dropped: the one of that name, or else the only new one
    /// that has the same columns.
    fileprivate func namesake(of table: FoundTable, among before: [FoundTable]) -> FoundTable? {
        if let same = first(where: { $0.name.isSameName(as: table.name) }) { return same }
        let new = filter { before.page(of: $0.name) == nil && $0.columns == table.columns }
        return new.count == 1 ? new[0] : nil
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

/// What a start may have made, and what it is now.
private typealias Moved = (old: OwnObject, new: OwnObject)

extension FoundTable {
    fileprivate func renamedColumns(in now: FoundTable) -> [(old: String, new: String)] {
        columns.renamed(to: now.columns).filter { $0.old != $0.new || name != now.name }
    }

    fileprivate func nullableColumns(in now: FoundTable) -> [Moved] {
        renamedColumns(in: now).map { (.nullable($0.old, of: name), .nullable($0.new, of: now.name)) }
    }

    fileprivate func indexes(in now: FoundTable) -> [Moved] {
        installed.indexes.compactMap { index in
            guard let other = now.installed.indexes.first(where: { $0.name == index.name }), let old = index.sql,
                let new = other.sql, new != old, new.leavingOutNames == old.leavingOutNames
            else { return nil }
            // A column that was dropped has moved those behind it.
            let isMoved = now.columns.count != columns.count
            return isMoved || now.positions(of: other) == positions(of: index) ? (.index(old), .index(new)) : nil
        }
    }

    /// - Parameter haveOneParent: Whether two references are to one table.
    fileprivate func references(
        in now: FoundTable, _ haveOneParent: (ReferenceSchema, ReferenceSchema) -> Bool
    ) -> [Moved] {
        references.compactMap { old in
            guard let new = reference(old, in: now), new != old || now.name != name, haveOneParent(old, new),
                new.onDelete == old.onDelete, new.onUpdate == old.onUpdate
            else { return nil }
            return (.reference(old, of: name), .reference(new, of: now.name))
        }
    }
}

extension FoundTable {
    /// A reference as it is now.
    fileprivate func reference(_ old: ReferenceSchema, in now: FoundTable) -> ReferenceSchema? {
        guard now.columns.count != columns.count else {
            // Another one may have come to its place.
            let isThere = now.references.contains(old)
            return now.references.first { new in
                now.position(of: new.column) == position(of: old.column)
                    && !(isThere && new != old && references.contains(new))
            }
        }
        // Columns that were added or dropped have moved others: those that are gone are the ones that are new, in their order.
        if now.references.contains(old) { return old }
        let gone = inOrder(references.filter { !now.references.contains($0) })
        let new = now.inOrder(now.references.filter { !references.contains($0) })
        guard gone.count == new.count else { return nil }
        return zip(gone, new).first { $0.0 == old }?.1
    }

    /// References in the order of their columns.
    private func inOrder(_ references: [ReferenceSchema]) -> [ReferenceSchema] {
        references.sorted { position(of: $0.column) ?? 0 < position(of: $1.column) ?? 0 }
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
