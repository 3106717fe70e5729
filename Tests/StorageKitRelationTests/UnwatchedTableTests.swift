import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Streams of SQL over tables of whose changes nobody tells.
@Suite struct UnwatchedTableTests {
    private let store: TemporaryStore

    init() async throws {
        let folder = try TemporaryFolder()
        let other = folder.file("other.sqlite").path
        let queue = try GRDB.DatabaseQueue(path: other)
        try await queue.write { try $0.execute(sql: "CREATE TABLE tags (tag TEXT)") }
        try queue.close()
        let attach: @Sendable (GRDB.Database) throws -> Void = { try $0.execute(sql: "ATTACH '\(other)' AS other") }
        store = try TemporaryStore(
            folder: folder, options: { $0.pool.configure = { $0.prepareDatabase(attach) } },
            schema: { $0.autoSchema(TestUserRecord.self) })
        try await store.storage.save(TestUser("1"))
    }

    /// Runs SQL together with a change of a table that the stream does not read.
    private func change(_ sql: String) async throws {
        try await store.db.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS logs (n INTEGER)")
        }
        try await store.db.write { try $0.execute(sql: sql + "; INSERT INTO logs VALUES (1)") }
    }

    @Test func aStreamOverAnAttachedFileHearsOfACommitThatChangesAnotherTableToo() async throws {
        let query = store.storage.sql("SELECT tag FROM testusers JOIN other.tags", as: String.self)
        let probe = StreamProbe(query.observe())
        #expect(try await probe.next() == [])
        try await change("INSERT INTO other.tags VALUES ('a')")
        #expect(try await probe.first { !$0.isEmpty } == ["a"])
        try await change("INSERT INTO other.tags VALUES ('b')")
        #expect(try await probe.first { $0.count == 2 } == ["a", "b"])
    }

    @Test func aStreamOverAVirtualTableOfTheConnectionHearsOfEachCommit() async throws {
        let words: @Sendable (GRDB.Database) throws -> Void = {
            try $0.execute(sql: "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, pages, row)")
        }
        let store = try TemporaryStore(options: { $0.pool.configure = { $0.prepareDatabase(words) } }) { schema in
            schema.autoSchema(TestUserRecord.self)
            schema.migration("pages") { try $0.execute(sql: "CREATE VIRTUAL TABLE pages USING fts5(text)") }
        }
        try await store.storage.save(TestUser("1"))
        let probe = StreamProbe(store.storage.sql("SELECT term FROM words JOIN testusers", as: String.self).observe())
        #expect(try await probe.next() == [])
        try await store.db.write { try $0.execute(sql: "INSERT INTO pages VALUES ('a')") }
        #expect(try await probe.first { !$0.isEmpty } == ["a"])
    }

    @Test func aStreamOverAPragmaHearsOfACommitThatChangesAnotherTableToo() async throws {
        let query = store.storage.sql("SELECT user_version FROM pragma_user_version, testusers", as: Int.self)
        let probe = StreamProbe(query.observe())
        #expect(try await probe.next() == [0])
        try await change("PRAGMA user_version = 5")
        #expect(try await probe.first { $0 != [0] } == [5])
        try await change("PRAGMA user_version = 6")
        #expect(try await probe.first { $0 != [5] } == [6])
    }
}
