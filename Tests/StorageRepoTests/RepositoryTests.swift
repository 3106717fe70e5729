import StorageKit
import StorageTestSupport
import Testing

/// Each method, through the repository and through the one that hides its type: they must not differ.
@Suite struct RepositoryTests {
    private let store: TemporaryStore
    private let typed: GenericRepository<TestUser, TestUserRecord>
    private let erased: AnyRepository<TestUser>

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        typed = store.context.makeRepository(TestUser.self, record: TestUserRecord.self)
        erased = AnyRepository(typed)
    }

    @Test func oneEntityIsPutReadAndDeleted() async throws {
        try await typed.put(TestUser("1", name: "a"))
        try await erased.put(TestUser("2", name: "b"))
        #expect(try await typed.get(id: "2")?.name == "b")
        #expect(try await erased.get(id: "1")?.name == "a")
        try await typed.delete(id: "2")
        try await erased.delete(id: "1")
        #expect(try await typed.countAll() == 0)
    }

    /// As the documents declare it, so that a test can put something else in its place.
    fileprivate protocol Users {
        func get(id: String) async throws -> TestUser?
        func get(id: String, policy: CachePolicy) async throws -> TestUser?
    }

    @Test func aRepositoryIsWhatAProtocolOfTheAppsAsksFor() async throws {
        try await typed.put(TestUser("1", name: "a"))
        for users in [typed, erased] as [any Users] {
            #expect(try await users.get(id: "1")?.name == "a")
            #expect(try await users.get(id: "1", policy: .databaseOnly)?.name == "a")
        }
        let get: (TestUser.Type, String) async throws -> TestUser? = store.storage.get(_:id:)
        #expect(try await get(TestUser.self, "1")?.name == "a")
    }

    @Test func entitiesAreInsertedAndUpdated() async throws {
        try await erased.insert(TestUser("1", name: "a"))
        try await erased.insert([TestUser("2", name: "b"), TestUser("3", name: "c")])
        await #expect(throws: StorageError.self) { try await erased.insert(TestUser("1", name: "x")) }
        #expect(try await erased.update(TestUser("1", name: "y")).name == "y")
        try await store.storage.transaction { [erased] tx in
            try erased.insert(TestUser("4", name: "d"), in: tx)
            try erased.insert([TestUser("5", name: "e")], in: tx)
            try erased.update(TestUser("2", name: "z"), in: tx)
        }
        #expect(try await typed.getAll(orderBy: "id").map(\.name) == ["y", "z", "c", "d", "e"])
    }

    @Test func manyEntitiesAreSortedFilteredCountedAndDeleted() async throws {
        try await typed.putAll([TestUser("1", name: "b"), TestUser("2", name: "a")])
        try await erased.putAll([TestUser("3", name: "a")])
        for ids in [
            try await typed.getAll(where: "name", equals: "a", orderBy: "id", ascending: false).map(\.id),
            try await erased.getAll(where: "name", equals: "a", orderBy: "id", ascending: false).map(\.id),
        ] {
            #expect(ids == ["3", "2"])
        }
        #expect(try await typed.getAll(orderBy: "name").map(\.id) == erased.getAll(orderBy: "name").map(\.id))
        #expect(try await erased.countAll() == 3)
        #expect(try await typed.deleteAll(where: "name", equals: "b") == 1)
        #expect(try await erased.deleteAll(where: "name", equals: "zzz") == 0)
        #expect(try await erased.deleteAll() == 2)
        #expect(try await typed.deleteAll() == 0)
    }

    @Test func pagesAreTheSame() async throws {
        try await typed.putAll((1...5).map { TestUser("\($0)") })
        let page = try await typed.getPage(limit: 2, offset: 2)
        #expect(page == (try await erased.getPage(limit: 2, offset: 2)))
        #expect(page.items.map(\.id) == ["3", "4"])
        #expect(page.nextOffset == 4 && page.hasMore)
    }

    @Test func pagesAreSortedAsAsked() async throws {
        try await typed.putAll([TestUser("1", name: "b"), TestUser("2", name: "a"), TestUser("3", name: "c")])
        let inside = try await store.storage.snapshot { [typed, erased] tx in
            [
                try typed.getPage(orderBy: "name", ascending: false, limit: 2, in: tx),
                try erased.getPage(orderBy: "name", ascending: false, limit: 2, in: tx),
            ]
        }
        let outside = [
            try await typed.getPage(orderBy: "name", ascending: false, limit: 2),
            try await erased.getPage(orderBy: "name", ascending: false, limit: 2),
        ]
        for page in inside + outside { #expect(page.items.map(\.id) == ["3", "1"]) }
    }

    @Test func aPolicySaysWhereAnEntityIsLookedFor() async throws {
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO testusers VALUES ('1', '', 0, NULL, 1, '2026-01-01 00:00:00.000')")
        }
        #expect(try await typed.get(id: "1", policy: .cacheOnly) == nil)
        #expect(try await erased.get(id: "1", policy: .cacheOnly) == nil)
        #expect(try await erased.get(id: "1", policy: .databaseOnly) != nil)
    }

    @Test func anIdThatIsNoTextIsTakenByEachCall() async throws {
        let store = try TemporaryStore { $0.autoSchema(SealRecord.self) }
        let seals = store.context.repository(Seal.self, record: SealRecord.self)
        let ids = [Data([1]), Data([2])]
        try await seals.putAll(ids.map { Seal(id: $0) })
        #expect(try await StreamProbe(seals.observe(id: ids[0])).next()?.id == ids[0])
        try await seals.delete(id: ids[0])
        try await store.storage.transaction { tx in
            #expect(try seals.get(id: ids[1], in: tx)?.id == ids[1])
            try seals.delete(id: ids[1], in: tx)
        }
        #expect(try await seals.countAll() == 0)
    }

    @Test func transactionsAreTheSame() async throws {
        try await typed.put(TestUser("0"))
        try await store.storage.transaction { [typed, erased] tx in
            try typed.put(TestUser("1", name: "a"), in: tx)
            try erased.put(TestUser("2", name: "b"), in: tx)
            try erased.putAll([TestUser("3", name: "a"), TestUser("4", name: "c")], in: tx)
            #expect(try erased.get(id: "1", in: tx)?.name == "a")
            #expect(
                try erased.getAll(orderBy: "name", in: tx).map(\.id) == typed.getAll(orderBy: "name", in: tx).map(\.id))
            for ids in [
                try typed.getAll(where: "name", equals: "a", ascending: false, in: tx).map(\.id),
                try erased.getAll(where: "name", equals: "a", ascending: false, in: tx).map(\.id),
            ] {
                #expect(ids == ["3", "1"])
            }
            try erased.delete(id: "0", in: tx)
            #expect(try erased.deleteAll(where: "name", equals: "c", in: tx) == 1)
            #expect(try erased.countAll(in: tx) == 3)
            #expect(try erased.getPage(limit: 2, offset: 1, in: tx) == typed.getPage(limit: 2, offset: 1, in: tx))
        }
        let count = try await store.storage.snapshot { [erased] in try erased.countAll(in: $0) }
        #expect(count == 3)
        await #expect(throws: CancellationError.self) {
            try await store.storage.transaction { [erased] tx in
                #expect(try erased.deleteAll(in: tx) == 3)
                throw CancellationError()
            }
        }
        #expect(try await erased.getAll().map(\.id) == ["1", "2", "3"])
    }

    @Test func aFilteredListInATransactionIsSortedAsAsked() async throws {
        try await typed.putAll([TestUser("1", name: "a", age: 2), TestUser("2", name: "a", age: 1), TestUser("3")])
        try await store.storage.transaction { [typed, erased] tx in
            for ids in [
                try typed.getAll(where: "name", equals: "a", orderBy: "age", in: tx).map(\.id),
                try erased.getAll(where: "name", equals: "a", orderBy: "age", in: tx).map(\.id),
            ] {
                #expect(ids == ["2", "1"])
            }
        }
    }

    @Test func aListInATransactionIsSortedAsAsked() async throws {
        try await typed.putAll([TestUser("1", name: "b"), TestUser("2", name: "a"), TestUser("3", name: "c")])
        try await store.storage.transaction { [typed, erased] tx in
            let lists = try [
                typed.getAll(orderBy: "name", ascending: false, in: tx),
                erased.getAll(orderBy: "name", ascending: false, in: tx),
            ]
            #expect(lists.map { $0.map(\.id) } == [["3", "1", "2"], ["3", "1", "2"]])
        }
    }

    @Test func streamsAreTheSame() async throws {
        let probes = [StreamProbe(typed.observe(id: "1")), StreamProbe(erased.observe(id: "1"))]
        let lists = [
            StreamProbe(typed.observeAll()), StreamProbe(erased.observeAll()),
            StreamProbe(typed.observeAllDistinct()), StreamProbe(erased.observeAllDistinct()),
        ]
        for probe in probes { #expect(try await probe.next() == nil) }
        for list in lists { #expect(try await list.next().isEmpty) }
        try await erased.put(TestUser("1"))
        for probe in probes { #expect(try await probe.next()?.id == "1") }
        for list in lists { #expect(try await list.next().map(\.id) == ["1"]) }
    }

    @Test func distinctStreamsLeaveOutAListThatIsTheSame() async throws {
        let all = StreamProbe(typed.observeAll())
        let distinct = [StreamProbe(typed.observeAllDistinct()), StreamProbe(erased.observeAllDistinct())]
        for list in distinct + [all] { #expect(try await list.next().isEmpty) }
        try await typed.put(TestUser("1"))
        for list in distinct + [all] { #expect(try await list.next().map(\.id) == ["1"]) }
        store.clock.advance(by: 1)
        try await typed.put(TestUser("1"))
        #expect(try await all.next().map(\.id) == ["1"])
        // All who observe are told in one go.
        await MainActor.run {}
        try await typed.put(TestUser("2"))
        for list in distinct { #expect(try await list.next().map(\.id) == ["1", "2"]) }
    }

    @Test func streamsAreSortedAsAsked() async throws {
        try await typed.putAll([TestUser("1", name: "b"), TestUser("2", name: "a"), TestUser("3", name: "c")])
        for list in [
            StreamProbe(typed.observeAll(orderBy: "name", ascending: false)),
            StreamProbe(erased.observeAll(orderBy: "name", ascending: false)),
            StreamProbe(typed.observeAllDistinct(orderBy: "name", ascending: false)),
            StreamProbe(erased.observeAllDistinct(orderBy: "name", ascending: false)),
        ] {
            #expect(try await list.next().map(\.id) == ["3", "1", "2"])
        }
    }
}

extension GenericRepository: RepositoryTests.Users where E == TestUser {}
extension AnyRepository: RepositoryTests.Users where E == TestUser {}

@StorageEntity(table: "seals") private struct Seal {
    var id: Data
}
