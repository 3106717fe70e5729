import StorageKit
import Testing

/// The code of the article on search, compiled and run.
enum Magazine {
    @StorageEntity
    struct Article {
        var id: String
        var title: String
        var content: String
        var year: Int
    }
}

@Suite struct SearchArticleTests {
    typealias Article = Magazine.Article
    typealias ArticleRecord = Magazine.ArticleRecord

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("magazine.sqlite")
        let context = try StorageKit.start(at: url) { schema in
            schema.autoSchema(ArticleRecord.self)
            schema.addFullTextSearch(table: "articles", columns: ["title", "content"])
        }
        let storage = context.facade
        try await storage.save([
            Article(
                id: "1", title: "Swift concurrency", content: "async and await, in structured concurrency", year: 2021),
            Article(id: "2", title: "Names", content: "We are using Swift for its names: async, concur", year: 2024),
            Article(id: "3", title: "Older", content: "swift and objc", year: 2014),
        ])

        let results = try await storage.search(Article.self, query: "swift AND (async OR await)")
        for result in results {
            print(result.entity.title, result.rank)
        }
        #expect(results.map(\.entity.id) == ["1", "2"])

        for (query, ids) in [
            ("swift concurrency", ["1"]), ("\"structured concurrency\"", ["1"]), ("swift NOT objc", ["1", "2"]),
            ("concur*", ["1", "2"]), ("title:swift", ["1"]), ("{title content} : swift", ["1", "2", "3"]),
            ("- title : swift", ["2", "3"]), ("^swift", ["1", "3"]), ("NEAR(swift objc, 5)", ["3"]),
        ] {
            #expect(try await storage.search(Article.self, query: query).map(\.entity.id).sorted() == ids, "\(query)")
        }

        let suggestions = try await storage.searchText(Article.self, "swift conc")
        #expect(suggestions.map(\.entity.id) == ["1", "2"])

        let excerpts = try await storage.searchWithSnippets(Article.self, query: "swift", snippetColumn: 1)
        print(excerpts.first?.snippet ?? "")
        #expect(excerpts.compactMap(\.snippet).contains { $0.contains("using <b>Swift</b> for") })

        let hits = try await storage.query(Article.self)
            .matching("swift")
            .hits(.highlight(column: 0, open: "[", close: "]"))
        #expect(hits.map(\.snippet).contains("[Swift] concurrency"))

        let query = storage.query(Article.self)
            .matchingText("swift conc", weights: [10, 1])
            .where { $0.year >= 2020 }
        #expect(try await query.limit(20).fetch().map(\.id) == ["1", "2"])
        #expect(try await query.count() == 2)
        let page = try await query.page(limit: 20)
        let next = try await query.page(after: page.next, limit: 20)
        #expect(page.items == next.items)
        let newest = try await query.orderBy(\.year, .descending).hits(.snippet(column: 1))
        #expect(newest.map(\.entity.id) == ["2", "1"])
    }

    @Test func porterFindsStemsAndNoOtherBeginnings() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("magazine.sqlite")) { schema in
            schema.autoSchema(ArticleRecord.self)
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try await context.facade.save(Article(id: "1", title: "The university", content: "", year: 1088))
        for (text, count) in [("univers", 1), ("universit", 0), ("university", 1)] {
            #expect(try await context.facade.searchText(Article.self, text).count == count)
        }
    }
}
