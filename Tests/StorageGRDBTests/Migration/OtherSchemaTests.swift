import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// What a connection has beside the file that is migrated: temporary tables and attached databases.
@Suite struct OtherSchemaTests {
    private let folder: TemporaryFolder
    private let queue: GRDB.DatabaseQueue

    init() throws {
        folder = try TemporaryFolder()
        let other = try GRDB.DatabaseQueue(path: folder.file("other.sqlite").path)
        try OtherSchemaTests.schema("a").run(on: other)
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { [path = other.path] db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [path])
        }
        queue = try GRDB.DatabaseQueue(path: folder.file().path, configuration: configuration)
    }

    private static func schema(_ columns: String...) -> AppMigrations {
        let notes = TableSchema(name: "notes", columns: [.id] + columns.map { ColumnSchema(name: $0, type: "TEXT") })
        var schema = AppMigrations()
        schema.migration("own") { try $0.execute(sql: "CREATE TABLE main.own (x)") }
        schema.migration("guarded", skipIfTableExists: "guarded") { db in
            try db.execute(sql: "CREATE TABLE main.guarded (x)")
        }
        schema.addKVCache()
        schema.autoSchema(tables: [notes])
        return schema
    }

    private func tables() throws -> [String] {
        try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
                    """)
        }
    }

    private func columns() throws -> [String] {
        try queue.read { try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('notes', 'main')") }
    }

    @Test func anAttachedDatabaseOfTheSameSchemaDoesNotStandForTheFile() throws {
        try Self.schema("a").run(on: queue)
        #expect(try tables() == ["grdb_migrations", "guarded", "kv_cache", "notes", "own"])
        #expect(try Self.schema("a").plan(on: queue).isEmpty)
    }

    @Test func temporaryTablesDoNotStandForTheFile() throws {
        try queue.writeWithoutTransaction { db in
            for table in ["notes", "guarded", "kv_cache"] { try db.execute(sql: "CREATE TEMP TABLE \(table) (x)") }
        }
        try Self.schema("a").run(on: queue)
        #expect(try columns() == ["id", "a"])
    }

    @Test func aColumnIsAddedToTheTableOfTheFile() throws {
        try Self.schema().run(on: queue)
        try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE TEMP TABLE notes (id TEXT PRIMARY KEY)") }
        try Self.schema("a").run(on: queue)
        #expect(try columns() == ["id", "a"])
    }

    /// SQLite ignores the case of ASCII alone.
    @Test func capitalsOutsideASCIIAreOtherNames() throws {
        try Self.schema("É").run(on: queue)
        try Self.schema("é").run(on: queue)
        #expect(try columns() == ["id", "É", "é"])
        try queue.write { try $0.execute(sql: "CREATE TABLE \"Ж\" (x)") }
        #expect(try queue.read { try $0.hasTable("ж") } == false)
        #expect(try queue.read { try $0.hasTable("Notes") })
    }
}
