import StorageSQLite

/// Writes a `@StorageEntity` struct for each table of a file, and says in comments what has no place in one.
struct EntityText {
    private let connection: Connection
    private let catalog: Catalog
    private let parts: StorageKitParts
    private let tables: [Table]
    /// The struct of each table that has one, by the table's name.
    private let names: [[UInt8]: String]
    /// The columns of each table that refer to other entities.
    private var references: [[UInt8]: [EntityRelations.Reference]] = [:]
    private var relations = EntityRelations([])

    init(_ connection: Connection) throws {
        self.connection = connection
        catalog = try Catalog(connection)
        let parts = try StorageKitParts(catalog, connection)
        self.parts = parts
        tables = catalog.tables.filter { ($0.kind == .table || $0.kind == .view) && parts.isOfTheApp($0) }
        var names = EntityNames(
            besides: tables.flatMap { $0.storedColumns.compactMap { SwiftText.property($0.name)?.withoutBackticks } })
        var namesByTable: [[UInt8]: String] = [:]
        for table in tables where EntityText.problem(table) == nil {
            namesByTable[table.name.nameKey] = names.name(ofTable: table.name)
        }
        self.names = namesByTable
        for table in tables where namesByTable[table.name.nameKey] != nil {
            references[table.name.nameKey] = try referencesFound(in: table)
        }
        relations = EntityRelations(
            tables.compactMap { [references] table in
                namesByTable[table.name.nameKey].map { name in
                    EntityRelations.Entity(
                        table: table, name: name, references: references[table.name.nameKey] ?? [],
                        properties: table.storedColumns.compactMap { SwiftText.property($0.name)?.withoutBackticks })
                }
            })
    }

    /// The lines of a source file.
    ///
    /// - Parameter fileName: What the first line calls the database.
    func lines(fileName: String) throws -> [String] {
        var lines = [
            "// Written by `storagekit entities` for \(Printable.line(fileName)). It is yours to change.", "",
            "import StorageKit",
        ]
        if tables.contains(where: {
            $0.kind == .table && $0.column("updatedAt") == nil && names[$0.name.nameKey] != nil
        }) {
            lines += [
                "",
                "// At the first start, autoSchema adds the column updatedAt to the tables that lack it.",
            ]
        }
        for table in tables { lines += try [""] + self.lines(table) }
        return lines
    }

    private func lines(_ table: Table) throws -> [String] {
        guard let name = names[table.name.nameKey] else {
            let problem = EntityText.problem(table) ?? ""
            let columns = table.columns.map { column in
                Printable.line([column.name, column.type].filter { !$0.isEmpty }.joined(separator: " "))
            }
            let list = columns.isEmpty ? [] : ["// Its columns: \(columns.joined(separator: ", "))"]
            return [
                "// \(table.kind == .view ? "View" : "Table") \(SwiftText.quoted(table.name)) has no entity: \(problem)"
            ] + list
        }
        let references = references[table.name.nameKey] ?? []
        let attributes = references.map {
            ($0.property.nameKey, relations.attribute(of: $0, in: table.name.nameKey))
        }
        let keys = EntityKeys(table, references: Dictionary(uniqueKeysWithValues: attributes))
        let isDefault = EntityNames.defaultTable(name).utf8.elementsEqual(table.name.utf8)
        let arguments = (isDefault ? [] : ["table: \(SwiftText.quoted(table.name))"]) + keys.arguments
        let properties = try table.columns.flatMap { try property($0, of: table, keys) }
        let body = properties + (relations.properties[table.name.nameKey] ?? []) + keys.remarks
        return [arguments.isEmpty ? "@StorageEntity" : "@StorageEntity(\(arguments.joined(separator: ", ")))"]
            + ["struct \(name) {"] + body.map { "    " + $0 } + ["}"]
    }

    // MARK: - Tables

    /// Why a table cannot be an entity; nil if it can.
    private static func problem(_ table: Table) -> String? {
        if table.kind == .view { return "it is a view; read it with GRDB, through context.storage.dbActor." }
        if table.name.utf8.contains(UInt8(ascii: "\"")) { return "its name has a quotation mark in it." }
        if SwiftText.isOfStorageKit(table.name) {
            return "its name begins as StorageKit's own do; rename it in a migration (ALTER TABLE ... RENAME TO)."
        }
        guard let id = table.column("id") else {
            let key = table.key.map { SwiftText.quoted($0.name) }
            switch key.count {
            case 0: return "it has no column id, and no primary key."
            case 1:
                return "it has no column id. Its primary key is \(key[0]); rename it to id in a migration "
                    + "(ALTER TABLE ... RENAME COLUMN)."
            default:
                return
                    "it has no column id. Its primary key is made of \(key.joined(separator: ", ")); add a column id "
                    + "in a migration."
            }
        }
        if id.isGenerated { return "its column id is computed." }
        guard table.isKnown(by: id) else {
            return table.key.count > 1
                ? "its primary key is made of \(table.key.map { SwiftText.quoted($0.name) }.joined(separator: ", ")), "
                    + "and id alone is not unique."
                : "its column id is not unique; give it a unique index in a migration."
        }
        return nil
    }

    // MARK: - Columns

    private func property(_ column: Table.Column, of table: Table, _ keys: EntityKeys) throws -> [String] {
        if column.isGenerated { return ["// \(SwiftText.quoted(column.name)) is computed by SQLite, and no property."] }
        if isStamp(column) { return ["// updatedAt, the time of the last save, is stamped by StorageKit."] }
        let contents = try ColumnContents(of: column, in: table, connection)
        let type = SwiftType(of: column, contents, isStrict: table.isStrict)
        guard let name = SwiftText.property(column.name) else { return unnamed(column) }
        let isId = name == "id"
        if isId, table.givesIds {
            return remarks(column, of: table, contents, type, isOptional: false) + ["var id: Int64?"]
        }
        let isOptional = isOptional(column)
        let typeName = reference(of: column, in: table)?.givesIds == true ? "Int64" : type.rawValue
        var line = keys.attributes(of: column) + "var \(name): \(typeName)" + (isOptional ? "?" : "")
        if let value = defaultValue(of: column, type) { line += " = \(value)" }
        return remarks(column, of: table, contents, type, isOptional: isOptional) + [line]
    }

    /// Whether its property may be nil.
    private func isOptional(_ column: Table.Column) -> Bool {
        SwiftText.property(column.name) != "id" && !column.isNotNull && column.keyPosition == 0
    }

    private func defaultValue(of column: Table.Column, _ type: SwiftType) -> String? {
        isOptional(column) || SwiftText.property(column.name) == "id" ? nil : column.defaultSQL.flatMap(type.literal)
    }

    /// The columns that refer to the id of another entity, where a property can say so.
    private func referencesFound(in table: Table) throws -> [EntityRelations.Reference] {
        try table.storedColumns.compactMap { column in
            guard let property = SwiftText.property(column.name)?.withoutBackticks else { return nil }
            let keys = try table.foreignKeys.filter { key in
                guard key.columns.map(\.nameKey) == [column.name.nameKey], let parent = catalog.table(key.parent),
                    names[parent.name.nameKey] != nil, let id = parent.column("id")
                else { return false }
                // What cannot be nil cannot become it, nor a default that it has not.
                let actions = [key.onDelete, key.onUpdate]
                let type = try self.type(column, of: table)
                let canBeSet =
                    isOptional(column)
                    || !actions.contains("SET NULL")
                        && (!actions.contains("SET DEFAULT") || defaultValue(of: column, type) != nil)
                return try table.parentColumns(key, in: parent).map(\.nameKey) == [id.name.nameKey]
                    && type == self.type(id, of: parent) && canBeSet
            }
            guard let key = keys.last, let parent = catalog.table(key.parent) else { return nil }
            let actions = [("onDelete", key.onDelete), ("onUpdate", key.onUpdate)].filter { $0.1 != "NO ACTION" }
            return EntityRelations.Reference(
                property: property, parent: parent.name.nameKey,
                actions: actions.map { "\($0.0): .\(SwiftText.action($0.1))" }, givesIds: parent.givesIds)
        }
    }

    private func reference(of column: Table.Column, in table: Table) -> EntityRelations.Reference? {
        references[table.name.nameKey]?.first { $0.property.nameKey == column.name.nameKey }
    }

    private func type(_ column: Table.Column, of table: Table) throws -> SwiftType {
        SwiftType(of: column, try ColumnContents(of: column, in: table, connection), isStrict: table.isStrict)
    }

    /// Whether it is the column that StorageKit adds to each table of its own.
    private func isStamp(_ column: Table.Column) -> Bool {
        column.name == "updatedAt" && column.type.folded == "datetime" && column.isNotNull
            && parts.migrations.contains { $0.hasPrefix("auto_schema_") }
    }

    private func unnamed(_ column: Table.Column) -> [String] {
        var lines = [
            "// \(SwiftText.quoted(column.name)) cannot be the name of a property; rename it in a migration "
                + "(ALTER TABLE ... RENAME COLUMN)."
        ]
        if column.isNotNull, column.defaultSQL == nil {
            lines.append("// It takes no NULL and has no default, so that no store starts on it before.")
        }
        return lines
    }

    private func remarks(
        _ column: Table.Column, of table: Table, _ contents: ColumnContents, _ type: SwiftType, isOptional: Bool
    ) -> [String] {
        var lines: [String] = []
        let foreignKeys = table.foreignKeys.filter { $0.columns.contains { $0.nameKey == column.name.nameKey } }
        for key in foreignKeys where reference(of: column, in: table) == nil {
            let columns = table.parentColumns(key, in: catalog.table(key.parent)).map(SwiftText.quoted)
            lines.append("// Refers to \(SwiftText.quoted(key.parent)) (\(columns.joined(separator: ", "))).")
        }
        let unreadable = type.unreadable(contents)
        if unreadable > 0 {
            lines.append("// \(Amount.of(unreadable, "row")) cannot be read: what stands here is no \(type.rawValue).")
            if type.isRefused(by: contents, of: column, isStrict: table.isStrict) {
                lines.append("// No store starts on it before a migration converts them.")
            }
        }
        if !isOptional, contents.nulls > 0 {
            lines.append("// \(Amount.of(contents.nulls, "row")) cannot be read: NULL stands here.")
        }
        return lines
    }
}

extension Table {
    /// Whether a column alone tells the rows apart: it is the primary key, or has a unique index of its own.
    fileprivate func isKnown(by column: Column) -> Bool {
        uniqueKeys.contains { $0.map(\.nameKey) == [column.name.nameKey] }
    }
}
