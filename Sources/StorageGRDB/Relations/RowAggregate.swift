/// What is made of many rows: how many there are, the greatest of their values.
public struct RowAggregate: Sendable {
    package let kind: Aggregate.Kind
    /// What of each row; nil to count rows.
    package let argument: ExpressionNode?
    /// Which rows count; nil for all.
    package let condition: ExpressionNode?
    /// Whether equal values count once.
    package let isDistinct: Bool
    /// What comes of no rows, where that is not nil.
    package let ofNothing: ExpressionNode?

    package init(
        _ kind: Aggregate.Kind, _ argument: ExpressionNode? = nil, where condition: ExpressionNode? = nil,
        isDistinct: Bool = false, ofNothing: ExpressionNode? = nil
    ) {
        self.kind = kind
        self.argument = argument
        self.condition = condition
        self.isDistinct = isDistinct
        self.ofNothing = ofNothing
    }

    /// The same of those rows alone that are there: of the others all columns are NULL.
    func ofThose<E>(in row: ColumnRef<E>) -> RowAggregate {
        let id = ExpressionNode.column(row.source.table.idColumn, of: row.source)
        let value = argument.map { argument in
            if case .column(_, let source?) = argument, source === row.source { return argument }
            return .choice([Choice(.isNotNull(id), argument)], otherwise: .constant(.null, nil))
        }
        return RowAggregate(
            kind, value ?? id, where: condition, isDistinct: isDistinct, ofNothing: ofNothing)
    }

    /// The same as an expression of a query of the rows.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - isFiltered: Whether the query itself keeps to the rows that meet the condition.
    package func node(of rows: Source, isFiltered: Bool = false) -> ExpressionNode {
        let aggregate = ExpressionNode.aggregate(
            Aggregate(kind, argument, where: isFiltered ? nil : condition, isDistinct: isDistinct, of: rows))
        return ofNothing.map { .firstNotNull([aggregate, $0]) } ?? aggregate
    }
}
