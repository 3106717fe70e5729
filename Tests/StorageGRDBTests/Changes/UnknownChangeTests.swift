import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Where nobody can know the rows, everything is forgotten.
@Suite(.timeLimit(.minutes(20))) struct UnknownChangeTests {
    private let store: ProbedStore

    init() throws {
        store = try ProbedStore()
    }

    @Test(arguments: [
        "ALTER TABLE texts ADD COLUMN more TEXT DEFAULT 'more'",
        "DROP TABLE texts; CREATE TABLE texts (id TEXT PRIMARY KEY); INSERT INTO texts VALUES ('a')",
        "INSERT INTO texts VALUES (3, 'x', NULL); DROP TABLE texts",
        "CREATE INDEX of_values ON texts (value)",
    ])
    func aChangeOfTheSchemaIsOneOfEverything(sql: String) throws {
        #expect(try store.told(sql).filter { $0.value.contains(.allRows) } == ProbedStore.everything)
        #expect(store.hub.isCurrent)
    }

    @Test func afterAChangeOfTheSchemaRowsAreKnownAgain() throws {
        _ = try store.told("DROP TABLE texts; CREATE TABLE texts (a, b, id TEXT PRIMARY KEY)")
        #expect(try store.told("INSERT INTO texts VALUES (1, 2, 'x')") == ["texts": [.texts("x")]])
    }

    @Test func aVacuumIsAChangeOfEverything() throws {
        try store.pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        let told = store.take()
        #expect(told == ProbedStore.everything || (told.isEmpty && store.toldAtNextLook() == ProbedStore.everything))
        #expect(try store.told("UPDATE texts SET value = 3 WHERE id = 'b'")["texts"]?.isEmpty == false)
        #expect(try store.told("UPDATE texts SET value = 4 WHERE id = 'b'") == ["texts": [.texts("b")]])
    }

    @Test func anotherConnectionsCommitIsSeenAtTheNextLook() throws {
        let other = try GRDB.DatabaseQueue(path: store.folder.file().path)
        try other.write { try $0.execute(sql: "UPDATE texts SET value = 9 WHERE id = 'a'") }
        #expect(store.take().isEmpty)
        #expect(store.toldAtNextLook() == ProbedStore.everything)
    }

    @Test func anotherConnectionsCommitIsSeenAtOurNextCommit() throws {
        let other = try GRDB.DatabaseQueue(path: store.folder.file().path)
        try other.write { try $0.execute(sql: "UPDATE texts SET value = 9 WHERE id = 'a'") }
        let told = try store.told("UPDATE numbers SET value = 9 WHERE id = 2")
        #expect(told.filter { $0.value.contains(.allRows) }.keys == ProbedStore.everything.keys)
        #expect(store.hub.isCurrent)
        #expect(try store.told("UPDATE numbers SET value = 8 WHERE id = 2")["numbers"]?.isEmpty == false)
        #expect(try store.told("UPDATE numbers SET value = 7 WHERE id = 2") == ["numbers": [.numbers(2)]])
    }

    @Test func anotherProcesssCommitIsSeenAtTheNextLook() async throws {
        let child = try ChildProcess("run-sql", store.folder.file().path)
        try await child.line("ready")
        for value in 0..<3 {
            #expect(store.hub.isCurrent)
            try child.send("UPDATE texts SET value = \(value) WHERE id = 'a'")
            try await child.line("done")
            #expect(store.toldAtNextLook() == ProbedStore.everything)
        }
        try child.send("SELECT 1")
        try await child.line("done")
        #expect(store.hub.isCurrent)
    }

    @Test func anotherConnectionsRollbackIsNothing() throws {
        let other = try GRDB.DatabaseQueue(path: store.folder.file().path)
        try other.inTransaction { db in
            try db.execute(sql: "DELETE FROM texts")
            return .rollback
        }
        #expect(store.hub.isCurrent)
    }

    @Test func whereSQLiteTellsOfNoRowsTheTablesAreKnown() throws {
        let other = try GRDB.DatabasePool(path: store.folder.file().path)
        let observer = CommitObserver(hub: store.hub)
        observer.attach(to: other, seesRows: false)
        func told(_ sql: String) throws -> [String: [TableChange]] {
            try other.write { try $0.execute(sql: sql) }
            return store.take()
        }
        _ = try told("UPDATE numbers SET value = 0")
        #expect(try told("UPDATE texts SET value = 9 WHERE id = 'a'") == ["texts": [.allRows]])
        #expect(try told("DELETE FROM numbers") == ["numbers": [.allRows]])
        #expect(try told("UPDATE bare SET value = 9 WHERE id = 'a'") == ["bare": [.allRows]])
        #expect(try told("REPLACE INTO bare VALUES (9, 'b')") == ["bare": [.allRows]])
        let cascade = try told("DELETE FROM texts WHERE id = 'a'")
        #expect(cascade["texts"] == [.allRows] && cascade["children"] == [.allRows])
        #expect(store.hub.isCurrent)
    }
}
