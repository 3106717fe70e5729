import StorageKit
import StorageTestSupport
import Testing

/// Searches beside what else a query can ask.
@Suite struct SearchQueryTests {
    /// Articles of which those with an even number have the word, the more often the greater the number.
    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore.searched()
        let articles = (0..<20).map { number in
            let words = number.isMultiple(of: 2) ? Array(repeating: "ant", count: number + 1) : []
            let others = Array(repeating: "bee", count: 30 - words.count)
            return Article(
                id: "a\(number)", title: (words + others).joined(separator: " "), author: number < 10 ? "ada" : "bob",
                year: 2000 + number % 3, code: number)
        }
        try await store.storage.save(articles)
        return store
    }

    private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "a\($0)" } }

    private let byRank = stride(from: 18, through: 0, by: -2)

    @Test func hitsAreFilteredAndComeByRank() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.fetch().map(\.id) == ids(byRank))
        #expect(try await query.where { $0.author == "ada" }.fetch().map(\.id) == ids([8, 6, 4, 2, 0]))
        #expect(
            try await query.where { !($0.author == "ada") || $0.code == 0 }.fetch().map(\.id)
                == ids([18, 16, 14, 12, 10, 0]))
    }

    @Test func anOrderOfTheQueryTakesTheRanksPlace() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.orderBy(\.code).fetch().map(\.id) == ids(stride(from: 0, through: 18, by: 2)))
        let hits = try await query.orderBy(\.code, .descending).limit(3).hits()
        #expect(hits.map(\.entity.id) == ids([18, 16, 14]))
        #expect(hits.map(\.rank) == hits.map(\.rank).sorted())
    }

    @Test func limitAndOffsetCountHits() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.limit(3).fetch().map(\.id) == ids([18, 16, 14]))
        #expect(try await query.offset(8).fetch().map(\.id) == ids([2, 0]))
        #expect(try await query.limit(2).offset(1).hits().map(\.entity.id) == ids([16, 14]))
        #expect(try await query.limit(4).offset(8).count() == 2)
    }

    @Test func aSearchBehindALimitAsksTheRowsThatItLeaves() async throws {
        let store = try await store()
        let articles = store.storage.query(Article.self)
        let left = articles.orderBy(\.code).limit(5).matching("ant")
        #expect(try await left.fetch().map(\.id) == ids([0, 2, 4]))
        #expect(try await left.count() == 3)
        #expect(try await articles.orderBy(\.code).offset(15).matchingText("an").fetch().map(\.id) == ids([16, 18]))
        // The first search still ranks.
        let best = articles.matching("ant").limit(3).matching("bee")
        #expect(try await best.fetch().map(\.id) == ids([18, 16, 14]))
    }

    @Test func aSearchIsCountedAndAskedForOne() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.count() == 10)
        #expect(try await query.where { $0.code > 9 }.count() == 5)
        #expect(try await query.fetchOne()?.id == "a18")
        #expect(try await query.first(by: \.code)?.id == "a0")
        #expect(try await query.exists())
        #expect(try await !query.where { $0.code == 1 }.exists())
        #expect(try await query.offset(9).exists())
        #expect(try await !query.offset(10).exists())
        #expect(try await !query.limit(0).exists())
    }

    @Test func valuesOfHitsAreReduced() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.sum(\.code) == 90)
        #expect(try await query.avg(\.code) == 9)
        #expect(try await query.min(\.code) == 0)
        #expect(try await query.max(\.code) == 18)
        #expect(try await query.limit(3).min(\.code) == 14)
        #expect(try await query.limit(3).sum(\.code) == 48)
        #expect(try await query.distinct(\.year) == [2000, 2001, 2002])
        #expect(try await query.where { $0.author == "bob" }.distinct(\.author) == ["bob"])
    }

    @Test func pagesOfHitsFollowTheRank() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        for weights in [[], [2.0, 1]] {
            let weighted = store.storage.query(Article.self).matching("ant", weights: weights)
            let found = try await allPages { try await weighted.page(after: $0, limit: 4) }
            #expect(found.map { $0.map(\.id) } == [ids([18, 16, 14, 12]), ids([10, 8, 6, 4]), ids([2, 0])])
        }
        let ordered = query.orderBy(\.year).orderBy(\.code, .descending)
        let first = try await ordered.page(limit: 4)
        let second = try await ordered.page(after: first.next, limit: 100)
        #expect((first.items + second.items).map(\.id) == ids([18, 12, 6, 0, 16, 10, 4, 14, 8, 2]))
    }

    @Test(arguments: [[], [2, 1]] as [[Double]])
    func pagesByRankGoOnBehindTheirLastHitWhateverElseIsSaved(weights: [Double]) async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant", weights: weights)
        let first = try await query.page(limit: 4)
        #expect(first.items.map(\.id) == ids([18, 16, 14, 12]))
        // The word is now in less than half of the rows, which makes all ranks better.
        try await store.storage.save(Article(id: "other", title: "cat"))
        let second = try await query.page(after: first.next, limit: 4)
        #expect(second.items.map(\.id) == ids([10, 8, 6, 4]))
        try await store.storage.delete(Article.self, id: "other")
        try await store.storage.transaction { tx in
            let third = try query.page(after: second.next, limit: 4, in: tx)
            #expect(third.items.map(\.id) == ["a2", "a0"])
            #expect(third.next == nil)
        }
    }

    @Test func pagesByRankOfWhatIsSelectedGoOnBehindTheirLastHit() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant").select(\.id)
        let first = try await query.page(limit: 8)
        try await store.storage.save(Article(id: "other", title: "cat"))
        #expect(try await query.page(after: first.next, limit: 8).items == ids([2, 0]))
    }

    /// The hit that the first page ended with is none any more, and all ranks are what they were.
    @Test func aPageGoesOnBehindTheRankOfAHitThatIsNone() async throws {
        let store = try TemporaryStore.searched()
        let titles = ["ant ant bee", "ant bee bee", "ant bee bee bee", "ant bee bee bee bee"]
        try await store.storage.save(titles.enumerated().map { Note(id: $0.offset, title: $0.element) })
        let query = store.storage.query(Note.self).matching("ant").where { $0.body == nil }
        let first = try await query.page(limit: 2)
        #expect(first.items.map(\.id) == [0, 1])
        try await store.db.write { try $0.execute(sql: "UPDATE notes SET body = '' WHERE id = 1") }
        #expect(try await query.page(after: first.next, limit: 2).items.map(\.id) == [2, 3])
    }

    @Test func hitsOfOneRankAreOnPagesOnceEach() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save((0..<25).map { Note(id: $0, title: "ant \($0)") })
        let query = store.storage.query(Note.self).matching("ant")
        let found = try await allPages { try await query.page(after: $0, limit: 3) }
        #expect(found.joined().map(\.id) == Array(0..<25))
    }

    @Test func hitsAreStreamed() async throws {
        let store = try TemporaryStore.searched()
        try await store.storage.save((0..<600).map { Note(id: $0, title: $0 % 2 == 0 ? "ant" : "bee") })
        var found: [Int] = []
        for try await note in store.storage.query(Note.self).matching("ant").stream() { found.append(note.id) }
        #expect(found == Array(stride(from: 0, to: 600, by: 2)))
    }

    @Test func hitsAreUpdatedAndDeleted() async throws {
        let store = try await store()
        let query = store.storage.query(Article.self).matching("ant")
        #expect(try await query.limit(2).updateAll { [$0.title.set(to: "cat"), $0.author.set(to: "eve")] } == 2)
        #expect(try await query.count() == 8)
        #expect(try await store.storage.found("cat") == ids([16, 18]))
        #expect(try await query.where { $0.author == "ada" }.deleteAll() == 5)
        #expect(try await query.limit(1).deleteAll() == 1)
        #expect(try await query.fetch().map(\.id) == ids([12, 10]))
        #expect(try await store.storage.count(Article.self) == 14)
    }

    @Test func ofTwoSearchesARowMatchesBothAndTheFirstRanks() async throws {
        let store = try await TemporaryStore.holding("ant bee bee bee", "ant ant ant bee", "ant", "bee", "ant cat")
        let query = store.storage.query(Article.self)
        #expect(try await query.matching("ant").matching("bee").fetch().map(\.id) == ["2", "1"])
        #expect(try await query.matching("bee").matching("ant").hits(.highlight()).map(\.entity.id) == ["1", "2"])
        #expect(try await query.matching("ant").matchingText("be").matching("ant NOT cat").count() == 2)
        #expect(try await query.matching("ant").matching("bee").limit(1).deleteAll() == 1)
        #expect(try await query.matching("ant").matching("bee").fetch().map(\.id) == ["1"])
    }

    @Test func anEntityMayHaveColumnsOfAnyName() async throws {
        let store = try TemporaryStore { schema in
            schema.autoSchema(Archive.AuthorRecord.self, SearchQueryTests.OddRecord.self)
            schema.addFullTextSearch(table: "authors", columns: ["id"])
            schema.addFullTextSearch(table: "the odd one's", columns: ["docid", "order"])
        }
        try await store.storage.save([Archive.Author(id: "ant", rank: 2), Archive.Author(id: "bee", rank: 1)])
        let odd = Odd(id: UUID(), docid: "ant", rank: "cat", order: "bee")
        try await store.storage.save(odd)
        let authors = store.storage.query(Archive.Author.self).matching("ant OR bee")
        #expect(try await authors.orderBy(\.rank).fetch().map(\.id) == ["bee", "ant"])
        #expect(try await store.storage.search(Odd.self, query: "\"order\" : bee").map(\.entity) == [odd])
        #expect(try await store.storage.query(Odd.self).matching("ant").where { $0.rank == "cat" }.deleteAll() == 1)
    }

    @StorageEntity(table: "the odd one's")
    struct Odd: Hashable {
        var id: UUID
        var docid: String
        var rank: String
        var order: String
    }

    @StorageEntity(table: "articles_fts_keys")
    struct Reading: Hashable {
        var id: String
        var place: Int
    }

    @Test func noNameOfAnEntitysTableIsHiddenByASearch() async throws {
        let store = try TemporaryStore { schema in
            schema.autoSchema(Archive.ArticleRecord.self, SearchQueryTests.ReadingRecord.self)
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try await store.storage.save([Article(id: "1", title: "ant"), Article(id: "2", title: "bee")])
        try await store.storage.save([Reading(id: "1", place: 7), Reading(id: "3", place: 8)])
        let found = store.storage.query(Article.self).matching("ant OR bee").select(\.id)
        let readings = store.storage.query(Reading.self).where { $0.id.in(found) }
        #expect(try await readings.fetch() == [Reading(id: "1", place: 7)])
        #expect(try await readings.deleteAll() == 1)
        #expect(try await store.storage.query(Reading.self).fetch() == [Reading(id: "3", place: 8)])
    }

    @Test func aTableMadeElsewhereMayHaveAnotherKeyThanTheId() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("legacy") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE notes (
                            number VARCHAR(9) COLLATE NOCASE PRIMARY KEY DEFAULT (hex(randomblob(4))), id INTEGER UNIQUE,
                            title TEXT, body TEXT, updatedAt DATETIME);
                        CREATE TABLE articles (
                            number INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT, body TEXT, author TEXT,
                            year INTEGER, code INTEGER, updatedAt DATETIME);
                        """)
            }
            schema.addFullTextSearch(table: "notes", columns: ["title"])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try await store.storage.save([Note(id: 1, title: "ant"), Note(id: 2, title: "bee")])
        try await store.storage.save([Article(id: "x", title: "ant"), Article(id: "y", title: "bee")])
        #expect(try await store.storage.search(Note.self, query: "bee").map(\.entity.id) == [2])
        #expect(try await store.storage.search(Article.self, query: "bee").map(\.entity.id) == ["y"])
        #expect(try await store.storage.query(Note.self).matching("bee").deleteAll() == 1)
        #expect(try await store.storage.query(Article.self).matching("ant").count() == 1)
    }
}
