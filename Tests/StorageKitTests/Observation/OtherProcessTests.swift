import StorageKit
import StorageTestSupport
import Testing

/// Commits of another process reach the streams of this one.
@Suite struct OtherProcessTests {
    private let store: TemporaryStore
    private let other: ChildProcess
    private var storage: Storage { store.storage }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save(TestUser("1"))
        other = try ChildProcess("run-sql", store.url.path)
        try await other.line("ready")
    }

    private func run(_ sql: String) async throws {
        try other.send(sql)
        try await other.line("done")
    }

    @Test func eachKindOfStreamHasEachCommitOfAnotherProcess() async throws {
        let row = StreamProbe(storage.observe(TestUser.self, id: "1"))
        let list = StreamProbe(storage.query(TestUser.self).where { $0.age >= 0 }.observe())
        let count = StreamProbe(storage.query(TestUser.self).observeCount())
        let closure = StreamProbe(
            store.db.stream { db in try Int.fetchOne(db, sql: "SELECT max(age) FROM testusers") ?? 0 })
        _ = try await (row.next(), list.next(), count.next(), closure.next())
        for age in 1...20 {
            try await run("UPDATE testusers SET age = \(age)")
            _ = try await row.first { $0?.age == age }
            _ = try await list.first { $0.first?.age == age }
            _ = try await closure.first { $0 == age }
        }
        try await run("INSERT INTO testusers SELECT '2', name, age, email, isActive, updatedAt FROM testusers")
        #expect(try await count.first { $0 == 2 } == 2)
    }

    @Test func nobodyLooksForCommitsWhileNobodyObserves() async throws {
        let hub = store.db.changes
        #expect(!hub.isWatching)
        let first = StreamProbe(storage.observeAll(TestUser.self))
        let second = StreamProbe(storage.observe(TestUser.self, id: "1"))
        _ = try await (first.next(), second.next())
        #expect(hub.isWatching)
        first.cancel()
        try await untilTrue { hub.listenerCount == 1 }
        #expect(hub.isWatching)
        second.cancel()
        try await untilTrue { hub.listenerCount == 0 }
        #expect(!hub.isWatching)
    }

    @Test func anOptionTurnsTheWatchOff() async throws {
        let quiet = try TemporaryStore(folder: store.folder, options: { $0.watchesOtherProcesses = false }) { _ in }
        let probe = StreamProbe(quiet.storage.observeAll(TestUser.self))
        #expect(try await probe.next().first?.age == 0)
        #expect(!quiet.db.changes.isWatching)
        try await run("UPDATE testusers SET age = 7")
        // It is noticed by whoever reads or writes next.
        _ = try await quiet.storage.get(TestUser.self, id: "1")
        _ = try await probe.first { $0.first?.age == 7 }
    }

    @Test func memoryDoesNotGrowWithObservationsThatEnded() async throws {
        let cycles = programCount(quick: 3000, full: 50_000)
        let observer = try ChildProcess("observe", store.folder.file("observed.sqlite").path, "\(cycles)")
        var kilobytes: [Int] = []
        for _ in 0..<3 { kilobytes.append(try #require(Int(try await observer.line("kilobytes ")))) }
        // The allocator comes to rest at some megabytes more, and threads may be made at any time; a task and a stream that stayed
        // would take two kilobytes each time.
        let grown = min(kilobytes[1] - kilobytes[0], kilobytes[2] - kilobytes[1])
        #expect(grown < 4096 + cycles / 10, "\(kilobytes)")
    }
}
