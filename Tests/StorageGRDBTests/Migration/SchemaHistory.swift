import StorageKit
import StorageTestSupport

@testable import StorageGRDB

/// The versions of an app's schema, made up at random.
///
/// A version is described as an app would describe it: the migrations that its tables need first, in the order in
/// which they were written, the tables as they are in that version, and the migrations that come after.
struct SchemaHistory {
    struct Version {
        var tables: [TableSchema] = []
        /// All migrations up to this version that rename or drop columns: auto-schema would add the new ones.
        var first: [SchemaChange] = []
        /// All other migrations up to this version.
        var then: [SchemaChange] = []
    }

    private(set) var versions: [Version] = []
    private var nextName = 0

    init(length: Int, using generator: inout SeededGenerator) {
        var version = Version()
        for number in 1...length {
            let additions = number == 1 ? Int.random(in: 1...3, using: &generator) : 0
            for _ in 0..<additions { addTable(to: &version, using: &generator) }
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                change(&version, using: &generator)
            }
            versions.append(version)
        }
    }

    /// The steps of a version, counted from 0.
    func describe(_ number: Int, _ schema: inout AppMigrations) {
        let version = versions[number]
        for change in version.first { schema.migration(change.id) { try change.apply(to: $0) } }
        schema.autoSchema(tables: version.tables)
        for change in version.then { schema.migration(change.id) { try change.apply(to: $0) } }
    }
}

// MARK: - Making it up

extension SchemaHistory {
    private mutating func name(_ prefix: String) -> String {
        nextName += 1
        return "\(prefix)\(nextName)"
    }

    private mutating func change(_ version: inout Version, using generator: inout SeededGenerator) {
        let table = Int.random(in: version.tables.indices, using: &generator)
        let columns = version.tables[table].columns
        let column = columns.filter { !$0.primaryKey }.randomElement(using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: addTable(to: &version, using: &generator)
        case 1, 2, 3:
            version.tables[table] = version.tables[table].with(
                columns + [addedColumn(using: &generator)])
        case 4: if let column { rename(column, of: table, in: &version) }
        case 5: if let column { drop(column, of: table, in: &version) }
        case 6:
            let column = (column ?? columns[0]).name
            version.then.append(
                SchemaChange(id: name("index_"), table: version.tables[table].name, kind: .index(column: column)))
        default:
            if let column {
                version.then.append(
                    SchemaChange(
                        id: name("transform_"), table: version.tables[table].name, kind: .transform(column: column.name)
                    )
                )
            }
        }
    }

    private mutating func addTable(to version: inout Version, using generator: inout SeededGenerator) {
        let keyType = ["TEXT", "INTEGER"].randomElement(using: &generator) ?? "TEXT"
        var columns = [ColumnSchema(name: "id", type: keyType, primaryKey: true)]
        for _ in 0..<Int.random(in: 0...4, using: &generator) { columns.append(addedColumn(using: &generator)) }
        version.tables.append(TableSchema(name: name("table"), columns: columns))
    }

    private mutating func addedColumn(using generator: inout SeededGenerator) -> ColumnSchema {
        let type = SchemaHistory.types.randomElement(using: &generator) ?? .text
        let notNull = Bool.random(using: &generator)
        let hasDefault = type == .integer && Int.random(in: 0..<3, using: &generator) == 0
        return ColumnSchema(
            name: name("column"), type: type.rawValue, notNull: notNull, defaultValue: hasDefault ? "7" : nil)
    }

    static let types: [StorageGRDB.ColumnType] = [
        .text, .integer, .unsigned, .real, .boolean, .datetime, .blob, .decimal,
    ]

    /// The migrations of before know the column by its old name, and find nothing to do where a file starts later.
    /// A new one therefore makes the indexes that a renamed column keeps.
    private mutating func rename(_ column: ColumnSchema, of table: Int, in version: inout Version) {
        let schema = version.tables[table]
        let new = ColumnSchema(
            name: name("column"), type: column.type, notNull: column.notNull, defaultValue: column.defaultValue)
        version.tables[table] = schema.with(schema.columns.map { $0.name == column.name ? new : $0 })
        version.first.append(
            SchemaChange(id: name("rename_"), table: schema.name, kind: .rename(column: column.name, to: new.name)))
        for index in version.then where index.table == schema.name {
            guard case .index(column.name) = index.kind else { continue }
            version.then.append(
                SchemaChange(
                    id: name("reindex_"), table: schema.name, index: index.indexName, kind: .index(column: new.name)))
        }
    }

    private mutating func drop(_ column: ColumnSchema, of table: Int, in version: inout Version) {
        let schema = version.tables[table]
        version.tables[table] = schema.with(schema.columns.filter { $0.name != column.name })
        version.first.append(
            SchemaChange(id: name("drop_"), table: schema.name, kind: .rebuild(without: column.name)))
    }
}

extension TableSchema {
    fileprivate func with(_ columns: [ColumnSchema]) -> TableSchema { TableSchema(name: name, columns: columns) }
}
