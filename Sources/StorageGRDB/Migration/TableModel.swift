/// A table with all that the records of the schema say of it, of which there may be several.
final class TableModel: Sendable {
    let schema: TableSchema
    let records: [AutoTable]

    /// - Parameters:
    ///   - records: Those of one table, in the order of the schema. Of a column or reference that several declare, the first counts.
    ///   - indexes: Those that the schema declares beside the records.
    init(_ records: [AutoTable], indexes: [IndexSchema]) {
        self.records = records
        let schemas = records.map(\.schema)
        schema = TableSchema(
            name: schemas[0].name,
            columns: schemas.flatMap(\.columns).firstOfEach { SQLName($0.name) },
            indexes: schemas.flatMap(\.indexes) + indexes,
            references: schemas.flatMap(\.references).firstOfEach { SQLName($0.column) },
            givesIds: schemas.contains(where: \.givesIds))
    }

    /// The record that knows most of a column.
    func record(of column: String) -> AutoTable {
        records.first { $0.schema.has(column) } ?? records[0]
    }
}

extension Sequence {
    fileprivate func firstOfEach(_ key: (Element) -> SQLName) -> [Element] {
        var seen: Set<SQLName> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension AppMigrations {
    /// The tables of all records.
    var tableModels: [TableModel] {
        let tables = Dictionary(grouping: autoSchemaTables) { SQLName($0.schema.name) }
        return autoSchemaTables.map(\.schema.name).firstOfEach(SQLName.init).map { name in
            TableModel(
                tables[SQLName(name)] ?? [], indexes: indexes.filter { $0.table.isSameName(as: name) }.map(\.schema))
        }
    }

    /// A number for all that the schema says of its tables. Migrations of the app's are no part of a model.
    var modelFingerprint: String {
        var fingerprint = Fingerprint()
        for step in steps where !(step is ManualStep) && !(step is CacheTableStep) { step.describe(to: &fingerprint) }
        for index in indexes { index.describe(to: &fingerprint) }
        return fingerprint.digits
    }
}

extension [TableModel] {
    /// - Throws: `StorageError.invalidConfiguration` for a reference to a table that is nowhere.
    func checkParents(on db: Database) throws {
        let tables = map(\.schema)
        let names = Set(tables.map { SQLName($0.name) })
        for table in tables {
            for parent in table.references.map(\.table)
            where try !names.contains(SQLName(parent)) && !db.hasTable(parent) {
                throw StorageError.invalidConfiguration(
                    message:
                        "table '\(table.name)' refers to '\(parent)', which is neither in the schema nor in the file: "
                        + "add its entity to autoSchema, or create the table in a migration")
            }
        }
    }
}
