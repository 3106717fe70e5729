extension DatabaseActor {
    /// The entities that the plan's search finds, in the plan's order, each with its rank.
    package func hits<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, _ plan: QueryPlan, passage: SearchPassage?
    ) async throws -> [SearchResult<R.E>] {
        guard plan.search != nil else {
            throw StorageError.invalidQuery("there are no hits without a search; say first what is to match")
        }
        let query = try plan.selectSQL(table, alsoSelecting: [FullTextSearch.Result.rank], passage: passage)
        let rankIndex = Int32(table.columns.count)
        return try await converting(.read, table) {
            try await readRows(mayBeBrief: false) { db in
                try db.values(query, coders: table.coders) { row in
                    let entity = try EntityCodec.decode(R.self, &row)
                    let hasSnippet = passage != nil && !row.isNull(at: rankIndex + 1)
                    let snippet = hasSnippet ? try row.text(at: rankIndex + 1) : nil
                    return SearchResult(
                        entity: entity, rank: try row.real(at: rankIndex, as: Double.self), snippet: snippet)
                }
            }
        }
    }
}
