import StorageKit
import StorageTestSupport
import Testing

/// Whatever is asked for: there is an answer, or an error that says what is wrong with the question.
@Suite struct SearchFuzzTests {
    @Test func anyBytesAreASearchOrAnErrorThatSaysWhyNot() async throws {
        var random = FuzzInput("searches").random
        let store = try await store()
        let count = programCount(short: 400, quick: 1_500, full: 200_000)
        var errors = 0
        for _ in 0..<count {
            let query = String.randomSearch(using: &random)
            do {
                let hits = try await store.storage.searchWithSnippets(Article.self, query: query)
                #expect(
                    hits.allSatisfy { $0.rank.isFinite }, "STORAGEKIT_SEED=\(random.seed) \(query.debugDescription)")
            } catch StorageError.queryFailed(_, let underlying) where "\(underlying)".count > 20 {
                errors += 1
            } catch {
                Issue.record("STORAGEKIT_SEED=\(random.seed) \(query.debugDescription): \(error)")
                return
            }
        }
        try await intact(store)
        reportFuzz("searches", (count, "searches in FTS5's syntax"), (errors, "typed errors"))
    }

    @Test func anyTextIsASearch() async throws {
        var random = FuzzInput("typed searches").random
        let store = try await store()
        let count = programCount(short: 400, quick: 1_500, full: 200_000)
        for _ in 0..<count {
            let text = String.randomSearch(using: &random)
            do {
                _ = try await store.storage.searchText(Article.self, text)
            } catch {
                Issue.record("STORAGEKIT_SEED=\(random.seed) \(text.debugDescription): \(error)")
                return
            }
        }
        try await intact(store)
        reportFuzz("typed searches", (count, "texts"), (0, "errors"))
    }

    private func store() async throws -> TemporaryStore {
        try await TemporaryStore.holding(
            "swift \"title\"", "title swift", "the ant and the bee", "café - NEAR (x)", "a b c")
    }

    private func intact(_ store: TemporaryStore) async throws {
        #expect(try await store.storage.count(Article.self) == 5)
        #expect(try await store.context.checkIntegrity().isIntact)
    }
}

extension String {
    /// Bytes of any kind, or pieces of FTS5's syntax in any order.
    fileprivate static func randomSearch(using random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<4, using: &random) == 0 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static let pieces = [
        " ", " ", " ", "ant", "swift", "title", "body", "nope", "a", "\"", "\"", "(", ")", "{", "}", ":", "*", "^", "+",
        "-",
        ",", "AND", "OR", "NOT", "NEAR", "NEAR(", "0", "99999999999999999999", "-1", ".", "'", ";", "--", "/*", "\\",
        "%",
        "_", "\0", "\u{301}", "é", "Київ", "🙂", "\u{FFFD}", "\u{10FFFF}", "\r\n", "\t", "rank", "rowid", "articles_fts",
        "?",
        "$", "@", "=", "<b>", "title:", "- title :", "{title body} :", "\"ant", "ant\"", "an*", "*reads", "*id", "[",
        "]", "`",
    ]
}
