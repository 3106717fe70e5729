import StorageKit
import StorageTestSupport
import Testing

@Suite struct ObservationTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func anEntityIsEmittedAtOnceThenOnChangeAndDeletion() async throws {
        let probe = StreamProbe(storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next() == nil)
        try await storage.save(TestUser("1", name: "Ada"))
        #expect(try await probe.next()?.name == "Ada")
        try await storage.save(TestUser("1", name: "Grace"))
        #expect(try await probe.next()?.name == "Grace")
        try await storage.delete(TestUser.self, id: "1")
        #expect(try await probe.next() == nil)
    }

    @Test func aChangeOfAnotherEntityIsNotEmitted() async throws {
        try await storage.save(TestUser("1", name: "Ada"))
        let probe = StreamProbe(storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next()?.name == "Ada")
        try await storage.save(TestUser("2"))
        try await storage.save(TestUser("1", name: "Grace"))
        #expect(try await probe.next()?.name == "Grace")
    }

    @Test func aListIsEmittedAtOnceThenOnEachKindOfChange() async throws {
        try await storage.save(TestUser("1", name: "b"))
        let probe = StreamProbe(storage.observeAll(TestUser.self, orderBy: "name"))
        #expect(try await probe.next().map(\.name) == ["b"])
        try await storage.save(TestUser("2", name: "a"))
        _ = try await probe.first { $0.map(\.name) == ["a", "b"] }
        try await store.db.write { db in try db.execute(sql: "UPDATE testusers SET name = 'c' WHERE id = '2'") }
        _ = try await probe.first { $0.map(\.name) == ["b", "c"] }
        try await store.context.storage.pool.write { db in try db.execute(sql: "DELETE FROM testusers") }
        _ = try await probe.first { $0.isEmpty }
    }

    @Test func aTransactionThatRollsBackEmitsNothing() async throws {
        struct Stop: Error {}
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        #expect(try await probe.next().isEmpty)
        await #expect(throws: Stop.self) {
            try await store.db.write { db in
                try db.execute(sql: "INSERT INTO testusers VALUES ('x', '', 0, NULL, 1, '2026-01-01 00:00:00.000')")
                throw Stop()
            }
        }
        try await storage.save(TestUser("1"))
        #expect(try await probe.next().map(\.id) == ["1"])
    }

    @Test func aDistinctListNeverRepeatsAValue() async throws {
        let probe = StreamProbe(storage.observeAllDistinct(TestUser.self))
        #expect(try await probe.next().isEmpty)
        try await storage.save(TestUser("1"))
        #expect(try await probe.next().map(\.id) == ["1"])
        store.clock.advance(by: 1)
        try await storage.save(TestUser("1"))
        try await storage.save(TestUser("2"))
        #expect(try await probe.next().map(\.id) == ["1", "2"])
    }

    @Test func theLastValueArrivesHoweverFastTheWrites() async throws {
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        for age in 1...200 {
            try await storage.save(TestUser("1", age: age))
        }
        _ = try await probe.first { $0.first?.age == 200 }
    }

    @Test func valuesArriveOnTheMainActor() async throws {
        try await storage.save(TestUser("1"))
        let seen = await Task { @MainActor [storage] in
            for await users in storage.observeAll(TestUser.self) {
                MainActor.assertIsolated()
                return users.count
            }
            return 0
        }.value
        #expect(seen == 1)
    }

    @Test func cancellingTheTaskEndsTheObservation() async throws {
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        _ = try await probe.next()
        #expect(store.db.changes.listenerCount == 1)
        probe.cancel()
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func droppingAStreamThatWasNeverReadEndsTheObservation() async throws {
        do {
            let stream = storage.observeAll(TestUser.self)
            #expect(store.db.changes.listenerCount == 1)
            _ = stream
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func anErrorIsReportedAndTheStreamGoesOn() async throws {
        let (errors, report) = AsyncStream.makeStream(of: String.self)
        let stream = store.db.stream(onError: { report.yield("\($0)") }) { db in
            try Row.fetchAll(db, sql: "SELECT * FROM later").count
        }
        let failures = StreamProbe(errors)
        let probe = StreamProbe(stream)
        #expect(try await failures.next().contains("later"))
        try await store.db.write { db in try db.execute(sql: "CREATE TABLE later (x); INSERT INTO later VALUES (1)") }
        #expect(try await probe.first { $0 == 1 } == 1)
    }
}

/// Waits for a condition that another task brings about, yielding in between, for ten seconds at most.
private func untilTrue(_ condition: () -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(10))
    while !condition() {
        try #require(clock.now < deadline, "the condition did not come true in time")
        await Task.yield()
    }
}
