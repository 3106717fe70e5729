extension RecordTable {
    /// The entities that a plan's search finds, in the plan's order, each with its rank.
    package func hits(_ plan: QueryPlan, passage: SearchPassage?) throws -> TableRead<[SearchResult<R.E>]> {
        guard plan.search != nil else {
            throw StorageError.invalidQuery("there are no hits without a search; say first what is to match")
        }
        let query = try plan.selectSQL(alsoSelecting: [.rank], passage: passage)
        let rankIndex = Int32(columns.count)
        return values(query) { row in
            let entity = try EntityCodec.decode(R.self, &row)
            let hasSnippet = passage != nil && !row.isNull(at: rankIndex + 1)
            let snippet = hasSnippet ? try row.text(at: rankIndex + 1) : nil
            return SearchResult(entity: entity, rank: try row.real(at: rankIndex, as: Double.self), snippet: snippet)
        }
    }
}
