import StorageKit
import StorageTestSupport
import Testing

@Suite struct QueryIndexStoreTests {
    private let store: TemporaryStore
    private let errors = ErrorLog()
    private let index: QueryIndexStore
    private let key = KeyBuilder(namespace: "app").queryKey("recent", params: ["limit": "10"])

    init() throws {
        store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        index = QueryIndexStore(db: store.db, config: store.context.config, onError: errors.handler)
    }

    @Test func idsComeBackInTheirOrder() async {
        await index.set(["3", "1", "2", "1"], for: key)
        #expect(await index.get(key) == ["3", "1", "2", "1"])
    }

    @Test func noIdsAreAnAnswerToo() async {
        #expect(await index.get(key) == nil)
        await index.set([], for: key)
        #expect(await index.get(key) == [])
    }

    @Test func theyAreForgottenAtTheMomentTheyExpire() async {
        await index.set(["1"], for: key, ttl: 10)
        store.clock.advance(by: 9.999)
        #expect(await index.get(key) == ["1"])
        store.clock.advance(by: 0.001)
        #expect(await index.get(key) == nil)
    }

    @Test func withoutALifetimeTheConfigurationsHolds() async {
        await index.set(["1"], for: key)
        store.clock.advance(by: store.context.config.defaultTTL)
        #expect(await index.get(key) == nil)
    }

    @Test func removingForgetsOneQuery() async {
        await index.set(["1"], for: key)
        await index.set(["2"], for: "other")
        await index.remove(key)
        #expect(await index.get(key) == nil)
        #expect(await index.get("other") == ["2"])
    }

    @Test func theEntitiesAreReadAsTheyAreNow() async throws {
        let users = store.storage.repository(TestUser.self)
        try await users.putAll([TestUser("1", name: "a"), TestUser("2", name: "b")])
        await index.set(["2", "1"], for: key)
        try await users.put(TestUser("1", name: "new"))
        try await users.delete(id: "2")
        var found: [String?] = []
        for id in await index.get(key) ?? [] {
            found.append(try await users.get(id: id, policy: .localFirst(ttl: 300))?.name)
        }
        #expect(found == [nil, "new"])
    }

    @Test func whatIsNoListOfIdsIsAMissAndRemovedAndReported() async throws {
        await index.set(["1"], for: key)
        try await store.db.write { try $0.execute(sql: "UPDATE kv_cache SET blob = '{}'") }
        #expect(await index.get(key) == nil)
        #expect(errors.cases == ["cacheDecodingFailed"])
        let count = try await store.db.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM kv_cache") }
        #expect(count == 0)
    }
}
