public import StorageRepo

extension Storage {
    /// The entities that a search of the table's full-text index finds, the best first.
    ///
    /// ```swift
    /// let results = try await storage.search(Article.self, query: "swift AND (async OR await)")
    /// for result in results {
    ///     print(result.entity.title, result.rank)
    /// }
    /// ```
    ///
    /// For a filter, an order or a page beside the search, see ``Query/matching(_:weights:)``.
    ///
    /// - Parameters:
    ///   - type: The entity, whose table needs `addFullTextSearch`.
    ///   - query: What to find, in FTS5's syntax: words, `"a phrase"`, `AND`, `OR`, `NOT`, `begin*`, `title:word`.
    ///   - limit: How many results there may be.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if the table has no full-text index, FTS5 does not
    ///   understand the query, or the limit is negative; ``StorageError/entityDecodingFailed(type:underlying:)`` for a
    ///   broken row.
    public func search<E: RegisteredEntity>(
        _ type: E.Type, query: String, limit: Int = 50
    ) async throws -> [SearchResult<E>] {
        try await self.query(type).matching(query).limit(limit).hits()
    }

    /// Like ``search(_:query:limit:)``, each result with the part of one text where the words are: 32 words at the most,
    /// those found between `<b>` and `</b>`, with `...` where the text goes on.
    ///
    /// For the whole text or other marks, see ``Query/hits(_:)``.
    ///
    /// - Parameters:
    ///   - type: The entity, whose table needs `addFullTextSearch`.
    ///   - query: What to find, in FTS5's syntax.
    ///   - snippetColumn: The column of the index, from 0, in the order in which `addFullTextSearch` names them.
    ///   - limit: How many results there may be.
    /// - Throws: As ``search(_:query:limit:)`` does, and ``StorageError/queryFailed(sql:underlying:)`` for a column that
    ///   the index does not have.
    public func searchWithSnippets<E: RegisteredEntity>(
        _ type: E.Type, query: String, snippetColumn: Int = 0, limit: Int = 50
    ) async throws -> [SearchResult<E>] {
        try await self.query(type).matching(query).limit(limit).hits(.snippet(column: snippetColumn))
    }

    /// The entities that have all words of a text, of which the last may be the beginning of one, the best first: what a
    /// search field wants while a person types.
    ///
    /// ```swift
    /// let results = try await storage.searchText(Article.self, "swift conc")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity, whose table needs `addFullTextSearch`.
    ///   - text: What was typed. Any text will do; one without a word finds nothing.
    ///   - limit: How many results there may be.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` if the table has no full-text index or the limit is
    ///   negative; ``StorageError/entityDecodingFailed(type:underlying:)`` for a broken row.
    public func searchText<E: RegisteredEntity>(
        _ type: E.Type, _ text: String, limit: Int = 50
    ) async throws -> [SearchResult<E>] {
        try await query(type).matchingText(text).limit(limit).hits()
    }
}

extension Storage {
    /// Searches in a transaction or a snapshot, as ``search(_:query:limit:)`` does.
    ///
    /// - Throws: ``StorageError`` for a query that FTS5 does not understand, or a type without a full-text index.
    public func search<E: RegisteredEntity>(
        _ type: E.Type, query: String, limit: Int = 50, in reading: some StorageReading
    ) throws -> [SearchResult<E>] {
        try self.query(type).matching(query).limit(limit).hits(in: reading)
    }

    /// Searches in a transaction or a snapshot, as ``searchWithSnippets(_:query:snippetColumn:limit:)`` does.
    ///
    /// - Throws: ``StorageError`` for a query that FTS5 does not understand, or a type without a full-text index.
    public func searchWithSnippets<E: RegisteredEntity>(
        _ type: E.Type, query: String, snippetColumn: Int = 0, limit: Int = 50, in reading: some StorageReading
    ) throws -> [SearchResult<E>] {
        try self.query(type).matching(query).limit(limit).hits(.snippet(column: snippetColumn), in: reading)
    }

    /// Searches in a transaction or a snapshot for a text as somebody types it, as ``searchText(_:_:limit:)`` does.
    ///
    /// - Throws: ``StorageError`` for a type without a full-text index.
    public func searchText<E: RegisteredEntity>(
        _ type: E.Type, _ text: String, limit: Int = 50, in reading: some StorageReading
    ) throws -> [SearchResult<E>] {
        try query(type).matchingText(text).limit(limit).hits(in: reading)
    }
}
