import GRDB
import StorageKit
import StorageTestSupport
import Testing

@Suite struct IdOrderTests {
    /// The ids as SQLite sorts them, and as the store returns them, both ways.
    private func orders(_ store: TemporaryStore) async throws -> [(sql: [String], store: [String])] {
        var orders: [(sql: [String], store: [String])] = []
        for ascending in [true, false] {
            let direction = ascending ? "ASC" : "DESC"
            let ids = try await store.db.read {
                try String.fetchAll($0, sql: "SELECT id FROM testusers ORDER BY id \(direction)")
            }
            let users = try await store.storage.all(TestUser.self, ascending: ascending)
            orders.append((ids, users.map(\.id)))
        }
        return orders
    }

    @Test func allIdsComeInTheOrderOfTheirBytes() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        var random = SeededGenerator()
        let beginnings = ["", "a", "user-", "a beginning of sixteen", "é", "e\u{301}", "\u{1F600}", "Z"]
        for _ in 0..<programCount(quick: 20, full: 1000) {
            try await store.storage.repository(TestUser.self).deleteAll()
            let ids = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                (beginnings.randomElement(using: &random) ?? "")
                    + String(
                        (0..<Int.random(in: 0...3, using: &random)).map { _ in
                            Character(Unicode.Scalar(UInt8.random(in: 32...126, using: &random)))
                        })
            }
            try await store.storage.save(ids.map { TestUser($0, name: $0) })
            for order in try await orders(store) {
                #expect(order.store == order.sql, "STORAGEKIT_SEED=\(random.seed)")
            }
        }
        let users = try await store.storage.all(TestUser.self)
        #expect(users.allSatisfy { $0.id == $0.name })
    }

    @Test func theCollationOfTheTableHolds() async throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.file().path)
        try await queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE testusers (id TEXT PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL, age INTEGER NOT NULL,
                        email TEXT, isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL)
                    """)
        }
        try queue.close()
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save(["b", "A", "C", "d"].map { TestUser($0) })
        #expect(try await store.storage.all(TestUser.self).map(\.id) == ["A", "b", "C", "d"])
    }
}
