/// A read of a table that is put together and not yet run: on a connection of the store's, or in a transaction.
package struct TableRead<Value>: Sendable {
    /// Whether it may run on the calling thread, as ``LoweredQuery/mayBeBrief`` says.
    let mayBeBrief: Bool
    /// The statement, or the first of several.
    let sql: String
    let body: @Sendable (Database) throws -> Value

    init(_ query: LoweredQuery, _ body: @escaping @Sendable (Database) throws -> Value) {
        self.init(query.sql, mayBeBrief: query.mayBeBrief, body)
    }

    init(_ sql: String, mayBeBrief: Bool, _ body: @escaping @Sendable (Database) throws -> Value) {
        self.mayBeBrief = mayBeBrief
        self.sql = sql
        self.body = body
    }

    /// The same, and something made of what was read.
    package func map<Other>(_ transform: @escaping @Sendable (Value) throws -> Other) -> TableRead<Other> {
        TableRead<Other>(sql, mayBeBrief: mayBeBrief) { try transform(body($0)) }
    }
}

extension RecordTable {
    /// The entities that a plan asks for, in its order.
    package func all(_ plan: QueryPlan) throws -> TableRead<[R.E]> { try all(selectSQL(of: plan)) }

    /// The same, of a plan whose SELECT was written before.
    func all(_ query: LoweredQuery) -> TableRead<[R.E]> {
        TableRead(query) { [self] db in try db.entities(query, of: self) }
    }

    /// The SELECT of the entities that a plan asks for.
    func selectSQL(of plan: QueryPlan) throws -> LoweredQuery { try sortingRows(of: plan).selectSQL() }

    /// The same plan, if it asks for nothing but rows in the order of ids that are texts: those stand in an index of their own, by which
    /// SQLite would look up one row after the other.
    private func sortingRows(of plan: QueryPlan) -> QueryPlan {
        guard R.E.Id.self == String.self, plan.order.count == 1, let term = plan.order.first, plan.limit == nil,
            plan.offset == nil, plan.ownColumn(term.expression) == idColumn
        else { return plan }
        var sorted = plan
        sorted.order[0].sortsRows = true
        return sorted
    }

    /// How many rows a plan asks for.
    package func count(_ plan: QueryPlan) throws -> TableRead<Int> { try count(plan.countSQL()) }

    /// The same, of a plan whose SELECT was written before.
    func count(_ query: LoweredQuery) -> TableRead<Int> {
        values(query) { try $0.next() as Int }.map { $0.first ?? 0 }
    }

    /// Whether a plan asks for any row.
    package func exists(_ plan: QueryPlan) throws -> TableRead<Bool> {
        try values(plan.existsSQL()) { try $0.next() as Bool }.map { $0.first ?? false }
    }

    /// What is read of each row.
    ///
    /// - Parameter column: The one column that is read, for errors; nil where there are more.
    package func values<Value>(
        _ query: LoweredQuery, ofColumn column: String? = nil,
        reading read: @escaping @Sendable (inout RowReader) throws -> Value
    ) -> TableRead<[Value]> {
        reduce(query, ofColumn: column, into: { [] }) { $0.append(try read(&$1)) }
    }

    /// What comes of putting the values of one column together one by one, of which only one is in memory.
    ///
    /// - Parameter column: The column, for errors; nil for what SQLite calls it.
    package func reduce<Result>(
        _ query: LoweredQuery, ofColumn column: String? = nil, into initial: @escaping @Sendable () -> Result,
        _ update: @escaping @Sendable (inout Result, inout RowReader) throws -> Void
    ) -> TableRead<Result> {
        TableRead(query) { [self] db in
            var result = initial()
            try EntityCodec.namingEntity(R.E.self, column: column) {
                try db.forEachRow(query, coders: coders) { try update(&result, &$0) }
            }
            return result
        }
    }
}
