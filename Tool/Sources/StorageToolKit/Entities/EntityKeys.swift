/// What a struct declares of the references, indexes and unique keys of its table.
struct EntityKeys {
    /// What stands before a column that refers to another entity, by the column's property.
    private let references: [[UInt8]: String]
    /// What stands in the parentheses of `@StorageEntity`.
    private(set) var arguments: [String] = []
    /// What has no place in a struct.
    private(set) var remarks: [String] = []
    private var uniqueColumns: [[UInt8]: String] = [:]

    /// - Parameters:
    ///   - table: The table.
    ///   - references: What stands before the columns that refer to other entities, by their property.
    init(_ table: Table, references: [[UInt8]: String]) {
        self.references = references
        var (indexes, uniqueKeys): ([String], [String]) = ([], [])
        var declared: Set<String> = []
        // Of columns that have a unique key an index is one too many.
        for index in table.indexes.filter(\.isUnique) + table.indexes.filter({ !$0.isUnique })
        where index.origin != "pk" {
            // What SQLite computes is no property.
            let columns = index.columns.map { name in
                name.flatMap { table.column($0)?.isGenerated == true ? nil : SwiftText.property($0) }
            }
            let names = columns.compactMap { $0?.withoutBackticks }
            let isPlain = !index.isPartial && !index.hasDescending && names.count == columns.count
            let isBinary = index.collations.allSatisfy { $0 == "BINARY" }
            let ignoresCase = index.isUnique && names.count == 1 && index.collations == ["NOCASE"]
            let list = EntityKeys.list(names)
            let hasUniqueKey = index.isUnique && names.count == 1 && uniqueColumns[names[0].nameKey] != nil
            guard isPlain, isBinary || ignoresCase, !hasUniqueKey,
                names == ["id"] || ignoresCase || declared.insert(list).inserted
            else {
                remarks.append("// The index \(SwiftText.quoted(index.name)) has no place here, and stays as it is.")
                continue
            }
            if names == ["id"] { continue }
            if index.isUnique, names.count == 1 {
                uniqueColumns[names[0].nameKey] = "@StorageUnique" + (ignoresCase ? "(ignoringCase: true)" : "")
            } else if index.isUnique {
                uniqueKeys.append(list)
            } else if names.count > 1 || references[names[0].nameKey] == nil {
                // A reference has an index by itself.
                indexes.append(list)
            }
        }
        if !indexes.isEmpty { arguments.append("indexes: [\(indexes.joined(separator: ", "))]") }
        if !uniqueKeys.isEmpty { arguments.append("unique: [\(uniqueKeys.joined(separator: ", "))]") }
    }

    /// What stands before a property.
    func attributes(of column: Table.Column) -> String {
        let attributes = [references[column.name.nameKey], uniqueColumns[column.name.nameKey]]
        return attributes.compactMap { $0 }.map { $0 + " " }.joined()
    }

    private static func list(_ names: [String]) -> String {
        "[\(names.map { SwiftText.quoted($0) }.joined(separator: ", "))]"
    }
}
