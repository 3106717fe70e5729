/// A condition on the rows of a query, built with operators on columns.
///
/// ```swift
/// storage.query(User.self).where { $0.age >= 18 && $0.email.hasSuffix("@example.com") }
/// ```
///
/// Values travel as statement arguments; none ever becomes part of the SQL text.
public struct Predicate: Sendable {
    package let node: PredicateNode

    init(_ node: PredicateNode) {
        self.node = node
    }
}

/// The tree of a predicate. One lowering turns it into SQL.
package indirect enum PredicateNode: Sendable {
    case compare(column: String, Comparison, StoredValue)
    /// As `compare`, with the value exactly as a row holds it: where a page goes on.
    case compareStored(column: String, Comparison, StoredValue)
    /// The column holds one of the values, or NULL where that is one of them.
    case isIn(column: String, [StoredValue], orNull: Bool)
    case isNull(column: String)
    case isNotNull(column: String)
    case match(column: String, TextMatch, needle: String, ignoringCase: Bool)
    case and(PredicateNode, PredicateNode)
    case or(PredicateNode, PredicateNode)
    case not(PredicateNode)
    /// The row is one of those whose ids a query finds.
    case isAmong(LoweredQuery)
    /// The row is a hit of a search of the table's full-text index.
    case isHit(FullTextSearch)
    /// The rank that the plan's search gives the row.
    case compareRank(Comparison, StoredValue)
    /// No row.
    case never
    /// A value that SQLite has no form for: the query throws when it runs.
    case invalid(column: String, reason: String)
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
