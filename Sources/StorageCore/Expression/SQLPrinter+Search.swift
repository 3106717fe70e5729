extension SQLPrinter {
    /// Writes the `FROM` clause of the hits: the rows of the table, each with its rank. A document whose row is gone is
    /// no hit.
    ///
    /// FTS5 comes first in the join, so that it is asked once, and not for each row.
    ///
    /// - Throws: `StorageError.queryFailed` for a search or a passage that cannot be.
    mutating func append(
        hitsOf search: FullTextSearch, in rows: NamedRows, passage: SearchPassage?
    ) throws {
        let table = rows.table
        try search.check()
        try passage?.check()
        let index = FullTextSearch.indexName(ofTable: table.name).quotedIdentifier
        let keys = FullTextSearch.keyListName(ofTable: table.name).quotedIdentifier
        append("(SELECT \(keys).\"id\" AS \"\(FullTextSearch.Result.key)\", ")
        append(rankOf: search, index)
        append(" AS \"\(FullTextSearch.Result.rank)\"")
        if let passage {
            append(", ")
            append(passage, of: index)
            append(" AS \"\(FullTextSearch.Result.passage)\"")
        }
        append(" FROM \(index) CROSS JOIN \(keys) ON \(keys).\"docid\" = \(index).\"rowid\" WHERE \(index) MATCH ")
        append(value: .text(search.query))
        let id = table.idColumn.quotedIdentifier
        append(") CROSS JOIN \(rows.declaration) ON \"\(FullTextSearch.Result.key)\" = \(rows.name).\(id)")
        query.searches.append(
            SearchedIndex(
                table: table.name, idColumn: table.idColumn, query: search.query, weightCount: search.weights.count,
                passageColumn: passage?.column))
    }

    /// FTS5 sorts by `rank` itself and hands over hits one by one; a call of `bm25` has to be sorted by SQLite.
    private mutating func append(rankOf search: FullTextSearch, _ index: String) {
        guard !search.weights.isEmpty else { return append("\(index).\"rank\"") }
        append("bm25(\(index)")
        for weight in search.weights {
            append(", ")
            append(value: .real(weight))
        }
        append(")")
    }

    /// Writes the call of FTS5's function.
    private mutating func append(_ passage: SearchPassage, of index: String) {
        append("\(passage.tokens == nil ? "highlight" : "snippet")(\(index)")
        let marks = [StoredValue.integer(Int64(passage.column)), .text(passage.open), .text(passage.close)]
        let limits = passage.tokens.map { [StoredValue.text(passage.ellipsis), .integer(Int64($0))] } ?? []
        for argument in marks + limits {
            append(", ")
            append(value: argument)
        }
        append(")")
    }

    /// Writes that the row of the innermost query is a hit.
    mutating func append(hitOf search: FullTextSearch) throws {
        guard let table = rows.first?.table else { return }
        let id = table.idColumn.quotedIdentifier
        append("\(qualified(id)) IN (SELECT \(id) FROM ")
        let hits = NamedRows(table: table, name: table.quotedName, closures: [], path: nil, isOptional: false)
        try append(hitsOf: search, in: hits, passage: nil)
        append(")")
    }
}
