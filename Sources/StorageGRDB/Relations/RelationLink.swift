/// A table whose rows each refer to one row of two others, or twice to one of the same.
package struct RelationLink: Sendable {
    /// Found when it is asked for: the link's entity refers back to those that it links.
    private let find: @Sendable () -> (table: SourceTable, references: [ReferenceSchema])
    private let from: String?
    private let to: String?

    init<Link: RegisteredEntity>(_ link: Link.Type, from: String?, to: String?) {
        find = { (RecordTable(Link.Record.self).source, Link.Record.schemaReferences) }
        self.from = from
        self.to = to
    }

    package var table: SourceTable { find().table }

    /// The columns that refer to the one table and to the other.
    ///
    /// - Throws: Where there is no such column, or where it is not clear which one is meant.
    package func columns(from parent: SourceTable, to child: SourceTable) throws(InvalidQuery) -> (
        from: String, to: String
    ) {
        let (table, references) = find()
        func column(
            to other: SourceTable, besides taken: String?, _ label: String
        ) throws(InvalidQuery) -> String {
            let found = references.filter {
                $0.table.isSameName(as: other.name) && $0.column != taken
            }
            if found.count == 1 { return found[0].column }
            let several = found.map { "'\($0.column)'" }.joined(separator: ", ")
            throw InvalidQuery(
                reason: "table '\(table.name)' links '\(parent.name)' with '\(child.name)', but "
                    + (found.isEmpty
                        ? "has no reference to '\(other.name)'"
                        : "refers to '\(other.name)' by \(several)")
                    + "; name the column: '\(label): \"...\"'")
        }
        let first = if let from { from } else { try column(to: parent, besides: to, "from") }
        let second = if let to { to } else { try column(to: child, besides: from, "to") }
        return (first, second)
    }
}
