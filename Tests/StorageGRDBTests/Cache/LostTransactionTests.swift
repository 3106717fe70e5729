import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Saves that waited, and whose disk entry costs them the transaction that they share.
@Suite(.timeLimit(.minutes(20))) struct LostTransactionTests {
    @Test(arguments: [1, 3]) func aSaveThatWaitedIsDoneOnceItsDiskEntryHasRolledTheTransactionBack(saves: Int)
        async throws
    {
        let errors = ErrorLog()
        let handler = errors.handler
        let store = try TemporaryStore(options: { $0.onCacheError = handler }) { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        try await store.db.write { db in
            try db.execute(sql: "CREATE TRIGGER no BEFORE INSERT ON kv_cache BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
        }
        let calls = (0..<saves).map { id -> DatabaseActor.Call in
            { try await store.storage.save(TestUser("\(id)")) }
        }
        for result in try await store.db.queued(calls) { try result.get() }
        #expect(try await store.storage.count(TestUser.self) == saves)
        #expect(errors.cases == ["cacheWriteFailed"])
    }
}
