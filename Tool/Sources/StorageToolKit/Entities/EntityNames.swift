/// Gives each table the name of a struct, no two the same.
struct EntityNames {
    private var taken: Set<String>

    /// - Parameter properties: The names of all properties, which would hide a struct of that name.
    init(besides properties: [String] = []) {
        taken = EntityNames.reserved.union(properties)
    }

    /// The name for a table: its words with capitals, in the singular.
    mutating func name(ofTable table: String) -> String {
        let base = EntityNames.name(table)
        var name = base
        var number = 2
        if taken.contains(name) || taken.contains(name + "Record") { name = base + "Entity" }
        while taken.contains(name) || taken.contains(name + "Record") {
            name = "\(base)\(number)"
            number += 1
        }
        taken.formUnion([name, name + "Record"])
        return name
    }

    /// The table that `@StorageEntity` without an argument takes for a struct.
    static func defaultTable(_ name: String) -> String { name.lowercased() + "s" }

    private static func name(_ table: String) -> String {
        let words = table.split { !SwiftText.isIdentifier("a\($0)") || $0 == "_" }.map(String.init)
        guard var last = words.last else { return "Table" }
        last = singular(last)
        let name = (words.dropLast() + [last]).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return SwiftText.isIdentifier(name) ? name : "Table" + name
    }

    private static func singular(_ word: String) -> String {
        let folded = word.lowercased()
        if folded.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        if ["sses", "xes", "ches", "shes"].contains(where: folded.hasSuffix) { return String(word.dropLast(2)) }
        let isSingular = ["ss", "us", "is"].contains(where: folded.hasSuffix)
        return folded.hasSuffix("s") && !isSingular && word.count > 1 ? String(word.dropLast()) : word
    }

    /// Names that would hide a type that properties have, or one that nobody would look for a table behind.
    private static let reserved: Set<String> = [
        "Any", "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "E", "Error", "Float",
        "Foundation", "ID", "Id", "Int", "Int64", "Never", "Optional", "Protocol", "Record", "Result", "Self",
        "Sendable", "Set", "Storage", "StorageCore",
        "StorageGRDB", "StorageKit", "String", "Swift", "Task", "Type", "UInt64", "URL", "UUID",
    ]
}
