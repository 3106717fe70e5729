import GRDB
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// What migrations of the app's own cost in files of many tables.
@Suite struct MigrationCostTests {
    /// How many statements a migration takes, in a file of so many tables.
    private func statements(
        tables: Int, parent: String = "INTEGER", _ body: @escaping @Sendable (_ number: Int, Database) throws -> Void
    ) throws -> Int {
        func all(migrations: Int) throws -> Int {
            let count = Mutex(0)
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                db.trace { event in if case .statement = event { count.withLock { $0 += 1 } } }
            }
            let folder = try TemporaryFolder()
            let pool = try GRDB.DatabasePool(path: folder.file().path, configuration: configuration)
            try pool.write { db in
                for number in 0..<tables {
                    try db.execute(
                        sql: """
                            CREATE TABLE t\(number) (id INTEGER PRIMARY KEY, a TEXT UNIQUE, parent \(parent));
                            CREATE INDEX i\(number) ON t\(number) (parent);
                            """)
                }
            }
            var schema = AppMigrations()
            for number in 0..<migrations { schema.migration("\(number)") { try body(number, $0) } }
            count.withLock { $0 = 0 }
            try schema.run(on: pool)
            try pool.close()
            return count.withLock { $0 }
        }
        return try (all(migrations: 12) - all(migrations: 2)) / 10
    }

    @Test func aMigrationThatLeavesTheSchemaAloneTakesAsManyStatementsInAFileOfManyTables() throws {
        let body = { @Sendable (_: Int, db: Database) in try db.execute(sql: "UPDATE t1 SET a = 'b'") }
        let parent = "INTEGER REFERENCES t0"
        #expect(
            try statements(tables: 3, parent: parent, body) == statements(tables: 12, parent: parent, body))
    }

    @Test func aMigrationRunsWhereTheFileIsDamagedInWhatItSaysOfIndexes() throws {
        let folder = try TemporaryFolder()
        let pool = try GRDB.DatabasePool(path: folder.file().path)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT UNIQUE);
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET tbl_name = NULL WHERE name = 'sqlite_autoindex_t_1';
                    UPDATE sqlite_master SET tbl_name = x'ff' WHERE name = 'sqlite_autoindex_t_2';
                    PRAGMA writable_schema = OFF;
                    """)
        }
        var schema = AppMigrations()
        schema.migration("1") { try $0.execute(sql: "ALTER TABLE t ADD COLUMN b TEXT") }
        try schema.run(on: pool)
        #expect(try pool.read { try $0.storedColumns(of: "t") } == ["id", "a", "b"])
    }

    @Test func aMigrationThatChangesATableReadsThatOneAnew() throws {
        let body = { @Sendable (number: Int, db: Database) in
            try db.execute(sql: "ALTER TABLE t1 ADD COLUMN b\(number) TEXT")
        }
        // Those that refer to others are looked at anew for broken references.
        #expect(try statements(tables: 3, body) == statements(tables: 12, body))
    }
}
