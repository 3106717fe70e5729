import StorageKit
import StorageTestSupport

@testable import StorageGRDB

/// The versions of an app's model, made up at random: what changes is declared, and no migration is written.
///
/// Each version has a column that no other begins with, so that none is like one before.
struct ModelHistory {
    struct Version {
        var tables: [TableSchema] = []
        /// The columns that this version and all later ones drop, by the name of their table now.
        var drops: [(table: String, column: String)] = []
    }

    private(set) var versions: [Version] = []
    private var nextName = 0

    init(length: Int, using generator: inout SeededGenerator) {
        var version = Version()
        for _ in 0..<2 { addTable(to: &version, using: &generator) }
        for _ in 0..<length {
            for _ in 0..<Int.random(in: 1...6, using: &generator) { change(&version, using: &generator) }
            addColumn(to: Int.random(in: version.tables.indices, using: &generator), in: &version, using: &generator)
            versions.append(version)
        }
    }

    /// The steps of a version, counted from 0.
    func describe(_ number: Int, _ schema: inout AppMigrations) {
        schema.autoSchema(tables: versions[number].tables)
        for (table, column) in versions[number].drops { schema.drop(column: column, ofTable: table) }
    }
}

// MARK: - Making it up

extension ModelHistory {
    private mutating func name(_ prefix: String) -> String {
        nextName += 1
        return "\(prefix)\(nextName)"
    }

    private mutating func change(_ version: inout Version, using generator: inout SeededGenerator) {
        let place = Int.random(in: version.tables.indices, using: &generator)
        var table = version.tables[place]
        let column = table.columns.filter { !$0.primaryKey }.randomElement(using: &generator)
        switch (Int.random(in: 0..<13, using: &generator), column) {
        case (0, _): addTable(to: &version, using: &generator)
        case (1, _): addColumn(to: place, in: &version, using: &generator)
        case (2, _): addReference(to: place, in: &version, using: &generator)
        case (3, let column?): remove(column, from: place, in: &version, forGood: Bool.random(using: &generator))
        case (4, let column?):
            let new = name("column")
            version.tables[place] = table.renaming(column.name, to: new)
        case (5, _): rename(place, in: &version)
        case (6, let column?):
            if let type = ModelHistory.widerTypes[column.type]?.randomElement(using: &generator) {
                version.tables[place] = table.replacing(column, by: column.with(type: type, notNull: column.notNull))
            }
        case (7, let column?):
            if !column.name.hasPrefix("parent") {
                version.tables[place] = table.replacing(
                    column, by: column.with(type: column.type, notNull: !column.notNull))
            }
        case (8, let column?), (9, let column?):
            let isUnique = Bool.random(using: &generator)
            let index = IndexSchema(
                isUnique ? [column.name, "id"] : [column.name], isUnique: isUnique,
                ignoresCase: Bool.random(using: &generator))
            if !table.indexes.contains(index) { version.tables[place] = table.with(indexes: table.indexes + [index]) }
        case (10, _): version.tables[place] = table.with(indexes: Array(table.indexes.dropFirst()))
        case (11, _): toggleReference(of: place, in: &version, using: &generator)
        default:
            if table.columns[0].type == "INTEGER" {
                table = table.with(givesIds: true)
                version.tables[place] = table
            }
        }
    }

    private mutating func addTable(to version: inout Version, using generator: inout SeededGenerator) {
        let type = ["TEXT", "TEXT", "INTEGER"].randomElement(using: &generator) ?? "TEXT"
        let id = ColumnSchema(name: "id", type: type, notNull: true, primaryKey: true)
        version.tables.insert(
            TableSchema(name: name("table"), columns: [id]),
            at: Int.random(in: 0...version.tables.count, using: &generator))
        for place in version.tables.indices where version.tables[place].columns.count == 1 {
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                addColumn(to: place, in: &version, using: &generator)
            }
        }
    }

    private mutating func addColumn(to place: Int, in version: inout Version, using generator: inout SeededGenerator) {
        let type = SchemaHistory.types.randomElement(using: &generator) ?? .text
        let column = ColumnSchema(name: name("column"), type: type.rawValue).with(
            type: type.rawValue, notNull: Bool.random(using: &generator))
        version.tables[place] = version.tables[place].with(columns: version.tables[place].columns + [column])
    }

    /// A column that has ids of another table, or of its own.
    private mutating func addReference(to place: Int, in version: inout Version, using generator: inout SeededGenerator)
    {
        guard let parent = version.tables.randomElement(using: &generator) else { return }
        let table = version.tables[place]
        let column = ColumnSchema(name: name("parent"), type: parent.columns[0].type)
        let reference = ReferenceSchema(column: column.name, table: parent.name, onDelete: .setNull)
        version.tables[place] = table.with(
            columns: table.columns + [column], references: table.references + [reference])
    }

    /// The values stay ids of that table, whether the column says so or not.
    private mutating func toggleReference(
        of place: Int, in version: inout Version, using generator: inout SeededGenerator
    ) {
        let table = version.tables[place]
        guard let reference = table.references.randomElement(using: &generator) else { return }
        let others = table.references.filter { $0 != reference }
        let changed = ReferenceSchema(column: reference.column, table: reference.table, onDelete: .cascade)
        version.tables[place] = table.with(references: Bool.random(using: &generator) ? others : others + [changed])
    }

    private mutating func remove(
        _ column: ColumnSchema, from place: Int, in version: inout Version, forGood: Bool
    ) {
        let table = version.tables[place]
        version.tables[place] = TableSchema(
            name: table.name, columns: table.columns.filter { $0 != column },
            indexes: table.indexes.filter { !$0.columns.contains(column.name) },
            references: table.references.filter { $0.column != column.name }, formerNames: table.formerNames,
            formerColumnNames: table.formerColumnNames.filter { $0.key != column.name }, givesIds: table.givesIds)
        guard forGood else { return }
        // A file of any version before may have it, under any of its names.
        for name in (table.formerColumnNames[column.name] ?? []) + [column.name] {
            version.drops.append((table.name, name))
        }
    }

    private mutating func rename(_ place: Int, in version: inout Version) {
        let (old, new) = (version.tables[place].name, name("table"))
        version.tables = version.tables.map { table in
            let references = table.references.map { reference in
                reference.table == old
                    ? ReferenceSchema(column: reference.column, table: new, onDelete: reference.onDelete) : reference
            }
            let isIt = table.name == old
            return TableSchema(
                name: isIt ? new : table.name, columns: table.columns, indexes: table.indexes, references: references,
                formerNames: isIt ? table.formerNames + [old] : table.formerNames,
                formerColumnNames: table.formerColumnNames, givesIds: table.givesIds)
        }
        version.drops = version.drops.map { ($0.table == old ? new : $0.table, $0.column) }
    }

    /// Types that have all values of another one.
    private static let widerTypes = [
        "BOOLEAN": ["INTEGER", "REAL", "TEXT"], "INTEGER": ["REAL", "TEXT"], "DATETIME": ["TEXT"],
        "DECIMAL_TEXT": ["TEXT"],
    ]
}

extension ColumnSchema {
    /// With a default where it takes no NULL, which rows that have it get.
    fileprivate func with(type: String, notNull: Bool) -> ColumnSchema {
        ColumnSchema(name: name, type: type, notNull: notNull, defaultValue: notNull ? ColumnSchema.fillers[type] : nil)
    }

    private static let fillers = [
        "TEXT": "'7'", "INTEGER": "7", "UNSIGNED BIG INT": "7", "REAL": "7.0", "BOOLEAN": "1", "BLOB": "X'07'",
        "DATETIME": "'2025-01-01 00:00:00.000'", "DECIMAL_TEXT": "'7'",
    ]
}

extension TableSchema {
    fileprivate func with(
        columns: [ColumnSchema]? = nil, indexes: [IndexSchema]? = nil, references: [ReferenceSchema]? = nil,
        givesIds: Bool? = nil
    ) -> TableSchema {
        TableSchema(
            name: name, columns: columns ?? self.columns, indexes: indexes ?? self.indexes,
            references: references ?? self.references, formerNames: formerNames, formerColumnNames: formerColumnNames,
            givesIds: givesIds ?? self.givesIds)
    }

    fileprivate func replacing(_ column: ColumnSchema, by new: ColumnSchema) -> TableSchema {
        // Ids have the type of the key that they are of.
        column.name.hasPrefix("parent") ? self : with(columns: columns.map { $0 == column ? new : $0 })
    }

    fileprivate func renaming(_ old: String, to new: String) -> TableSchema {
        // A reference is known by its name here.
        guard !old.hasPrefix("parent") else { return self }
        var former = formerColumnNames
        former[new] = (former.removeValue(forKey: old) ?? []) + [old]
        return TableSchema(
            name: name,
            columns: columns.map { column in
                column.name == old
                    ? ColumnSchema(
                        name: new, type: column.type, notNull: column.notNull, defaultValue: column.defaultValue)
                    : column
            },
            indexes: indexes.map { index in
                IndexSchema(
                    index.columns.map { $0 == old ? new : $0 }, isUnique: index.isUnique, ignoresCase: index.ignoresCase
                )
            },
            references: references, formerNames: formerNames, formerColumnNames: former, givesIds: givesIds)
    }
}
