/// What an expression is made of: a column, a value, a condition.
///
/// It knows whose columns it means, and nothing of SQL's text: ``SQLPrinter`` writes it.
package indirect enum ExpressionNode: Sendable {
    /// A column of a source; of the innermost query around it where there is none.
    case column(String, of: Source?)
    /// A value, with the form that its Swift type has.
    case constant(StoredValue, ColumnType?)

    // Conditions
    case compare(Comparison, ExpressionNode, ExpressionNode)
    /// As `compare`, with the value exactly as a row holds it: where a page goes on.
    case compareStored(Comparison, ExpressionNode, StoredValue)
    case isNull(ExpressionNode)
    case isNotNull(ExpressionNode)
    /// A column refers to a row: it holds its key. NULL refers to none, not even to one without a key.
    case isKey(ExpressionNode, of: ExpressionNode)
    /// One of the values, or NULL where that is one of them, with the form that their Swift type has.
    case isIn(ExpressionNode, [StoredValue], ColumnType?, orNull: Bool)
    /// One of the values that a query of one column finds, NULL among them.
    case isInQuery(ExpressionNode, QueryPlan)
    case match(TextMatch, ExpressionNode, needle: ExpressionNode, ignoringCase: Bool)
    case and(ExpressionNode, ExpressionNode)
    case or(ExpressionNode, ExpressionNode)
    case not(ExpressionNode)
    /// A query finds a row.
    case exists(QueryPlan)

    // Conditions on the rows of the innermost query
    /// The row, or the group, is one of those that a query of the same table finds.
    case isAmong(QueryPlan)
    /// The row is a hit of a search of the table's full-text index.
    case isHit(FullTextSearch)

    // Values
    case arithmetic(Arithmetic, ExpressionNode, ExpressionNode)
    case call(SQLFunction, [ExpressionNode])
    case cast(ExpressionNode, to: ColumnType)
    /// A text that is compared and sorted by a collation.
    case collated(ExpressionNode, String)
    /// The value of the first condition that holds.
    case choice([Choice], otherwise: ExpressionNode)
    /// The first that is not NULL.
    case firstNotNull([ExpressionNode])
    case aggregate(Aggregate)
    /// The one value that a query finds; NULL if it finds none.
    case scalar(QueryPlan)
    /// The rank that the search of the innermost query gives the row.
    case rank

    /// A date in the one spelling in which it is compared with others.
    case comparedDate(ExpressionNode)

    /// A place inside a column of JSON.
    case json(ExpressionNode, JSONPath)
    /// SQL of the app's, with expressions in it, and what its type holds. It may give NULL all the same.
    case sql([SQLPiece], ValueForm)
    /// A value that SQLite has no form for, or something that cannot be asked: the query throws when it runs.
    case invalid(String)

    /// The condition that no row meets.
    package static let never = ExpressionNode.constant(.integer(0), .boolean)
}

package enum Comparison: String, Sendable {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

package enum TextMatch: Sendable {
    case contains, hasPrefix, hasSuffix, equals
}

package enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    /// Of texts.
    case join = "||"
}

/// A function of SQL's, or of ours. It gives NULL where an argument is.
package struct SQLFunction: Sendable {
    let name: String
    /// What comes of it; nil for what its first argument is.
    let type: ColumnType?
    /// Whether it compares its arguments with each other.
    let comparesArguments: Bool

    package init(_ name: String, type: ColumnType? = nil, comparesArguments: Bool = false) {
        self.name = name
        self.type = type
        self.comparesArguments = comparesArguments
    }

    /// Whether it is one of ours, which SQLite itself has not.
    var isOwn: Bool { name.hasPrefix(FunctionName.ownPrefix) }

    /// The least, or the greatest, of two values. NULL where one of them is.
    package static let leastOfTwo = SQLFunction("MIN", comparesArguments: true)
    package static let greatestOfTwo = SQLFunction("MAX", comparesArguments: true)
}

/// A condition of a choice, and what is chosen where it holds.
package struct Choice: Sendable {
    let condition: ExpressionNode
    let value: ExpressionNode

    package init(_ condition: ExpressionNode, _ value: ExpressionNode) {
        self.condition = condition
        self.value = value
    }
}

/// What is made of many rows: those of a group, or of a whole query.
package final class Aggregate: Sendable {
    package enum Kind: String, Sendable {
        case count = "COUNT"
        case sum = "SUM"
        case average = "AVG"
        case least = "MIN"
        case greatest = "MAX"
    }

    let kind: Kind
    /// Nil to count rows.
    let argument: ExpressionNode?
    /// Which rows count; nil for all.
    let condition: ExpressionNode?
    /// Whether equal values count once.
    let isDistinct: Bool
    /// Which rows they are; nil for those of the innermost query.
    let rows: Source?

    package init(
        _ kind: Kind, _ argument: ExpressionNode? = nil, where condition: ExpressionNode? = nil,
        isDistinct: Bool = false, of rows: Source? = nil
    ) {
        self.kind = kind
        self.argument = argument
        self.condition = condition
        self.isDistinct = isDistinct
        self.rows = rows
    }
}

/// A part of SQL that the app wrote.
package enum SQLPiece: Sendable {
    case text(String)
    case expression(ExpressionNode)
}
