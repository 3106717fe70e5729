import StorageKit
import StorageTestSupport
import Testing

@Suite struct SearchErrorTests {
    /// What is wrong, if it is a search that failed.
    private func complaint(_ body: () async throws -> Void) async -> String? {
        guard let error = await storageError(body), case .queryFailed = error else { return nil }
        return error.description
    }

    @Test(arguments: [
        ("swift AND", "syntax error"), ("\"swift", "unterminated string"), ("(swift", "syntax error"),
        ("nope:swift", "no such column; the index has 'title', 'body'"), ("rank : x", "no such column"),
        ("NOT swift", "syntax error"),
        ("a,b", "syntax error"), (String(repeating: "(", count: 500), "parser stack overflow"),
        ("", "syntax error"), ("*", "begins with '*'"), ("*reads", "begins with '*'"), ("* id", "begins with '*'"),
        ("a\0b", "NUL"),
    ])
    func aSearchThatIsNoneSaysWhatIsWrongWithIt(query: String, words: String) async throws {
        let store = try await TemporaryStore.holding("swift")
        let search = store.storage.query(Article.self).matching(query)
        for message in [
            await complaint { _ = try await store.storage.search(Article.self, query: query) },
            await complaint { _ = try await store.storage.searchWithSnippets(Article.self, query: query) },
            await complaint { _ = try await search.fetch() },
            await complaint { _ = try await search.count() },
            await complaint { _ = try await search.exists() },
            await complaint { _ = try await search.page(limit: 1) },
            await complaint { _ = try await search.sum(\.year) },
            await complaint { _ = try await search.deleteAll() },
            await complaint { _ = try await search.updateAll { [$0.title.set(to: "x")] } },
            await complaint { for try await _ in search.stream() {} },
        ] {
            #expect(message?.contains(words) == true, "\(message ?? "no complaint")")
        }
        #expect(try await store.storage.found("swift") == ["1"])
    }

    @Test func aTriggerThatFailsIsNoFaultOfTheSearch() async throws {
        let store = try await TemporaryStore.holding("swift")
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fails BEFORE UPDATE ON articles BEGIN SELECT json('{'); END;
                    CREATE TRIGGER failsToo BEFORE DELETE ON articles BEGIN SELECT json('{'); END
                    """)
        }
        let search = store.storage.query(Article.self).matching("swift")
        for error in [
            await storageError { _ = try await search.deleteAll() },
            await storageError { _ = try await search.updateAll { [$0.year.set(to: 1)] } },
        ] {
            #expect(error?.description.contains("malformed JSON") == true)
            #expect(error?.description.contains("FTS5") == false)
        }
    }

    @Test func ofSeveralSearchesTheOneThatIsNoneIsBlamed() async throws {
        let store = try await TemporaryStore.holding("swift")
        let search = store.storage.query(Article.self).matching("swift").matching("nope:swift")
        #expect(await complaint { _ = try await search.fetch() }?.contains("no such column") == true)
        #expect(await complaint { _ = try await search.deleteAll() }?.contains("no such column") == true)
    }

    @Test func aTableWithoutAnIndexSaysHowToMakeOne() async throws {
        let store = try TemporaryStore.searched()
        let author = Archive.Author.self
        for message in [
            await complaint { _ = try await store.storage.search(author, query: "x") },
            await complaint { _ = try await store.storage.searchText(author, "x") },
            await complaint { _ = try await store.storage.searchWithSnippets(author, query: "x") },
            await complaint { _ = try await store.storage.query(author).matching("x").deleteAll() },
        ] {
            #expect(message?.contains("'authors' has no full-text index") == true)
            #expect(message?.contains("addFullTextSearch(table: \"authors\"") == true)
        }
    }

    @Test func aTableThatIsNotThereHasNoIndex() async throws {
        let store = try TemporaryStore { _ in }
        let message = await complaint { _ = try await store.storage.search(Article.self, query: "x") }
        #expect(message?.contains("'articles' has no full-text index") == true)
    }

    @Test func anIndexThatWasSearchedAndIsGoneIsNone() async throws {
        let store = try await TemporaryStore.holding("swift")
        let search = { try await store.storage.search(Article.self, query: "swift") }
        #expect(try await search().count == 1)
        try await store.db.write { try $0.execute(sql: "DROP TABLE articles_fts_ids") }
        #expect(await complaint { _ = try await search() }?.contains("'articles' has no full-text index") == true)
    }

    @Test func anIndexThatWasSearchedInATransactionThatWasUndoneIsLookedForAnew() async throws {
        struct Undone: Error {}
        let store = try await TemporaryStore.holding("swift")
        let search = store.storage.query(Article.self).matching("swift")
        await #expect(throws: Undone.self) {
            try await store.storage.transaction { tx in
                try tx.database.execute(sql: "CREATE TABLE other (x)")
                #expect(try search.fetch(in: tx).count == 1)
                throw Undone()
            }
        }
        try await store.db.write { try $0.execute(sql: "DROP TABLE articles_fts_ids") }
        let message = await complaint { _ = try await store.storage.transaction { try search.fetch(in: $0).count } }
        #expect(message?.contains("'articles' has no full-text index") == true)
    }

    /// Each index is asked to forget what it counted in a transaction that SQLite rolled back by itself.
    @Test func anIndexThatNobodyCanReadKeepsNothingElseFromBeingSaved() async throws {
        let folder = try TemporaryFolder()
        let store = try TemporaryStore.searched(folder: folder)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE strange USING fts5(x); UPDATE strange_config SET v = 99;
                    CREATE TRIGGER refuse BEFORE INSERT ON authors BEGIN SELECT RAISE(ROLLBACK, 'no'); END
                    """)
        }
        try await store.context.close()
        let again = try TemporaryStore.searched(folder: folder)
        let author = Archive.Author(id: "1", rank: 1)
        #expect(await thrownError { try await again.storage.save(author) } != nil)
        try await again.storage.save(Article(id: "1", title: "swift"))
        #expect(try await again.storage.found("swift") == ["1"])
    }

    @Test func anIndexOfOtherColumnsThanBeforeTakesOtherWeights() async throws {
        let store = try await TemporaryStore.holding("swift")
        let search = store.storage.query(Article.self).matching("swift", weights: [1, 2])
        #expect(try await search.fetch().count == 1)
        try await store.db.write { db in
            try db.execute(
                sql: "DROP TABLE articles_fts; CREATE VIRTUAL TABLE articles_fts USING fts5(title)")
        }
        #expect(await complaint { _ = try await search.fetch() }?.contains("takes 1 weights") == true)
    }

    @Test(arguments: [
        "DROP TABLE articles_fts_ids", "DROP TABLE articles_fts",
        "DROP TABLE articles_fts; CREATE TABLE articles_fts (title, body)",
    ])
    func anIndexThatIsNotWholeIsNone(sql: String) async throws {
        let store = try TemporaryStore.searched()
        try await store.db.write { try $0.execute(sql: sql) }
        let message = await complaint { _ = try await store.storage.search(Article.self, query: "x") }
        #expect(message?.contains("'articles' has no full-text index") == true)
    }

    @Test(arguments: [-1, 2, .max, .min])
    func aSnippetOfAColumnThatTheIndexLacksIsRefused(column: Int) async throws {
        let store = try await TemporaryStore.holding("ant")
        for message in [
            await complaint {
                _ = try await store.storage.searchWithSnippets(Article.self, query: "ant", snippetColumn: column)
            },
            await complaint {
                _ = try await store.storage.query(Article.self).matching("ant").hits(.highlight(column: column))
            },
        ] {
            #expect(message?.contains("has no column \(column); its columns are 0 'title', 1 'body'") == true)
        }
    }

    @Test(arguments: [-1, 0, 65, .max])
    func aSnippetOfALengthThatFTS5DoesNotKnowIsRefused(tokens: Int) async throws {
        let store = try await TemporaryStore.holding("ant")
        let message = await complaint {
            _ = try await store.storage.query(Article.self).matching("ant").hits(.snippet(tokens: tokens))
        }
        #expect(message?.contains("cannot have \(tokens)") == true)
    }

    @Test(arguments: [SearchPassage.highlight(open: "\0b"), .highlight(close: "b\0"), .snippet(ellipsis: "\0")])
    func aMarkWithANULIsRefused(passage: SearchPassage) async throws {
        let store = try await TemporaryStore.holding("ant")
        let message = await complaint {
            _ = try await store.storage.query(Article.self).matching("ant").hits(passage)
        }
        #expect(message?.contains("NUL") == true)
    }

    @Test(arguments: [
        ([1], "takes 2 weights"), ([1, 2, 3], "takes 2 weights"), ([1, .nan], "nan"), ([.infinity, 1], "inf"),
        ([1e308, 1e308], "1e+308"),
    ])
    func weightsThatDoNotFitAreRefused(weights: [Double], words: String) async throws {
        let store = try await TemporaryStore.holding("ant")
        let query = store.storage.query(Article.self)
        for message in [
            await complaint { _ = try await query.matching("ant", weights: weights).fetch() },
            await complaint { _ = try await query.matchingText("ant", weights: weights).count() },
            await complaint { _ = try await query.matching("ant").matching("ant", weights: weights).fetch() },
        ] {
            #expect(message?.contains(words) == true, "\(message ?? "no complaint")")
        }
    }

    @Test func aNegativeLimitIsRefused() async throws {
        let store = try TemporaryStore.searched()
        for message in [
            await complaint { _ = try await store.storage.search(Article.self, query: "x", limit: -1) },
            await complaint { _ = try await store.storage.searchText(Article.self, "x", limit: .min) },
            await complaint { _ = try await store.storage.searchWithSnippets(Article.self, query: "x", limit: -1) },
        ] {
            #expect(message?.contains("must not be negative") == true)
        }
    }

    @Test func hitsWithoutASearchAreRefused() async throws {
        let store = try TemporaryStore.searched()
        let message = await complaint { _ = try await store.storage.query(Article.self).hits() }
        #expect(message?.contains("without a search") == true)
    }

    @Test func aRowThatIsNoEntityIsReportedAsSuch() async throws {
        let store = try await TemporaryStore.holding("ant")
        try await store.db.write { try $0.execute(sql: "UPDATE articles SET year = 'x'") }
        let error = await storageError { _ = try await store.storage.search(Article.self, query: "ant") }
        guard case .entityDecodingFailed = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
    }

    @Test func aPageOfAnotherOrderIsRefused() async throws {
        let store = try await TemporaryStore.holding("ant", "ant")
        let query = store.storage.query(Article.self)
        let cursor = try await query.matching("ant").page(limit: 1).next
        #expect(cursor != nil)
        #expect(await complaint { _ = try await query.page(after: cursor, limit: 1) } != nil)
        for search in [query.matching("an*"), query.matching("ant", weights: [2, 1])] {
            #expect(await complaint { _ = try await search.page(after: cursor, limit: 1) } != nil)
        }
        #expect(try await query.matching("ant").page(after: cursor, limit: 1).items.count == 1)
        let other = try await query.page(limit: 1).next
        #expect(await complaint { _ = try await query.matching("ant").page(after: other, limit: 1) } != nil)
    }

    @Test func aCancelledSearchSaysSo() async throws {
        let store = try TemporaryStore.searched()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.storage.search(Article.self, query: "ant")
        }
        #expect(await thrownError { try await task.value } is CancellationError)
    }
}
