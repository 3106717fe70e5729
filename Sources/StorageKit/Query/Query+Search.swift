public import StorageRepo

extension Query {
    /// Keeps the rows that a search of the table's full-text index finds. Without ``orderBy(_:_:nulls:)`` the best ones
    /// come first.
    ///
    /// ```swift
    /// let articles = try await storage.query(Article.self)
    ///     .matching("swift NOT objc")
    ///     .where { $0.isPublished }
    ///     .limit(20)
    ///     .fetch()
    /// ```
    ///
    /// The index is the one of `addFullTextSearch`. The query reads FTS5's syntax: words (all of them are to be there),
    /// `"a phrase"`, `AND`, `OR`, `NOT` with parentheses, `begin*`, `title:word`, `NEAR(one two, 5)`. For what a person
    /// typed, use ``matchingText(_:weights:)``. Of several searches a row must match all, and the first one ranks. After a limit or an
    /// offset a search is one of the rows that those leave.
    ///
    /// - Parameters:
    ///   - query: What to find, in FTS5's syntax. The call that asks throws
    ///     ``StorageError/queryFailed(sql:underlying:)`` if it is none, or if the table has no full-text index.
    ///   - weights: How much a hit in each column of the index counts, one number for each; empty where all count the
    ///     same. With weights SQLite has to rank all hits before the first comes, which takes longer.
    public func matching(_ query: String, weights: [Double] = []) -> Query<E> {
        searched(by: FullTextSearch(query, weights: weights))
    }

    /// Keeps the rows that have all words of a text, of which the last may be the beginning of one: what a search field
    /// wants while a person types.
    ///
    /// Any text will do: quotes, operators and other signs have no meaning. One without a word finds nothing.
    ///
    /// - Parameters:
    ///   - text: What was typed.
    ///   - weights: How much a hit in each column of the index counts, as in ``matching(_:weights:)``.
    public func matchingText(_ text: String, weights: [Double] = []) -> Query<E> {
        searched(by: FullTextSearch(typed: text, weights: weights))
    }

    private func searched(by search: FullTextSearch) -> Query<E> {
        changingRemaining { $0.add(search) }
    }

    /// The entities that the search finds, each with its rank, and with a passage of the text if you like.
    ///
    /// ```swift
    /// let hits = try await storage.query(Article.self)
    ///     .matching("swift", weights: [10, 1])
    ///     .limit(20)
    ///     .hits(.snippet(column: 1))
    /// for hit in hits {
    ///     print(hit.entity.title, hit.rank, hit.snippet ?? "")
    /// }
    /// ```
    ///
    /// - Parameter passage: The text to show the words in; without it, ``SearchResult/snippet`` is nil.
    /// - Throws: As ``fetch()`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a query without search, a
    ///   column that the index does not have, or a snippet of a length that is not from 1 to 64.
    public func hits(_ passage: SearchPassage? = nil) async throws -> [SearchResult<E>] {
        try await repository.run(foundHits(passage))
    }
}
