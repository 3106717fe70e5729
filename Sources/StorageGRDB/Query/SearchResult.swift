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
