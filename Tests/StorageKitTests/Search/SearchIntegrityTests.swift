import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// What `checkIntegrity()` says of the indexes of searches.
@Suite struct SearchIntegrityTests {
    /// The names by which the check itself might call what it compares.
    @Test(arguments: [("documents", "title"), ("Documents", "title"), ("notes", "docid"), ("notes", "text0")])
    func aSearchIsIntactWhateverItsTableAndItsColumnAreCalled(table: String, column: String) async throws {
        let store = try TemporaryStore { schema in
            schema.migration("2026-01-01_table") { db in
                try db.execute(sql: "CREATE TABLE \(table) (id TEXT PRIMARY KEY, \(column) TEXT)")
            }
            schema.addFullTextSearch(table: table, columns: [column])
        }
        try await store.db.write { try $0.execute(sql: "INSERT INTO \(table) VALUES ('1', 'Ada'), ('2', 'Bob')") }
        #expect(try await store.context.checkIntegrity().brokenIndexes == [])
        try await store.db.write { try $0.execute(sql: "DELETE FROM \(table)_fts WHERE rowid = 1") }
        #expect(try await store.context.checkIntegrity().brokenIndexes == ["\(table)_fts"])
    }

    /// Nobody would mend it by building the index anew.
    @Test func anIndexThatCannotBeComparedWithItsTableIsNotCalledBroken() async throws {
        let context = try StorageKit.startInMemory { schema in
            schema.migration("2026-01-01_table") { db in
                db.add(collation: DatabaseCollation("odd") { $0.compare($1) })
                try db.execute(sql: "CREATE TABLE notes (id TEXT COLLATE odd PRIMARY KEY, title TEXT)")
            }
            schema.addFullTextSearch(table: "notes", columns: ["title"])
        }
        try await context.storage.dbActor.write { db in
            db.remove(collation: DatabaseCollation("odd") { $0.compare($1) })
        }
        #expect(try await context.checkIntegrity().brokenIndexes == [])
    }

    @Test func anIndexThatCannotBeOpenedIsFoundByAStoreThatOnlyReads() async throws {
        let store = try TemporaryStore.searched()
        try await store.db.write { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = replace(sql, 'porter', 'nobody') WHERE name = 'articles_fts';
                    PRAGMA writable_schema = OFF
                    """)
        }
        let options = StorageKit.StartOptions(pool: PoolOptions(configure: { $0.readonly = true }))
        let reading = try StorageKit.start(at: store.url, options: options) { schema in
            schema.autoSchema(Archive.ArticleRecord.self, Archive.NoteRecord.self, Archive.AuthorRecord.self)
        }
        #expect(try await reading.checkIntegrity().brokenIndexes == ["articles_fts"])
    }
}
