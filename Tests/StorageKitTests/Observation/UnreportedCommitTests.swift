import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// A statement that is dropped before its last step commits when it is reset, of which GRDB tells nobody.
@Suite struct UnreportedCommitTests {
    private let first: TemporaryStore
    private let second: TemporaryStore

    init() throws {
        first = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        second = try TemporaryStore(folder: first.folder) { $0.autoSchema(TestUserRecord.self) }
    }

    private func insertUnreported(_ id: String) async throws {
        _ = try await first.context.storage.pool.writeWithoutTransaction { db in
            try String.fetchOne(
                db,
                sql: "INSERT INTO testusers (id, name, age, isActive, updatedAt) "
                    + "VALUES (?, 'a', 1, 1, '2026-01-01 00:00:00.000') RETURNING id",
                arguments: [id])
        }
    }

    @Test func aListHearsOfIt() async throws {
        let probe = StreamProbe(first.storage.observeAll(TestUser.self))
        #expect(try await probe.next() == [])
        try await insertUnreported("1")
        #expect(try await probe.first { !$0.isEmpty }.count == 1)
    }

    @Test func listsOfOtherStoresOnTheFileGoOn() async throws {
        let probe = StreamProbe(second.storage.observeAll(TestUser.self))
        #expect(try await probe.next() == [])
        try await insertUnreported("1")
        try await second.storage.save(TestUser("2"))
        #expect(try await probe.first { $0.contains { $0.id == "2" } }.count == 2)
    }

    /// Nobody can look for it in a log that is not there.
    @Test func aStoreInMemoryHearsOfIt() async throws {
        let context = try StorageKit.startInMemory { $0.autoSchema(TestUserRecord.self) }
        try await context.facade.save(TestUser("1", name: "a"))
        #expect(try await context.facade.get(TestUser.self, id: "1")?.name == "a")
        let probe = StreamProbe(context.facade.observeAll(TestUser.self))
        #expect(try await probe.next().map(\.name) == ["a"])
        _ = try await context.storage.pool.writeWithoutTransaction { db in
            try String.fetchOne(db, sql: "UPDATE testusers SET name = 'b' RETURNING id")
        }
        #expect(try await context.facade.get(TestUser.self, id: "1")?.name == "b")
        #expect(try await probe.next().map(\.name) == ["b"])
    }

    @Test func memoryServesAgain() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("1"))
        _ = try await store.store.context.storage.pool.writeWithoutTransaction { db in
            try String.fetchOne(db, sql: "UPDATE testusers SET name = 'b' RETURNING id")
        }
        // The connection looks for it once it is free: whoever has it next comes behind that.
        try await store.store.context.storage.pool.writeWithoutTransaction { _ in }
        var place: [Int] = []
        for _ in 0..<1000 where place != CachedStore.memory {
            #expect(try await store.storage.get(TestUser.self, id: "1")?.name == "b")
            place = try await store.place()
        }
        #expect(place == CachedStore.memory)
    }
}
