/// Rows of another table beside each row of a plan's.
package struct Join: Sendable {
    package let table: SourceTable
    /// Whether a row stays that has none beside it.
    package let isOptional: Bool
    /// Which rows stand side by side.
    package let condition: ExpressionNode
    /// What stands for the joined rows in the closures that built parts of the plan.
    package private(set) var closures: [Source]

    /// - Parameters:
    ///   - table: The other table.
    ///   - isOptional: Whether a row stays that has none beside it.
    ///   - condition: Says of a row of the other table, which is there, whether it stands beside.
    package init(_ table: SourceTable, isOptional: Bool, on condition: (Source) -> ExpressionNode) {
        self.table = table
        self.isOptional = isOptional
        let row = Source(table)
        closures = [Source(table, isOptional: isOptional), row]
        self.condition = condition(row)
    }

    /// What stands for a joined row in the closure that builds the next part.
    package mutating func newSource() -> Source {
        let new = Source(table, isOptional: isOptional)
        closures.append(new)
        return new
    }

    /// The id of the joined row; NULL where there is none.
    var id: ExpressionNode { .column(table.idColumn, of: closures[0]) }

    /// Whether it is known only behind the rows that paths lead to from the joined one which of those stand side by side.
    var followsOwnPaths: Bool {
        condition.followsPath { $0.root.map(closures.contains) == true }
    }
}

extension QueryPlan {
    /// Refuses columns that are taken from no row where a joined table has one of that name. What an extension of a
    /// reference names by hand is the same for the rows of each table, so that nobody knows whose it is.
    ///
    /// - Parameter made: What a closure has made of the rows side by side.
    package mutating func refuseUnclearColumns(in made: [ExpressionNode]) {
        guard !joins.isEmpty else { return }
        let joined = Set(joins.flatMap { $0.table.columns.map(\.name) })
        guard let name = made.flatMap(\.namesWithoutSource).first(where: { joined.contains($0) }) else { return }
        let tables = ([table] + joins.map(\.table)).map { "'\($0.name)'" }.joined(separator: ", ")
        add(
            .invalid(
                "rows of \(tables) stand side by side, and '\(name)' is taken from none of them: take it from a row of the "
                    + "closure, in an extension from 'self', and not by 'Column(\"...\")' or 'storageColumns'"))
    }
}
