/// What an entity declares of its table beside the columns.
struct DeclaredSchema: Sendable {
    var indexes: [IndexSchema] = []
    /// A parent is asked for its table and key when somebody needs them: it may be about to be described itself, and may refer back.
    var references: [(column: String, schema: @Sendable () -> ReferenceSchema)] = []
    /// The columns that a reference may set to their defaults.
    var columnsSetToDefault: Set<String> = []
    var formerNames: [String] = []
    var formerColumnNames: [String: [String]] = [:]
}

extension DeclaredSchema {
    init(indexes: [IndexSchema], references: [ReferenceSchema]) {
        self.indexes = indexes
        self.references = references.map { reference in (reference.column, { reference }) }
    }

    /// What names a column that the table does not have, or gives a column the former name of another, in words that say what to
    /// change. The compiler sees all but what is about an embedded value that is declared elsewhere.
    func problem(columns: [String], table: String, entity: String) -> String? {
        let known = Set(columns)
        for index in indexes {
            let kind = index.isUnique ? "a unique key" : "an index"
            for column in index.columns where !known.contains(column) {
                return "\(kind) of '\(entity)' names "
                    + missing(column, columns: columns, table: table)
            }
        }
        for reference in references where !known.contains(reference.column) {
            return "a reference of '\(entity)' names " + missing(reference.column, columns: columns, table: table)
        }
        guard !formerColumnNames.isEmpty else { return nil }
        let names = Set(columns.map(SQLName.init))
        let renamed = formerColumnNames.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if let (one, other, former) = sharedFormerName(renamed) {
            return "'\(one)' and '\(other)' of '\(entity)' are both renamed from '\(former)'"
        }
        for column in formerColumnNames.keys.sorted() {
            if let name = formerColumnNames[column]?.first(where: { names.contains(SQLName($0)) }) {
                if name.isSameName(as: column) {
                    return "'\(column)' of '\(entity)' keeps its name: it needs no former name '\(name)', "
                        + "and case makes no difference"
                }
                return "'\(column)' of '\(entity)' cannot be renamed from '\(name)', which is a column of today's"
            }
        }
        return nil
    }

    private func missing(_ column: String, columns: [String], table: String) -> String {
        "the column '\(column)', which table '\(table)' does not have"
            + (columns.nearest(to: column).map { "; did you mean '\($0)'?" } ?? "")
    }
}

/// The first former name that two tables, or columns, have, of which its rows or values can go to one only.
func sharedFormerName(_ renamed: [(name: String, former: [String])]) -> (one: String, other: String, former: String)? {
    var successors: [SQLName: String] = [:]
    for (name, formerNames) in renamed {
        for former in formerNames {
            let one = successors.updateValue(name, forKey: SQLName(former)) ?? name
            if !one.isSameName(as: name) { return (one, name, former) }
        }
    }
    return nil
}

/// Tables each of which has the former name of the next, and the last one that of the first, and no name besides that they had on the way.
func swappedNames(_ renamed: [(name: String, former: [String])]) -> [String]? {
    let names = Dictionary(renamed.map { (SQLName($0.name), $0) }) { first, _ in first }
    for table in renamed {
        var swapped = [table.name]
        var former = table.former
        while former.count == 1, let next = names[SQLName(former[0])], swapped.count <= renamed.count {
            if next.name.isSameName(as: table.name) { return swapped.count > 1 ? swapped : nil }
            swapped.append(next.name)
            former = next.former
        }
    }
    return nil
}
