import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Saves whose disk entry costs them the transaction.
@Suite(.timeLimit(.minutes(20))) struct LostTransactionTests {
    @Test(arguments: [1, 3]) func aSaveThatWaitedIsDoneOnceItsDiskEntryHasRolledTheTransactionBack(saves: Int)
        async throws
    {
        let (store, errors) = try await storeWhoseDiskCacheRollsBack()
        let calls = (0..<saves).map { id -> DatabaseActor.Call in
            { try await store.storage.save(TestUser("\(id)")) }
        }
        for result in try await store.db.queued(calls) { try result.get() }
        #expect(try await store.storage.count(TestUser.self) == saves)
        #expect(errors.cases == ["cacheWriteFailed"])
    }

    private func addTriggerThatMayFailHalfway(_ store: TemporaryStore) async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER halfway AFTER INSERT ON testusers WHEN new.name = 'nobody'
                    BEGIN SELECT RAISE(FAIL, 'nobody'); END
                    """)
        }
    }

    @Test func aSaveThatNeedsATransactionForATriggerIsDoneOnceItsDiskEntryHasRolledThatBack() async throws {
        let (store, errors) = try await storeWhoseDiskCacheRollsBack()
        try await addTriggerThatMayFailHalfway(store)
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.count(TestUser.self) == 1)
        #expect(errors.cases == ["cacheWriteFailed"])
    }

    /// They are read once no save is under way.
    @Test func aSaveThatRanTwiceDoesNotHoldUpStreams() async throws {
        let (store, _) = try await storeWhoseDiskCacheRollsBack()
        try await addTriggerThatMayFailHalfway(store)
        let row = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        _ = try await row.next()
        try await store.storage.save(TestUser("1", name: "a"))
        _ = try await row.first { $0?.name == "a" }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET name = 'b'") }
        _ = try await row.first { $0?.name == "b" }
    }

    /// The entry needs a page more, and the row does not.
    @Test func aSaveIsDoneWhereTheFileHasNoRoomForItsDiskEntry() async throws {
        let id = String(repeating: "k", count: 3000)
        let folder = try TemporaryFolder()
        let schema: (inout AppMigrations) -> Void = { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        do {
            let store = try TemporaryStore(folder: folder, schema: schema)
            try await store.storage.save(TestUser(id, name: "a"))
            try await store.db.write { db in
                try db.execute(
                    sql: """
                        DELETE FROM kv_cache;
                        CREATE TABLE filler (b);
                        CREATE TRIGGER halfway AFTER UPDATE ON testusers WHEN new.name = 'nobody'
                        BEGIN SELECT RAISE(FAIL, 'nobody'); END
                        """)
            }
            try await store.context.close()
        }
        let errors = ErrorLog()
        let handler = errors.handler
        let store = try TemporaryStore(folder: folder, options: { $0.onCacheError = handler }, schema: schema)
        try await store.db.write { db in
            while try Int.fetchOne(db, sql: "PRAGMA freelist_count") != 0 {
                try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(4000))")
            }
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
        }
        try await store.storage.save(TestUser(id, name: "b"))
        #expect(try await store.storage.query(TestUser.self).fetch().map(\.name) == ["b"])
        #expect(errors.cases == ["cacheWriteFailed"])
    }

    private func storeWhoseDiskCacheRollsBack() async throws -> (TemporaryStore, ErrorLog) {
        let errors = ErrorLog()
        let handler = errors.handler
        let store = try TemporaryStore(options: { $0.onCacheError = handler }) { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        try await store.db.write { db in
            try db.execute(sql: "CREATE TRIGGER no BEFORE INSERT ON kv_cache BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
        }
        return (store, errors)
    }
}
