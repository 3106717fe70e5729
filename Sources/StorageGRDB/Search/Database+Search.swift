import GRDB
import StorageSQLite

extension Database {
    /// The SQL of a query, with what ties the documents of the indexes that it searches to rows.
    ///
    /// - Throws: `StorageError.queryFailed` that says what the file lacks.
    func sql(of query: LoweredQuery) throws -> String {
        guard !query.searches.isEmpty else { return query.sql }
        let keyLists = try SearchClauses.clause(of: query.searches, self) {
            var lists: [String] = []
            for search in query.searches {
                let list = try keyList(search)
                if !lists.contains(list) { lists.append(list) }
            }
            return lists.joined(separator: ", ")
        }
        // A statement has one WITH.
        let commonTables = query.commonTables.isEmpty ? keyLists : "\(keyLists), \(query.commonTables)"
        return "WITH \(commonTables) \(query.body)"
    }

    private func keyList(_ search: SearchedIndex) throws -> String {
        let columns = try indexedColumns(of: search.table)
        guard !columns.isEmpty, let key = try FullTextSource.find(search.table, on: self)?.key,
            try key.isWhole(ofTable: search.table, on: self)
        else {
            throw StorageError.invalidQuery(
                "table '\(search.table)' has no full-text index; make one with "
                    + "addFullTextSearch(table: \"\(search.table)\", columns: ...) where the store is started")
        }
        try search.check(columns)
        let name = FullTextSearch.keyListName(ofTable: search.table).quotedIdentifier
        // A query that searches twice must not have the list made beforehand.
        return "\(name) (\"docid\", \"id\") AS NOT MATERIALIZED "
            + "(\(key.listSQL(ofTable: search.table, idColumn: search.idColumn)))"
    }

    /// The columns of a table's full-text index; none where it has no index.
    func indexedColumns(of table: String) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT part.name
                    FROM pragma_table_list(?) AS list, pragma_table_info(list.name, 'main') AS part
                    WHERE list.schema = 'main' AND list.type = 'virtual'
                    """),
            arguments: [FullTextSearch.indexName(ofTable: table)])
    }
}

extension FullTextKey {
    /// Whether the file has the map that keys of this kind need.
    fileprivate func isWhole(ofTable table: String, on db: Database) throws -> Bool {
        guard case .mapped = self else { return true }
        return try db.hasTable(FullTextIndex.idsName(ofTable: table))
    }
}

extension SearchedIndex {
    /// - Parameter columns: Those that the index has.
    fileprivate func check(_ columns: [String]) throws {
        if let passageColumn, !columns.indices.contains(passageColumn) {
            throw misuse("has no column \(passageColumn)", columns)
        }
        if weightCount != 0, weightCount != columns.count {
            throw misuse("takes \(columns.count) weights, one for each column, and not \(weightCount)", columns)
        }
    }

    private func misuse(_ complaint: String, _ columns: [String]) -> StorageError {
        let list = columns.enumerated().map { "\($0.offset) '\($0.element)'" }.joined(separator: ", ")
        return .invalidQuery("the full-text index of table '\(table)' \(complaint); its columns are \(list)")
    }
}

extension Database {
    /// Runs a query, and says of a search that FTS5 does not understand that it is the search.
    ///
    /// FTS5 reads a search only when the statement runs, where triggers may fail with the same code. So it is asked about
    /// each search alone.
    func explaining<T>(_ query: LoweredQuery, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw explained(error, of: query)
        }
    }

    private func explained(_ error: DatabaseError, of query: LoweredQuery) -> any Error {
        for search in query.searches {
            guard let complaint = complaint(about: search) else { continue }
            return StorageError.queryFailed(
                sql: error.sql,
                underlying: InvalidQuery(
                    reason:
                        "FTS5 does not understand the search of table '\(search.table)': \(complaint). "
                        + "What a person types is for matchingText and searchText"
                ))
        }
        if !query.jsonColumns.isEmpty, let message = error.message, message.contains("JSON") {
            let columns = query.jsonColumns.sorted().map { "'\($0)'" }.joined(separator: " or ")
            let reason =
                message.hasPrefix(FunctionFailure.otherJSON)
                ? "column \(columns) of a row: \(message)"
                : "column \(columns) of a row holds no JSON that SQLite can look into (\(message))"
            return StorageError.queryFailed(sql: error.sql, underlying: InvalidQuery(reason: reason))
        }
        return error
    }

    /// What FTS5 says against a search; nil if it understands it.
    private func complaint(about search: SearchedIndex) -> String? {
        let index = FullTextSearch.indexName(ofTable: search.table).quotedIdentifier
        do {
            _ = try firstRow("SELECT 1 FROM \(index) WHERE \(index) MATCH ?", [.text(search.query)]) { _ in }
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            let complaint = error.message?.withoutSearchedWords ?? "it does not say why"
            guard complaint == "no such column", let columns = try? indexedColumns(of: search.table) else {
                return complaint
            }
            return "\(complaint); the index has \(columns.quoted)"
        } catch {
            return nil
        }
    }
}

extension String {
    /// A complaint of FTS5's without the words of the search, which stand behind a quotation mark or a colon: of
    /// `no such column: ada`, it is the first three words. They are values, and not for a log.
    fileprivate var withoutSearchedWords: String {
        let complaint = hasPrefix("fts5: ") ? dropFirst(6) : self[...]
        let end =
            complaint.utf8.firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ":") } ?? complaint.endIndex
        let words = complaint[..<end].trimmingCharacters(in: .whitespaces)
        let rest = [" near", ", got"].first(where: words.hasSuffix)
        return String(words.dropLast(rest?.count ?? 0))
    }
}
