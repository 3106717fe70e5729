/// What a query asks for, before any SQL: the one value that repository, facade, observation and queries inside queries share.
package struct QueryPlan: Sendable {
    /// Whose rows are asked.
    package let table: SourceTable
    /// What stands for a row of the table in the plan's expressions: the source of each closure that built a part of it.
    package private(set) var sources: [Source] = []
    /// The rows of other tables beside each row, in the order in which they were joined.
    package var joins: [Join] = []
    /// The rows whose children are asked for; nil where nobody's are.
    var parents: ParentRows?
    /// What is selected; nil for all columns of the table.
    package var selection: [ExpressionNode]?
    package var isDistinct = false
    package var filter: ExpressionNode?
    /// What is searched for in the table's full-text index. Without another order, the best hit comes first.
    package private(set) var search: FullTextSearch?
    /// What the rows of a group have in common; nil where rows are not grouped, and empty where all are one group.
    package var groupKeys: [ExpressionNode]?
    /// What groups must meet.
    package var having: ExpressionNode?
    package var order: [OrderTerm] = []
    package var limit: Int?
    package var offset: Int?
    /// The coders of the store that is asked; nil for the usual ones.
    package var coders: JSONCoders?

    package struct OrderTerm: Sendable {
        package let expression: ExpressionNode
        package let order: SortOrder
        /// Where NULLs stand; nil where SQLite puts them.
        package var nulls: NullsOrder?
        /// Whether SQLite sorts whole rows, and does not look each up in the order of an index. Where all rows are asked for that is
        /// quicker.
        package var sortsRows = false
        /// Whether it is the order of a limit that a subquery has applied: the rows are still sorted by it, unless they are grouped or
        /// made distinct.
        var isSpent = false

        package init(_ expression: ExpressionNode, _ order: SortOrder, nulls: NullsOrder? = nil) {
            self.expression = expression
            self.order = order
            self.nulls = nulls
        }

        /// Whether NULL comes before all values.
        package var nullsFirst: Bool {
            nulls.map { $0 == .first } ?? (order == .ascending)
        }
    }

    /// Asks for all rows of a table.
    package init(_ table: SourceTable) {
        self.table = table
    }

    /// Asks for rows that the sources of another plan stand for too.
    init(_ table: SourceTable, standingFor sources: [Source], search: FullTextSearch?) {
        self.table = table
        self.sources = sources
        self.search = search
    }

    // MARK: - Building

    /// What stands for a row in the closure that builds the next part.
    package mutating func newSource() -> Source {
        let source = Source(table)
        sources.append(source)
        return source
    }

    /// What stands for a row, and for those that are joined to it, in the closure that builds the next part.
    package mutating func newSources() -> [Source] {
        [newSource()] + joins.indices.map { joins[$0].newSource() }
    }

    /// Rows must meet this condition too.
    package mutating func add(_ condition: ExpressionNode) {
        filter = filter.map { .and($0, condition) } ?? condition
    }

    /// Rows must hold this text in the column; the column's affinity converts it where it is a number.
    package mutating func add(column: String, equals value: String) {
        add(.compare(.equal, .column(column, of: nil), .constant(.text(value), nil)))
    }

    /// Rows must be hits of this search too. The first one ranks them.
    package mutating func add(_ search: FullTextSearch) {
        if self.search == nil {
            self.search = search
        } else {
            add(.isHit(search))
        }
    }

    /// Sorts by an expression, after all added before.
    package mutating func sort(by expression: ExpressionNode, _ order: SortOrder, nulls: NullsOrder? = nil) {
        self.order.append(OrderTerm(expression, order, nulls: nulls))
    }

    /// Sorts by a column, after all added before.
    package mutating func sort(by column: String, _ order: SortOrder, nulls: NullsOrder? = nil) {
        sort(by: .column(column, of: nil), order, nulls: nulls)
    }

    /// - Throws: `StorageError.queryFailed` for the limit of a page that could hold nothing.
    package static func check(pageLimit: Int) throws {
        guard pageLimit >= 1 else { throw StorageError.invalidQuery("a page needs a limit of 1 or more") }
    }

    /// - Throws: `StorageError.queryFailed` for a negative limit or offset.
    func checkRange() throws {
        guard limit ?? 0 >= 0, offset ?? 0 >= 0 else {
            throw StorageError.invalidQuery("limit and offset must not be negative")
        }
    }

    // MARK: - Other forms of it

    /// The same rows, which nothing ranks.
    package func unranked() -> QueryPlan {
        guard let search else { return self }
        var plan = self
        plan.search = nil
        plan.add(.isHit(search))
        return plan
    }

    /// The same rows without limit, offset and order, for statements that know none of them.
    ///
    /// - Parameter canJoin: Whether the statement can have the rows of other tables beside those of its own, and changes none.
    func withoutLimit(canJoin: Bool = true) -> QueryPlan {
        guard limit != nil || offset != nil || !canJoin && (!joins.isEmpty || filterLooksElsewhere) else {
            var plan = unranked()
            plan.order = []
            return plan
        }
        var plan = QueryPlan(table)
        plan.sources = sources
        if canJoin { plan.joins = joins }
        plan.coders = coders
        plan.add(.isAmong(self))
        return plan
    }

    /// The order that the plan names, or the one that its search makes.
    package var effectiveOrder: [OrderTerm] {
        order.isEmpty && search != nil ? [OrderTerm(.rank, .ascending)] : order
    }

    // MARK: - What is known of it

    /// The id of a row.
    var id: ExpressionNode { .column(table.idColumn, of: nil) }

    /// What a row is known by: its id, and those of the rows that are joined to it, which may be NULL where nothing may be.
    package var rowKey: [ExpressionNode] { table.identity.map { .column($0, of: nil) } + joins.map(\.id) }

    /// The column's name, if an expression is a column of the plan's own table.
    package func ownColumn(_ expression: ExpressionNode) -> String? {
        guard case .column(let name, let source) = expression else { return nil }
        return source.map(sources.contains) ?? true ? name : nil
    }

    /// Whether the filter reads other rows than the one that it is about: by a path, for which DELETE and UPDATE have no join, or of the
    /// same table, where the statement would see what it has changed already.
    private var filterLooksElsewhere: Bool {
        guard let filter else { return false }
        return filter.followsPath { _ in true } || filter.tablesRead.mayRead(table.name.asciiLowercased)
    }

    /// Whether it cannot find more than one row, and always finds that one.
    var isOneRow: Bool { groupKeys?.isEmpty == true && having == nil && limit == nil && offset == nil }

    /// Whether the rows of other tables stand beside those of its own.
    package var meansSeveralSources: Bool {
        !joins.isEmpty || parents != nil || ownExpressions.contains { $0.meansSeveralSources }
    }

    /// All that it is made of, and the query whose rows it asks.
    var expressions: [ExpressionNode] { ownExpressions + (table.rows?.expressions ?? []) }

    private var ownExpressions: [ExpressionNode] {
        var all = order.map(\.expression) + joins.map(\.condition)
        if let selection { all += selection }
        if let filter { all.append(filter) }
        if let groupKeys { all += groupKeys }
        if let having { all.append(having) }
        return all
    }
}
