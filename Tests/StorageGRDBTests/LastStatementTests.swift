import GRDB
import Testing

@testable import StorageGRDB

/// The statement that a connection used last.
@Suite struct LastStatementTests {
    private let store: ProbedStore
    private let sql = "INSERT INTO numbers VALUES (?, ?)"

    init() throws {
        store = try ProbedStore()
    }

    @Test func whatAnAppRunsWithTheSameTextIsNotRunAgain() throws {
        try store.pool.writeWithoutTransaction { db in
            let last = LastStatement()
            try last.get(sql, [.integer(10), .integer(1)], in: db).execute()
            try db.cachedStatement(sql: sql).execute(arguments: [11, 1])
            try last.get(sql, [.integer(12), .integer(1)], in: db).execute()
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM numbers WHERE id >= 10 ORDER BY id") == [10, 11, 12])
        }
    }

    @Test func itIsAnotherAfterTheSchemaHasChanged() throws {
        try store.pool.writeWithoutTransaction { db in
            let last = LastStatement()
            try last.get(sql, [.integer(10), .integer(1)], in: db).execute()
            try db.execute(sql: "ALTER TABLE numbers RENAME COLUMN value TO other")
            try last.get(sql, [.integer(11), .integer(1)], in: db).execute()
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM numbers WHERE id >= 10 ORDER BY id") == [10, 11])
        }
    }
}
