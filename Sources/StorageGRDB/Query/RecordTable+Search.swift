/// An entity that a search found.
public struct SearchResult<E: Sendable>: Sendable {
    /// The entity.
    public let entity: E
    /// How well it matches, by BM25: the lower, the better. It tells something only beside others of one search.
    public let rank: Double
    /// The passage that was asked for, with the words that were found between marks; nil where none was, and where
    /// the column is NULL.
    public let snippet: String?
}

extension SearchResult: Equatable where E: Equatable {}

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
