import Dispatch
import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Two stores on one file, of which the one hears of its commit only after the other has made the next.
@Suite struct OverlappingCommitTests {
    /// Holds a writer between its commit and the news of it.
    private final class Hold: TransactionObserver, Sendable {
        private let isArmed = Atomic<Bool>(false)
        private let go = DispatchSemaphore(value: 0)
        let committed: AsyncStream<Void>
        private let commit: AsyncStream<Void>.Continuation

        init() {
            (committed, commit) = AsyncStream.makeStream()
        }

        func arm() { isArmed.store(true, ordering: .releasing) }
        func letGo() { go.signal() }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidRollback(_ db: GRDB.Database) {}

        func databaseDidCommit(_ db: GRDB.Database) {
            guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
            commit.yield()
            go.wait()
        }
    }

    private let hold = Hold()
    private let first: TemporaryStore
    private let second: TemporaryStore

    init() throws {
        let schema = { (schema: inout AppMigrations) in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        first = try TemporaryStore(
            options: { [hold] in
                $0.pool.configure = {
                    // Before the store's own observer, which hears of the commit after it.
                    $0.prepareDatabase { $0.add(transactionObserver: hold, extent: .databaseLifetime) }
                    // With a handler of the app's saves run on GRDB's thread, and what is held is none of the few of tasks.
                    $0.busyMode = .callback { _ in true }
                }
            }, schema: schema)
        second = try TemporaryStore(folder: first.folder, schema: schema)
    }

    /// The first store saves "old" and the second "new", and only then the first hears of its own commit.
    private func saveOldAndNew() async throws {
        try await first.storage.save(TestUser("1", name: "0"))
        hold.arm()
        let old = Task { [storage = first.storage] in try await storage.save(TestUser("1", name: "old")) }
        try await StreamProbe(hold.committed).next()
        try await second.storage.save(TestUser("1", name: "new"))
        hold.letGo()
        try await old.value
    }

    @Test func memoryKeepsNothingOlderThanTheLastCommit() async throws {
        try await saveOldAndNew()
        #expect(try await first.storage.get(TestUser.self, id: "1")?.name == "new")
    }

    @Test func memoryKeepsNothingOlderThanAStrangersCommitAfterOneToAnAttachedFile() async throws {
        try await first.storage.save(TestUser("2", name: "old"))
        try await first.attachFile()
        for _ in 0..<2 { #expect(try await first.storage.get(TestUser.self, id: "2")?.name == "old") }
        hold.arm()
        let own = Task { [storage = first.storage] in try await storage.save(TestUser("1")) }
        try await StreamProbe(hold.committed).next()
        try await GRDB.DatabaseQueue(path: first.url.path).write {
            try $0.execute(sql: "UPDATE testusers SET name = 'new' WHERE id = '2'")
        }
        hold.letGo()
        try await own.value
        #expect(try await first.storage.get(TestUser.self, id: "2")?.name == "new")
    }

    @Test func anObservedEntityEndsAtTheLastCommit() async throws {
        let probe = StreamProbe(first.storage.observe(TestUser.self, id: "1"))
        try await saveOldAndNew()
        _ = try await probe.first { $0?.name == "new" }
        // Whatever comes next comes of this save, and nothing older in between.
        try await second.storage.save(TestUser("1", name: "newest"))
        #expect(try await probe.next()?.name == "newest")
    }
}

extension TemporaryStore {
    /// Attaches another file, and commits to that one alone.
    func attachFile() async throws {
        let file = folder.file("attached.sqlite").path
        try await context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS attached", arguments: [file])
            try db.execute(sql: "CREATE TABLE attached.notes (text)")
        }
    }
}
