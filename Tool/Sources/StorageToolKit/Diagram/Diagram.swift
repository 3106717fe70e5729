/// The tables of an app and how they refer to each other, for drawing.
struct Diagram {
    /// A table.
    struct Entity {
        let name: String
        let columns: [Column]
    }

    /// A column of a table.
    struct Column {
        let name: String
        let type: String
        let isKey: Bool
        let isReference: Bool
        let isNotNull: Bool
    }

    /// A reference from one table to another.
    struct Relation {
        /// The index of the table that refers, and its columns.
        let child: Int
        let columns: [String]
        /// The index of the table that is referred to, and its columns.
        let parent: Int
        let parentColumns: [String]
        /// Whether a row may refer to none.
        let isOptional: Bool
        /// Whether at most one row refers to each.
        let isUnique: Bool
        /// Whether nothing but the names of columns speaks for it: StorageKit declares no foreign keys.
        let isGuess: Bool
    }

    let entities: [Entity]
    let relations: [Relation]
}

extension Diagram {
    /// - Parameters:
    ///   - catalog: The schema of a file.
    ///   - parts: What in it is not the app's own, which is left out.
    init(_ catalog: Catalog, _ parts: StorageKitParts) {
        let tables = catalog.tables.filter { $0.kind == .table && parts.isOfTheApp($0) }
        let indexes = Dictionary(tables.enumerated().map { ($1.name.nameKey, $0) }) { first, _ in first }
        var relations: [Relation] = []
        for (child, table) in tables.enumerated() {
            for key in table.foreignKeys {
                guard let parent = indexes[key.parent.nameKey] else { continue }
                relations.append(
                    Relation(
                        table, child, key.columns, parent, table.parentColumns(key, in: tables[parent]), isGuess: false)
                )
            }
            let declared = Set(table.foreignKeys.flatMap(\.columns).map(\.nameKey))
            for column in table.columns where !declared.contains(column.name.nameKey) {
                guard let parent = Diagram.guessedParent(column, among: tables, indexes) else { continue }
                relations.append(Relation(table, child, [column.name], parent, ["id"], isGuess: true))
            }
        }
        let relationsByChild = Dictionary(grouping: relations, by: \.child)
        let entities = tables.enumerated().map { index, table in
            let references = Set(relationsByChild[index, default: []].flatMap(\.columns).map(\.nameKey))
            return Entity(
                name: table.name,
                columns: table.columns.map { column in
                    Column(
                        name: column.name, type: column.type, isKey: column.keyPosition > 0,
                        isReference: references.contains(column.name.nameKey), isNotNull: column.isNotNull)
                })
        }
        self.init(entities: entities, relations: relations)
    }

    /// A column `authorId` or `author_id` refers to the table `authors` or `author` that has a column `id`, as
    /// StorageKit names foreign keys.
    private static func guessedParent(
        _ column: Table.Column, among tables: [Table], _ indexes: [[UInt8]: Int]
    ) -> Int? {
        let name = column.name.folded
        guard column.name.hasSuffix("Id") || name.hasSuffix("_id") else { return nil }
        let stem = String(name.dropLast(name.hasSuffix("_id") ? 3 : 2))
        guard !stem.isEmpty else { return nil }
        return [stem + "s", stem].compactMap { indexes[$0.nameKey] }.filter { tables[$0].column("id") != nil }.min()
    }
}

extension Diagram.Relation {
    fileprivate init(
        _ table: Table, _ child: Int, _ columns: [String], _ parent: Int, _ parentColumns: [String], isGuess: Bool
    ) {
        let names = Set(columns.map(\.nameKey))
        self.init(
            child: child, columns: columns, parent: parent, parentColumns: parentColumns,
            isOptional: columns.contains { name in
                table.column(name).map { !$0.isNotNull && $0.keyPosition == 0 } ?? true
            },
            isUnique: table.uniqueKeys.contains { Set($0.map(\.nameKey)) == names }, isGuess: isGuess)
    }
}
