import GRDB

/// What a table of a file still needs to be as the model has it, beside what a new column or a new name does.
struct TableUpgrade {
    /// What is done by making the table anew.
    var changes: [ClauseChange] = []
    /// Indexes of auto-schema's own that the model no longer has, by name, with their text.
    var staleIndexes: [(name: String, sql: String)] = []
    var missingIndexes: [IndexSchema] = []

    var isEmpty: Bool { changes.isEmpty && staleIndexes.isEmpty && missingIndexes.isEmpty }
}

extension Database {
    /// Compares a table with its model. A table that is not there needs nothing here.
    ///
    /// - Throws: ``SchemaConflictError`` where a column refers to something else by hand.
    func upgrade(to model: TableModel, _ recorded: RecordedModels) throws -> TableUpgrade {
        guard try hasTable(model.schema.name) else { return TableUpgrade() }
        let installed = try installedTable(named: model.schema.name)
        var upgrade = TableUpgrade()
        upgrade.changes = try changes(to: model.schema, installed)
        upgrade.changes += try referenceChanges(to: model.schema, installed, recorded)
        upgrade.compareIndexes(of: model.schema, installed, recorded)
        return upgrade
    }

    /// What its columns and its key need.
    func changes(to model: TableSchema, _ installed: InstalledTable) throws -> [ClauseChange] {
        let differences = try diff(model).differences.filter { difference in
            !installed.generatedColumns.contains(SQLName(difference.file.name))
        }
        func isSetToDefault(_ column: String) -> Bool {
            model.references(from: column).contains { [$0.onDelete, $0.onUpdate].contains(.setDefault) }
        }
        var changes = try differences.compactMap { difference -> ClauseChange? in
            switch (difference.kind, difference.model) {
            // Ids that GRDB keeps as bytes are for a migration to make texts; until then the entities can be read.
            case (.type, _) where try difference.file.primaryKey && hasBytes(difference.file.name, of: model.name): nil
            case (.type, let wanted?): .type(difference.file, to: wanted)
            case (.nullability, let wanted?): wanted.notNull ? .refuseNull(wanted) : .allowNull(difference.file)
            case (.defaultValue, let wanted?) where isSetToDefault(wanted.name):
                wanted.defaultValue.map { .changeDefault(of: wanted.name, to: $0) }
            case (.columnNotInModel, _): difference.preventsInserts ? .allowNullOfUnknown(difference.file) : nil
            default: nil
            }
        }
        let hasOtherKey = differences.contains { difference in
            // A key that the model does not know at all is as much of one as any other.
            difference.kind == .primaryKey || difference.kind == .columnNotInModel && difference.file.primaryKey
        }
        // Where the key is another, SQLite numbers the rows by that one.
        let isNewKey =
            model.givesIds
            ? hasOtherKey || !installed.givesIds
            : hasOtherKey && installed.hasNoUniqueIndex(over: model.keyColumns)
        if isNewKey {
            changes.append(.key(model.keyColumns, givesIds: model.givesIds))
        } else if hasOtherKey, installed.indexes.contains(where: \.isOfKey) {
            // No row may leave these out. The number of the row is the one key that SQLite gives.
            changes += differences.filter { $0.kind == .columnNotInModel }.map(\.file)
                .filter { $0.primaryKey && $0.notNull && !$0.hasDefault }.map { .allowNullOfUnknown($0) }
        }
        return changes
    }

    private func hasBytes(_ column: String, of table: String) throws -> Bool {
        try hasRow(in: table, where: "typeof(\(column.quotedIdentifier)) = 'blob'")
    }

    private func referenceChanges(
        to model: TableSchema, _ installed: InstalledTable, _ recorded: RecordedModels
    ) throws -> [ClauseChange] {
        let stale = installed.staleReferences(model, of: model.name, recorded)
        let missing = try model.references.filter { reference in
            if installed.references.contains(where: { $0.isSame(as: reference) }) { return false }
            let others = installed.references.filter { $0.column.isSameName(as: reference.column) }
            guard others.allSatisfy({ installed.hasOwn($0, of: model.name, recorded) }) else {
                throw SchemaConflictError(table: model.name, columns: [reference.column], reason: .otherReference)
            }
            return true
        }
        return stale.map { .dropReference($0) } + missing.map { .addReference($0) }
    }
}

extension InstalledTable {
    /// The references that auto-schema has made, and the model no longer has.
    ///
    /// - Parameter name: The name of the table in the file.
    func staleReferences(_ model: TableSchema, of name: String, _ recorded: RecordedModels) -> [ReferenceSchema] {
        references.filter { reference in
            !model.references.contains { $0.isSame(as: reference) } && hasOwn(reference, of: name, recorded)
        }
    }

    /// One that a migration has written as a constraint of the table is no longer auto-schema's.
    fileprivate func hasOwn(_ reference: ReferenceSchema, of table: String, _ recorded: RecordedModels) -> Bool {
        recorded.has(.reference(reference, of: table))
            && CreateTableSQL(sql)?.applying(.dropReference(reference)) != nil
    }

    /// Whether no unique index over all rows has exactly these columns.
    func hasNoUniqueIndex(over columns: [String]) -> Bool {
        let key = Set(columns.map(SQLName.init))
        return !key.isEmpty
            && !indexes.contains { index in
                index.isUnique && index.condition == nil
                    && index.columns.map { Set($0.map(SQLName.init)) } == key
            }
    }

    fileprivate var givesIds: Bool { CreateTableSQL(sql)?.hasAutoincrement == true }
}

extension TableUpgrade {
    fileprivate mutating func compareIndexes(
        of model: TableSchema, _ installed: InstalledTable, _ recorded: RecordedModels
    ) {
        let own = installed.indexes.filter { $0.sql.map { recorded.has(.index($0)) } == true }
        let others = installed.indexes.filter { index in !own.contains { $0.name == index.name } }
        var kept: Set<String> = []
        for index in model.wantedIndexes where !others.contains(where: { $0.serves(index, of: model) }) {
            if let found = own.first(where: { $0.isSame(as: index) && index.isName($0.name, on: model.name) }) {
                kept.insert(found.name)
            } else {
                missingIndexes.append(index)
            }
        }
        for index in own where !kept.contains(index.name) {
            if let sql = index.sql { staleIndexes.append((index.name, sql)) }
        }
    }
}

extension InstalledIndex {
    /// Whether it makes another one unnecessary.
    fileprivate func serves(_ index: IndexSchema, of model: TableSchema) -> Bool {
        if isSame(as: index) { return true }
        // Nobody needs a second index to look a reference up by.
        guard index == IndexSchema(index.columns), index.columns.count == 1, let column = index.columns.first else {
            return false
        }
        return !model.references(from: column).isEmpty && begins(with: column)
    }
}

extension IndexSchema {
    /// Whether auto-schema calls it that, with a number if something else had the name.
    fileprivate func isName(_ name: String, on table: String) -> Bool {
        let own = self.name(on: table)
        return name == own || name.hasPrefix("\(own)_") && name.dropFirst(own.count + 1).allSatisfy(\.isNumber)
    }
}
