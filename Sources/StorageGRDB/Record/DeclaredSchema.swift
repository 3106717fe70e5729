/// What an entity declares of its table beside the columns.
struct DeclaredSchema: Sendable {
    var indexes: [IndexSchema] = []
    /// A parent is asked for its table and key when somebody needs them: it may be about to be described itself, and may refer back.
    var references: [(column: String, schema: @Sendable () -> ReferenceSchema)] = []
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
        let lowercased = Set(columns.map(\.asciiLowercased))
        var successors: [String: String] = [:]
        for column in formerColumnNames.keys.sorted() {
            for name in formerColumnNames[column] ?? [] {
                if let other = successors.updateValue(column, forKey: name.asciiLowercased), other != column {
                    return "'\(other)' and '\(column)' of '\(entity)' are both renamed from '\(name)'"
                }
            }
            if let name = formerColumnNames[column]?.first(where: { lowercased.contains($0.asciiLowercased) }) {
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
