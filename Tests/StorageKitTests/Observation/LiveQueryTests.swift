import Observation
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@MainActor @Suite struct LiveQueryTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func itLoadsAndFollowsAQuery() async throws {
        try await storage.save([TestUser("1", age: 5), TestUser("2", age: 25)])
        let adults = LiveQuery(storage.query(TestUser.self).where { $0.age >= 18 }.orderBy("age"))
        guard case .loading = adults.phase else { throw WrongPhase() }
        #expect(adults.value.isEmpty)
        try await untilTrue { adults.isReady }
        #expect(adults.value.map(\.id) == ["2"])
        try await storage.save(TestUser("1", age: 19))
        try await untilTrue { adults.value.map(\.id) == ["1", "2"] }
    }

    @Test func itFollowsAnEntityByItsId() async throws {
        let user = LiveQuery(TestUser.self, id: "1", in: storage)
        try await untilTrue { user.isReady }
        #expect(user.value == nil)
        try await storage.save(TestUser("1", age: 7))
        try await untilTrue { user.value?.age == 7 }
        try await storage.delete(TestUser.self, id: "1")
        try await untilTrue { user.value == nil }
    }

    @Test func itFollowsAllEntitiesOfAType() async throws {
        let users = LiveQuery(TestUser.self, in: storage, orderBy: "age", ascending: false)
        try await storage.save([TestUser("1", age: 5), TestUser("2", age: 25)])
        try await untilTrue { users.value.map(\.id) == ["2", "1"] }
    }

    @Test func whoTracksItIsToldOfEachChange() async throws {
        let users = LiveQuery(TestUser.self, in: storage)
        try await untilTrue { users.isReady }
        let changes = Mutex(0)
        withObservationTracking {
            _ = users.value
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try await storage.save(TestUser("1"))
        try await untilTrue { changes.withLock { $0 } == 1 }
        try await untilTrue { users.value.count == 1 }
    }

    @Test func whoTracksThePhaseAloneIsToldOfNoValue() async throws {
        let users = LiveQuery(TestUser.self, in: storage)
        try await untilTrue { users.isReady }
        let changes = Mutex(0)
        withObservationTracking {
            _ = users.phase
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try await storage.save(TestUser("1"))
        try await untilTrue { users.value.count == 1 }
        #expect(changes.withLock { $0 } == 0)
    }

    @Test func anErrorIsAPhaseAndTheValueStays() async throws {
        try await storage.save(TestUser("1"))
        let users = LiveQuery(TestUser.self, in: storage)
        try await untilTrue { users.isReady }
        try await store.db.write { try $0.execute(sql: "ALTER TABLE testusers RENAME TO gone") }
        try await untilTrue { users.error is StorageError }
        #expect(users.value.map(\.id) == ["1"])
        try await store.db.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO testusers") }
        try await untilTrue { users.isReady }
        #expect(users.error == nil)
    }

    @Test func aRefreshReturnsWhenTheValueIsHere() async throws {
        let users = LiveQuery(TestUser.self, in: storage)
        await users.refresh()
        #expect(users.isReady)
        try await storage.save(TestUser("1"))
        await users.refresh()
        #expect(users.value.map(\.id) == ["1"])
        let unknown = LiveQuery(TestUser.self, in: storage, orderBy: "nmae")
        await unknown.refresh()
        guard case .queryFailed? = unknown.error as? StorageError else { throw WrongPhase() }
    }

    @Test func aStoppedQueryKeepsItsValueAndObservesNothing() async throws {
        try await storage.save(TestUser("1"))
        let users = LiveQuery(TestUser.self, in: storage)
        await users.refresh()
        let waiting = Task { await users.refresh() }
        await Task.yield()
        users.stop()
        await waiting.value
        #expect(store.db.changes.listenerCount == 0)
        try await storage.save(TestUser("2"))
        await users.refresh()
        #expect(users.value.map(\.id) == ["1"])
    }

    @Test func aValueThatIsUnderWayWhenAQueryIsStoppedIsNotShown() async throws {
        let source = storage.query(TestUser.self).live.map { $0.count }
        let both = [LiveQuery(source, initially: 0), LiveQuery(source, initially: 0)]
        for query in both { await query.refresh() }
        // They are told in one go, and the one that is told first stops the other.
        for (query, other) in [(both[0], both[1]), (both[1], both[0])] {
            withObservationTracking {
                _ = query.value
            } onChange: {
                MainActor.assumeIsolated { other.stop() }
            }
        }
        try await storage.save(TestUser("1"))
        try await untilTrue { both.contains { $0.value == 1 } }
        #expect(both.map(\.value).sorted() == [0, 1])
    }

    @Test func whatIsReleasedObservesNothing() async throws {
        do {
            let users = LiveQuery(TestUser.self, in: storage)
            await users.refresh()
            #expect(store.db.changes.listenerCount == 1)
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func aLiveQueryMayBeReleasedWithTheObserverThatOwnsIt() async throws {
        var users: LiveQuery<[TestUser]>? = LiveQuery(TestUser.self, in: storage)
        await users?.refresh()
        let probe = StreamProbe(
            storage.observeAll(TestUser.self).map { $0.count })
        let owner = StreamProbe(storage.query(TestUser.self).observe(onError: { [users] _ in _ = users }))
        _ = try await (probe.next(), owner.next())
        users = nil
        #expect(store.db.changes.listenerCount == 3)
        owner.cancel()
        try await untilTrue { store.db.changes.listenerCount == 1 }
    }

    private struct WrongPhase: Error {}
}

extension LiveQuery {
    fileprivate var isReady: Bool {
        if case .ready = phase { true } else { false }
    }
}
