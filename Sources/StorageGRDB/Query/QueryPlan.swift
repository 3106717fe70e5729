/// What a query asks for, before any SQL: the one value that repository, facade and observation share.
package struct QueryPlan: Sendable {
    package var filter: PredicateNode?
    /// What is searched for in the table's full-text index. Without another order, the best hit comes first.
    package private(set) var search: FullTextSearch?
    package var order: [OrderTerm] = []
    package var limit: Int?
    package var offset: Int?

    package struct OrderTerm: Sendable {
        package let column: String
        package let order: SortOrder
        /// Where NULLs stand; nil where SQLite puts them.
        package var nulls: NullsOrder?
    }

    package init() {}

    /// Rows must meet this condition too.
    package mutating func add(_ predicate: Predicate) {
        filter = filter.map { .and($0, predicate.node) } ?? predicate.node
    }

    /// Rows must hold this text in the column; the column's affinity converts it where it is a number.
    package mutating func add(column: String, equals value: String) {
        add(Predicate(.compare(column: column, .equal, .text(value))))
    }

    /// Rows must be hits of this search too. The first one ranks them.
    package mutating func add(_ search: FullTextSearch) {
        if self.search == nil {
            self.search = search
        } else {
            add(Predicate(.isHit(search)))
        }
    }

    /// - Throws: `StorageError.queryFailed` for the limit of a page that could hold nothing.
    package static func check(pageLimit: Int) throws {
        guard pageLimit >= 1 else { throw StorageError.invalidQuery("a page needs a limit of 1 or more") }
    }

    /// The same rows, which nothing ranks.
    func unranked() -> QueryPlan {
        guard let search else { return self }
        var plan = self
        plan.search = nil
        plan.add(Predicate(.isHit(search)))
        return plan
    }

    /// The order that the plan names, or the one that its search makes.
    var effectiveOrder: [OrderTerm] {
        order.isEmpty && search != nil ? [OrderTerm(column: FullTextSearch.Result.rank, order: .ascending)] : order
    }

    /// Sorts by the column, after all columns added before.
    package mutating func sort(by column: String, _ order: SortOrder, nulls: NullsOrder? = nil) {
        self.order.append(OrderTerm(column: column, order: order, nulls: nulls))
    }

    /// The plan of the `orderBy:ascending:` parameters: by id where no column is named.
    package static func all<R>(_ table: RecordTable<R>, orderBy: String?, ascending: Bool) -> QueryPlan {
        var plan = QueryPlan()
        plan.sort(by: orderBy ?? table.idColumn, ascending ? .ascending : .descending)
        return plan
    }
}
