import StorageKit
import StorageTestSupport
import Testing

@Suite struct SearchTests {
    @Test(arguments: [
        ("swift", ["1", "2", "3"]), ("SWIFT", ["1", "2", "3"]), ("swift performance", ["2"]),
        (#""swift performance""#, []), (#""performance of swift""#, ["2"]), ("swift AND concurrency", ["1"]),
        ("swift AND (concurrency OR objc)", ["1", "3"]), ("kotlin OR objc", ["3", "4"]),
        ("swift NOT objc", ["1", "2"]),
        ("conc*", ["1"]), ("body:kotlin", ["4"]), ("title:kotlin", []), ("title : swift AND body : objc", ["3"]),
        ("{title body} : objc", ["3"]), ("NEAR(performance swift, 2)", ["2"]), ("^swift", ["1"]),
        ("perform", ["2"]), ("nothing", []), (#""""#, []),
    ])
    func theSyntaxOfTheDocumentsIsUnderstood(query: String, ids: [String]) async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save([
            Article(id: "1", title: "Swift concurrency"),
            Article(id: "2", title: "The performance of Swift"),
            Article(id: "3", title: "From elsewhere to swift", body: "objc"),
            Article(id: "4", title: "Something else", body: "kotlin"),
        ])
        #expect(try await store.storage.found(query) == ids)
    }

    /// SQLite 3.40 says that there is no such table where it prepares such a DELETE anew by itself.
    @Test func aParentIsDeletedThoughOthersHaveChangedTheSchema() async throws {
        let store = try TemporaryStore { schema in
            schema.autoSchema(CabinetRecord.self, CabinetedRecord.self)
            schema.addFullTextSearch(table: "cabinets", columns: ["name"])
        }
        try await store.storage.save((1...3).map { Cabinet(id: $0, name: "n") })
        let others = try DatabaseQueue(path: store.url.path)
        try await store.storage.delete(Cabinet.self, id: 1)
        try await others.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        try await store.storage.delete(Cabinet.self, id: 2)
        try await others.write { try $0.execute(sql: "DROP TABLE other") }
        #expect(try await store.storage.query(Cabinet.self).deleteAll() == 1)
    }

    @Test func soItIsBySQLOfTheApp() async throws {
        let folder = try TemporaryFolder()
        let open = {
            try TemporaryStore(folder: folder) { schema in
                schema.autoSchema(CabinetRecord.self, CabinetedRecord.self)
                schema.addFullTextSearch(table: "cabinets", columns: ["name"])
            }
        }
        let store = try open()
        try await store.storage.save((1...3).map { Cabinet(id: $0, name: "n") })
        // Such a DELETE fails only before the index was written by its connection.
        let (one, other) = (try open(), try open())
        try await store.db.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        try await one.db.write { try $0.execute(sql: "DELETE FROM cabinets WHERE id = 2") }
        try await other.storage.transaction { try $0.database.execute(sql: "DELETE FROM cabinets WHERE id = 3") }
        #expect(try await store.storage.count(Cabinet.self) == 1)
    }

    @Test func theBestHitComesFirst() async throws {
        let store = try await TemporaryStore.holding(
            "swift and a lot of other words that nobody looks for", "swift swift", "other", "words", "here")
        let results = try await store.storage.search(Article.self, query: "swift")
        #expect(results.map(\.entity.id) == ["2", "1"])
        #expect(results[0].rank < results[1].rank)
        #expect(results.allSatisfy { $0.snippet == nil })
    }

    @Test(arguments: [0, 1, 2, 3])
    func noMoreThanTheLimitIsFound(limit: Int) async throws {
        let store = try await TemporaryStore.holding("ant", "ant", "bee")
        #expect(try await store.storage.search(Article.self, query: "ant", limit: limit).count == min(limit, 2))
    }

    @Test func fiftyAreFoundWhereNoLimitIsNamed() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save((0..<60).map { Note(id: $0, title: "ant") })
        #expect(try await store.storage.search(Note.self, query: "ant").count == 50)
        #expect(try await store.storage.searchText(Note.self, "ant").count == 50)
        #expect(try await store.storage.searchWithSnippets(Note.self, query: "ant").count == 50)
    }

    @Test func anEntityIsFoundWhole() async throws {
        let store = try TemporaryStore.searched()
        let article = Article(id: "a", title: "ant", body: nil, author: "x\0y", year: -1, code: 7)
        let note = Note(id: .min, title: "ant", body: "")
        try await store.storage.save(article)
        try await store.storage.save(note)
        #expect(try await store.storage.search(Article.self, query: "ant").map(\.entity) == [article])
        #expect(try await store.storage.search(Note.self, query: "ant").map(\.entity) == [note])
    }

    @Test func aSearchSeesRowsAndIndexOfOneMoment() async throws {
        let store = try TemporaryStore.searched()
        try await withThrowingTaskGroup { group in
            for id in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        try await store.storage.save(Note(id: id, title: round.isMultiple(of: 2) ? "ant" : "bee"))
                    }
                }
                group.addTask {
                    for _ in 0..<50 {
                        let results = try await store.storage.search(Note.self, query: "ant")
                        #expect(results.allSatisfy { $0.entity.title == "ant" })
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.storage.search(Note.self, query: "bee").count == 4)
    }

    @Test func aSearchInATransactionTakesTheSameSettings() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.transaction { [storage = store.storage] tx in
            try tx.save(["1", "2", "3"].map { Article(id: $0, title: "ant", body: "the bee") })
            #expect(try storage.search(Article.self, query: "ant", limit: 2, in: tx).count == 2)
            let found = try storage.searchWithSnippets(Article.self, query: "bee", snippetColumn: 1, limit: 1, in: tx)
            #expect(found.map(\.snippet) == ["the <b>bee</b>"])
            // To FTS5, a text that does not end.
            #expect(try storage.searchText(Article.self, "\"be", limit: 2, in: tx).count == 2)
        }
    }

    // MARK: - Snippets

    @Test func aSnippetHasTheWordsBetweenMarks() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save(Article(id: "1", title: "Why Swift", body: "using Swift for swift things"))
        let titles = try await store.storage.searchWithSnippets(Article.self, query: "swift")
        #expect(titles.map(\.snippet) == ["Why <b>Swift</b>"])
        let bodies = try await store.storage.searchWithSnippets(Article.self, query: "swift", snippetColumn: 1)
        #expect(bodies.map(\.snippet) == ["using <b>Swift</b> for <b>swift</b> things"])
    }

    @Test func aSnippetHasThirtyTwoWordsAndDotsWhereTheTextGoesOn() async throws {
        let store = try TemporaryStore.searched()
        let words = (1...100).map { $0 == 50 ? "swift" : "word\($0)" }
        try await store.storage.save(Note(id: 1, title: words.joined(separator: " ")))
        let snippet = try await store.storage.searchWithSnippets(Note.self, query: "swift").first?.snippet ?? ""
        #expect(snippet.hasPrefix("...") && snippet.hasSuffix("..."))
        #expect(snippet.contains("<b>swift</b>"))
        #expect(snippet.split(separator: " ").count == 32)
    }

    @Test func aColumnWithoutTheWordsHasASnippetWithoutMarksAndNullHasNone() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save([
            Article(id: "1", title: "ant", body: "bee"), Article(id: "2", title: "ant ant", body: nil),
        ])
        let results = try await store.storage.searchWithSnippets(Article.self, query: "ant", snippetColumn: 1)
        #expect(results.map(\.snippet) == [nil, "bee"])
    }

    @Test func aWholeColumnIsHighlighted() async throws {
        let store = try TemporaryStore.searched()
        let words = (1...100).map { $0 % 50 == 0 ? "swift" : "word\($0)" }
        try await store.storage.save(Note(id: 1, title: "swift", body: words.joined(separator: " ")))
        let hits = try await store.storage.query(Note.self).matching("swift").hits(.highlight(column: 1))
        let marked = words.map { $0 == "swift" ? "<b>swift</b>" : $0 }.joined(separator: " ")
        #expect(hits.map(\.snippet) == [marked])
    }

    @Test func aNumberHasPassagesToo() async throws {
        let store = try TemporaryStore { schema in
            schema.autoSchema(Archive.ArticleRecord.self)
            schema.addFullTextSearch(table: "articles", columns: ["title", "year"])
        }
        try await store.storage.save(Article(id: "1", title: "ant", year: 1984))
        for passage in [SearchPassage.snippet(column: 1), .highlight(column: 1)] {
            let found = try await store.storage.query(Article.self).matching("1984").hits(passage)
            #expect(found.map(\.snippet) == ["<b>1984</b>"])
            let others = try await store.storage.query(Article.self).matching("ant").hits(passage)
            #expect(others.map(\.snippet) == ["1984"])
        }
    }

    @Test func marksAndLengthAreOnesOwn() async throws {
        let store = try await TemporaryStore.holding("one two three ant four five six")
        let query = store.storage.query(Article.self).matching("ant")
        let passages: [SearchPassage] = [
            .highlight(open: "['", close: "']"), .snippet(tokens: 1, open: "", close: "?", ellipsis: "…"),
        ]
        var snippets: [String?] = []
        for passage in passages { snippets += try await query.hits(passage).map(\.snippet) }
        #expect(snippets == ["one two three ['ant'] four five six", "…ant?…"])
    }

    // MARK: - Weights

    @Test func aWeightedColumnCountsMore() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save([
            Article(id: "title", title: "ant", body: "bee"), Article(id: "body", title: "bee", body: "ant"),
        ])
        func order(_ weights: [Double]) async throws -> [String] {
            try await store.storage.query(Article.self).matching("ant", weights: weights).fetch().map(\.id)
        }
        #expect(try await order([10, 1]) == ["title", "body"])
        #expect(try await order([1, 10]) == ["body", "title"])
        #expect(try await order([0.1, 1e-3]) == ["title", "body"])
        let typed = try await store.storage.query(Article.self).matchingText("an", weights: [1, 10]).fetch()
        #expect(typed.map(\.id) == ["body", "title"])
    }

    // MARK: - Tokenizers

    @Test(arguments: [
        ("porter", "running", true), ("unicode61", "running", false), ("ascii", "running", false),
        ("porter unicode61 remove_diacritics 2", "running", true), ("porter ascii", "running", true),
        ("unicode61", "CAFE", true), ("ascii", "cafe", false), ("unicode61 remove_diacritics 0", "cafe", false),
        ("unicode61", "київ", true), ("unicode61 tokenchars '-'", "well", false), ("porter", "well", true),
        ("unicode61 tokenchars '-'", "\"well-known\"", true), ("trigram", "UNN", true), ("trigram", "un", false),
        ("trigram case_sensitive 1", "RUN", false),
    ])
    func aTokenizerDecidesWhatAWordIs(tokenizer: String, query: String, isFound: Bool) async throws {
        let store = try await TemporaryStore.holding(
            "they run well-known runners in a Café of Київ", tokenizer: tokenizer)
        #expect(try await store.storage.found(query) == (isFound ? ["1"] : []))
    }
}

@StorageEntity
struct Cabinet {
    var id: Int
    var name: String
}

@StorageEntity
struct Cabineted {
    var id: Int
    @StorageReference(Cabinet.self, onDelete: .cascade) var cabinetId: Int
}
