import StorageKit
import Testing

/// The documents' snippets on full-text search, as they write them.
enum Blog {
    @StorageEntity
    struct Article {
        var id: String
        var title: String
        var content: String
    }
}

@Suite struct FullTextSearchTests {
    typealias Article = Blog.Article
    typealias ArticleRecord = Blog.ArticleRecord

    private func withStorage(_ body: (Storage) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("blog.sqlite")) { schema in
            schema.addKVCache()
            schema.autoSchema(ArticleRecord.self)

            // Add full-text search on title and content
            schema.addFullTextSearch(
                table: "articles",
                columns: ["title", "content"]
            )
        }
        try await context.facade.save([
            Article(id: "1", title: "Swift performance", content: "using Swift for async code"),
            Article(id: "2", title: "Structured concurrency", content: "in swift, with async and await"),
        ])
        try await body(context.facade)
    }

    @Test func resultsHaveEntityAndRank() async throws {
        try await withStorage { storage in
            let results = try await storage.search(Article.self, query: "swift performance")
            for result in results {
                print("\(result.entity.title) - rank: \(result.rank)")
            }
            #expect(results.map(\.entity.id) == ["1"])
        }
    }

    @Test func snippetsComeFromTheColumnThatIsNamed() async throws {
        try await withStorage { storage in
            let results = try await storage.searchWithSnippets(
                Article.self,
                query: "swift",
                snippetColumn: 1  // content column
            )
            for result in results {
                print(result.snippet ?? "")
            }
            #expect(results.contains { $0.snippet == "using <b>Swift</b> for async code" })
            let titles = try await storage.searchWithSnippets(
                Article.self,
                query: "swift concurrency",
                snippetColumn: 0,  // Extract from title
                limit: 10
            )
            for result in titles {
                if let snippet = result.snippet {
                    print("Match: \(snippet)")
                }
            }
            #expect(titles.map(\.snippet) == ["Structured <b>concurrency</b>"])
        }
    }

    @Test func everyQueryOfTheDocumentsFindsWhatItSays() async throws {
        try await withStorage { storage in
            let swift = try await storage.search(Article.self, query: "swift")
            let exact = try await storage.search(Article.self, query: "\"structured concurrency\"")
            let advanced = try await storage.search(Article.self, query: "swift AND (async OR await)")
            let filtered = try await storage.search(Article.self, query: "swift NOT objc")
            let starts = try await storage.search(Article.self, query: "concur*")
            let either = try await storage.search(Article.self, query: "swift OR kotlin")
            let titled = try await storage.search(Article.self, query: "title:swift")
            #expect([swift, exact, advanced, filtered, starts, either, titled].map(\.count) == [2, 1, 2, 2, 1, 2, 1])
        }
    }

    @Test func aViewModelMaySearchWhatIsTyped() async throws {
        try await withStorage { storage in
            func search(query: String) async -> [Article] {
                guard !query.isEmpty else { return [] }
                let results = try? await storage.search(Article.self, query: query, limit: 20)
                return results?.map { $0.entity } ?? []
            }
            #expect(await search(query: "").isEmpty)
            #expect(await search(query: "await").count == 1)
            #expect(await search(query: "await AND").isEmpty)
        }
    }

    @Test func aSearchIsNothingWithoutAnIndex() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("blog.sqlite")) { schema in
            schema.autoSchema(ArticleRecord.self)
        }
        await #expect(throws: StorageError.self) {
            _ = try await context.facade.search(Article.self, query: "swift")
        }
    }
}
