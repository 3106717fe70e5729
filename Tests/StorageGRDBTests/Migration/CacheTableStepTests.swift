import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct CacheTableStepTests {
    private let folder: TemporaryFolder
    private let queue: GRDB.DatabaseQueue

    init() throws {
        folder = try TemporaryFolder()
        queue = try GRDB.DatabaseQueue(path: folder.file().path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE other (x); CREATE INDEX IDX_kv_cache_expiresAt ON other (x)")
        }
        try start()
    }

    private func start() throws { try AppMigrations.start(on: queue) { $0.addKVCache() } }

    private func indexedColumns() throws -> [String] {
        try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT part.name FROM pragma_index_list('kv_cache') AS list, pragma_index_info(list.name) AS part
                    WHERE list.origin = 'c' ORDER BY part.name
                    """)
        }
    }

    @Test func anIndexWhoseNameAnotherTablesIndexHasGetsAnother() throws {
        #expect(try indexedColumns() == ["expiresAt", "updatedAt"])
    }

    @Test func anIndexUnderAnotherNameIsNotMadeASecondTime() throws {
        try queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations") }
        try start()
        #expect(try indexedColumns() == ["expiresAt", "updatedAt"])
    }
}
