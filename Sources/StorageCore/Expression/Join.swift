/// Rows of another table beside each row of a plan's.
package struct Join: Sendable {
    /// The rows in question. Where it is optional, a row stays that has none beside it.
    package let source: Source
    /// Which rows stand side by side.
    package let condition: ExpressionNode
    /// What stands for the joined rows in the closures that built parts of the plan.
    package private(set) var closures: [Source]

    package init(_ source: Source, on condition: ExpressionNode) {
        self.source = source
        self.condition = condition
        closures = [source]
    }

    /// What stands for a joined row in the closure that builds the next part.
    package mutating func newSource() -> Source {
        let new = Source(source.table, isOptional: source.isOptional)
        closures.append(new)
        return new
    }
}
