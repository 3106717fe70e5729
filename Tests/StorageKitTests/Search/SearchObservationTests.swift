import StorageKit
import StorageTestSupport
import Testing

@Suite struct SearchObservationTests {
    private typealias Hits = [String]

    private func observing(
        _ store: TemporaryStore, _ query: Query<Article>
    ) -> StreamProbe<Hits> {
        StreamProbe(query.observe().map { $0.map(\.id) })
    }

    @Test func hitsComeAndGoByWhateverRoad() async throws {
        let store = try await TemporaryStore.holding("ant", "bee")
        let probe = observing(store, store.storage.query(Article.self).matching("ant").orderBy(\.id))
        #expect(try await probe.next() == ["1"])
        try await store.storage.save(Article(id: "3", title: "an ant"))
        _ = try await probe.first { $0 == ["1", "3"] }
        try await store.db.write { try $0.execute(sql: "UPDATE articles SET title = 'ant' WHERE id = '2'") }
        _ = try await probe.first { $0 == ["1", "2", "3"] }
        try await store.storage.query(Article.self).matching("ant").where { $0.id != "2" }.deleteAll()
        _ = try await probe.first { $0 == ["2"] }
    }

    @Test func aRowThatIsNoHitMayChangeTheRanks() async throws {
        // Which of the two is the better hit depends on which word is the rarer one.
        let store = try await TemporaryStore.holding("ant x", "bee x", "bee x", "y", "y", "y", "y", "y")
        let probe = observing(store, store.storage.query(Article.self).matching("ant OR bee").where { $0.id < "3" })
        #expect(try await probe.next() == ["1", "2"])
        try await store.storage.save((10..<13).map { Article(id: "\($0)x", title: "ant x") })
        _ = try await probe.first { $0.first == "2" }
    }

    @Test func hitsAreCountedAsTheyChange() async throws {
        let store = try await TemporaryStore.holding("ant", "bee")
        let probe = StreamProbe(store.storage.query(Article.self).matching("ant").observeCount())
        #expect(try await probe.next() == 1)
        try await store.storage.save(Article(id: "2", title: "ant"))
        #expect(try await probe.next() == 2)
    }

    @Test func groupsOfHitsFollowATextThatIsSearchedAndNotSelected() async throws {
        let store = try await TemporaryStore.holding("ant")
        try await store.storage.save(Article(id: "2", title: "bee", author: "bob"))
        let authors = store.storage.query(Article.self).matching("ant").group(by: \.author).orderBy(\.author)
        let probe = StreamProbe(authors.select(\.author).observe())
        #expect(try await probe.next() == ["ada"])
        try await store.db.write { try $0.execute(sql: "UPDATE articles SET title = 'ant' WHERE id = '2'") }
        #expect(try await probe.next() == ["ada", "bob"])
    }

    @Test func aSearchThatIsNoneIsReported() async throws {
        let store = try await TemporaryStore.holding("ant")
        let (errors, report) = AsyncStream.makeStream(of: String.self)
        let probe = StreamProbe(errors)
        let stream = StreamProbe(
            store.storage.query(Article.self).matching("ant AND").observe { report.yield("\($0)") })
        #expect(try await probe.next().contains("syntax error"))
        stream.cancel()
    }
}
