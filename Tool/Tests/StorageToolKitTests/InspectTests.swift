import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct InspectTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aFileOfStorageKitShowsTablesMigrationsCachesAndSearch() async throws {
        let path = try await NotesFile.make(in: folder)
        let run = try Program.run("inspect", path)
        #expect(run.status == 0)
        #expect(run.error.isEmpty)
        let words = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            words.contains { $0.hasPrefix("notes 3 4.0 KiB 2 id, title, isDone, price, written, picture, updatedAt") })
        #expect(words.contains { $0.hasPrefix("notes_written notes written 4.0 KiB") })
        #expect(words.contains("notes by date"))
        #expect(words.contains("storage_fts_v1:notes_fts"))
        #expect(words.contains { $0.hasPrefix("kv_cache: 3 entries of ") && $0.hasSuffix(", 0 expired") })
        #expect(words.contains("notes_fts: fts5 of notes, title, 3 documents"))
        #expect(words.contains("Journal: wal"))
    }

    @Test func jsonHasTheSameFacts() async throws {
        let path = try await NotesFile.make(in: folder)
        let run = try Program.run("inspect", path, "--json")
        let summary = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let tables = try #require(summary?["tables"] as? [[String: Any]])
        let notes = try #require(tables.first { $0["name"] as? String == "notes" })
        #expect(notes["rows"] as? Int == 3)
        let migrations = try #require(summary?["migrations"] as? [String])
        #expect(migrations.contains("notes by date"))
        // What StorageKit remembers of columns stands in the same table.
        #expect(migrations.count { $0.hasPrefix("auto_schema_") } == 1)
        #expect(!migrations.contains { $0.hasPrefix("storage_schema_") })
    }

    @Test func aColumnThatTheAppDroppedIsListed() async throws {
        let path = try await NotesFile.make(in: folder)
        _ = try folder.database("notes.sqlite", "ALTER TABLE notes ADD COLUMN old TEXT")
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
            schema.addFullTextSearch(table: "notes", columns: ["title"])
            schema.drop(column: "old", of: NoteRecord.self)
        }
        try await context.close()
        let run = try Program.run("inspect", path)
        #expect(run.lines.contains(#"  auto_schema_drop:"notes"."old""#), "\(run.output)")
    }

    @Test func namesOfAPlainFileAreNeverSQL() throws {
        let path = try folder.database(
            "plain.sqlite", #"CREATE TABLE "a""b" ("c""d" INT, "e f" TEXT UNIQUE)"#,
            #"INSERT INTO "a""b" VALUES (1, 'x')"#,
            #"CREATE TABLE "x; DROP TABLE y --" (a)"#, #"CREATE INDEX "i'j" ON "a""b" ("c""d", lower("e f"))"#,
            #"CREATE VIEW "v w" AS SELECT 1"#, "CREATE VIRTUAL TABLE words USING fts4(body)")
        let run = try Program.run("inspect", path)
        #expect(run.status == 0)
        let words = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(words.contains { $0.hasPrefix(#"a"b 1 4.0 KiB 2 c"d, e f"#) })
        #expect(words.contains { $0.hasPrefix("x; DROP TABLE y -- 0 ") })
        #expect(words.contains { $0.hasPrefix(#"i'j a"b c"d, (expression) "#) })
        #expect(words.contains("v w"))
        #expect(words.contains("words: fts4, body, 0 documents"))
    }

    @Test func whatThisSQLiteCannotReadIsShownAllTheSame() throws {
        let path = try folder.database(
            "plain.sqlite", "CREATE TABLE t (a)", "CREATE VIEW broken AS SELECT * FROM gone",
            "PRAGMA writable_schema = ON",
            "INSERT INTO sqlite_master VALUES ('table', 'vt', 'vt', 0, 'CREATE VIRTUAL TABLE vt USING nomodule(x)')")
        for command in ["inspect", "schema", "doctor", "entities"] {
            let run = try Program.run(command, path)
            #expect(run.status == 0, "\(command): \(run.error)")
        }
        #expect(try Program.run("inspect", path).output.contains("broken"))
        #expect(try Program.run("export", path, "vt").error == "storagekit: the columns of 'vt' cannot be read here\n")
    }

    @Test func aNameCannotSteerTheTerminal() throws {
        let path = try folder.database("plain.sqlite", "CREATE TABLE \"\u{1B}[31mred\n\" (a)")
        let run = try Program.run("inspect", path)
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.output.contains(#"\u{1B}[31mred\n"#))
    }

    @Test func aTableWhoseNameBeginsNearlyAsThoseOfSQLiteIsOneOfTheApp() throws {
        let path = try folder.database(
            "plain.sqlite", "CREATE TABLE sqliteNotes (a)", "INSERT INTO sqliteNotes VALUES (1)")
        let run = try Program.run("export", path, "sqliteNotes")
        #expect(run.output == "{\"a\":1}\n", "\(run.error)")
    }

    @Test func indexesThatAreUniqueAreToldFromOthers() throws {
        let path = try folder.database(
            "plain.sqlite", "CREATE TABLE t (a INT)", "CREATE UNIQUE INDEX i ON t (a)", "CREATE INDEX j ON t (a)")
        let run = try Program.run("inspect", path)
        let words = run.lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(words.contains("i t a 4.0 KiB unique"), "\(run.output)")
        #expect(words.contains("j t a 4.0 KiB"), "\(run.output)")
    }

    @Test func entriesOfACacheThatHaveExpiredAreCounted() async throws {
        let path = try await NotesFile.make(in: folder)
        let writer = try Connection(path, .write)
        try writer.run("UPDATE kv_cache SET expiresAt = '2999-01-01 00:00:00.000'")
        try writer.run(
            """
            UPDATE kv_cache SET expiresAt = '2001-01-01 00:00:00.000' WHERE rowid = (SELECT min(rowid) FROM kv_cache)
            """)
        let run = try Program.run("inspect", path)
        #expect(
            run.lines.contains { $0.hasPrefix("  kv_cache: 3 entries of ") && $0.hasSuffix(", 1 expired") },
            "\(run.output)")
    }

    @Test func whatOlderVersionsRememberOfColumnsIsNoMigration() throws {
        let path = try folder.database(
            "plain.sqlite", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
            """
            INSERT INTO grdb_migrations VALUES ('auto_schema_2f3b0c11'), ('auto_schema_2f3b0c11:{"users":["name"]}'), \
            ('mine')
            """)
        let migrations = try DatabaseFile(path).read { connection in
            try StorageKitParts(Catalog(connection), connection).migrations
        }
        #expect(migrations == ["auto_schema_2f3b0c11", "mine"])
    }

    @Test func theDataOfTheAppAreToldFromWhatIsKeptBesideThem() async throws {
        let path = try await NotesFile.make(in: folder)
        try DatabaseFile(path).read { connection in
            let catalog = try Catalog(connection)
            let parts = try StorageKitParts(catalog, connection)
            #expect(catalog.tables.filter(parts.isOfTheApp).map(\.name) == ["notes"])
        }
    }
}
