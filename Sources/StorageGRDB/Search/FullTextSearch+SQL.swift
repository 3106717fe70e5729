extension FullTextSearch {
    /// The names of what a search gives beside the columns of the table.
    enum Result {
        static let key = "storagekit_key"
        static let rank = "storagekit_rank"
        static let passage = "storagekit_passage"
    }

    /// Writes the `FROM` clause of the hits: the rows of the table, each with its rank. A document whose row is gone is
    /// no hit.
    ///
    /// FTS5 comes first in the join, so that it is asked once, and not for each row.
    ///
    /// - Throws: `StorageError.queryFailed` for a search or a passage that cannot be.
    func appendHits(
        to query: inout LoweredQuery, of table: String, idColumn: String, passage: SearchPassage?
    ) throws {
        try check()
        try passage?.check()
        let index = FullTextIndex.name(ofTable: table).quotedIdentifier
        let keys = FullTextKey.listName(ofTable: table).quotedIdentifier
        query.sql += "(SELECT \(keys).\"id\" AS \"\(Result.key)\", "
        appendRank(of: index, to: &query)
        query.sql += " AS \"\(Result.rank)\""
        if let passage {
            query.sql += ", "
            passage.append(of: index, to: &query)
            query.sql += " AS \"\(Result.passage)\""
        }
        query.sql += " FROM \(index) CROSS JOIN \(keys) ON \(keys).\"docid\" = \(index).\"rowid\" WHERE \(index) MATCH "
        query.append(.text(self.query))
        let rows = table.quotedIdentifier
        query.sql += ") CROSS JOIN \(rows) ON \"\(Result.key)\" = \(rows).\(idColumn.quotedIdentifier)"
        query.searches.append(
            SearchedIndex(
                table: table, idColumn: idColumn, query: self.query, weightCount: weights.count,
                passageColumn: passage?.column))
    }

    /// FTS5 sorts by `rank` itself and hands over hits one by one; a call of `bm25` has to be sorted by SQLite.
    private func appendRank(of index: String, to query: inout LoweredQuery) {
        guard !weights.isEmpty else { return query.sql += "\(index).\"rank\"" }
        query.sql += "bm25(\(index)"
        for weight in weights {
            query.sql += ", "
            query.append(.real(weight))
        }
        query.sql += ")"
    }
}
