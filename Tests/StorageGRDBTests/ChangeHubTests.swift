import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct ChangeHubTests {
    private let store: TemporaryStore

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE notes (id INTEGER PRIMARY KEY, userId TEXT REFERENCES testusers(id) ON DELETE CASCADE);
                    CREATE TABLE log (line TEXT);
                    CREATE TRIGGER logged AFTER UPDATE ON testusers BEGIN INSERT INTO log VALUES (new.id); END
                    """)
        }
        try await store.storage.save(TestUser("1"))
        try await store.db.write { db in try db.execute(sql: "INSERT INTO notes VALUES (1, '1')") }
    }

    private func wakes(of table: String, by sql: String) async throws -> Int {
        let wakes = Wakes(of: table)
        store.db.changes.listen(wakes, watching: false)
        defer { store.db.changes.stop(wakes, watching: false) }
        try await store.context.storage.pool.write { db in try db.execute(sql: sql) }
        return wakes.count
    }

    @Test func oneCommitWakesOnceHoweverManyRowsChanged() async throws {
        let sql = (2...50).map { "INSERT INTO notes VALUES (\($0), '1');" }.joined()
        #expect(try await wakes(of: "notes", by: sql) == 1)
    }

    @Test func rawSQLTriggersAndCascadesCount() async throws {
        #expect(try await wakes(of: "testusers", by: "UPDATE testusers SET age = 3") == 1)
        #expect(try await wakes(of: "log", by: "UPDATE testusers SET age = 4") == 1)
        #expect(try await wakes(of: "notes", by: "DELETE FROM testusers") == 1)
        #expect(try await wakes(of: "log", by: "DELETE FROM log") == 1)
    }

    @Test func otherTablesDoNotWake() async throws {
        #expect(try await wakes(of: "testusers", by: "INSERT INTO log VALUES ('x')") == 0)
    }

    @Test func aRollbackDoesNotWakeAndItsChangesAreForgotten() async throws {
        let wakes = Wakes(of: "testusers")
        store.db.changes.listen(wakes, watching: false)
        defer { store.db.changes.stop(wakes, watching: false) }
        try await store.context.storage.pool.writeWithoutTransaction { db in
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM testusers")
                return .rollback
            }
        }
        try await store.db.write { db in try db.execute(sql: "INSERT INTO log VALUES ('x')") }
        #expect(wakes.count == 0)
    }

    @Test func savesOfTheFacadeWake() async throws {
        let wakes = Wakes(of: "testusers")
        store.db.changes.listen(wakes, watching: false)
        try await store.storage.save(TestUser("1", age: 9))
        try await store.storage.save([TestUser("2"), TestUser("3")])
        try await store.storage.delete(TestUser.self, id: "2")
        #expect(wakes.count == 3)
        store.db.changes.stop(wakes, watching: false)
        try await store.storage.save(TestUser("1"))
        #expect(wakes.count == 3)
    }
}

/// Counts the commits that change a table.
private final class Wakes: ChangeListener {
    private let table: String
    private let number = Atomic<Int>(0)
    var count: Int { number.load(ordering: .relaxed) }

    init(of table: String) {
        self.table = table
    }

    func note(_ changes: ChangeSet) {
        if changes.change(of: table) != nil { number.add(1, ordering: .relaxed) }
    }
}
