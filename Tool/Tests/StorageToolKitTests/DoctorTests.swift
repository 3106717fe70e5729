import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct DoctorTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aHealthyFileOfStorageKitEndsWith0() async throws {
        let run = try Program.run("doctor", try await NotesFile.make(in: folder))
        #expect(run.status == 0)
        #expect(run.lines.count == Finding.Check.allCases.count)
        #expect(run.lines.allSatisfy { $0.hasSuffix(" ok") }, "\(run.output)")
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func aBrokenReferenceIsAProblemWithTheTableNamed() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
            #"CREATE TABLE "chil""dren" (parent INTEGER REFERENCES parents)"#,
            #"CREATE INDEX i ON "chil""dren" (parent)"#, #"INSERT INTO "chil""dren" VALUES (7), (NULL)"#)
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                #"1 row of 'chil"dren' refers to rows of 'parents' that are not there, the first with rowid 1"#))
        #expect(run.error.isEmpty)
    }

    @Test func aReferenceThatSQLiteCannotCheckIsAProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (name TEXT)",
            "CREATE TABLE children (id INTEGER PRIMARY KEY, parent TEXT UNIQUE REFERENCES parents (name))")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains(#"foreign key mismatch - "children" referencing "parents""#))
    }

    @Test func aReferenceWhoseCollationOnlyTheAppHasCannotBeChecked() throws {
        let path = try folder.database(
            "other.sqlite", "CREATE TABLE p (name TEXT COLLATE NOCASE PRIMARY KEY)",
            "CREATE TABLE c (name TEXT REFERENCES p(name))", "INSERT INTO p VALUES ('a')", "INSERT INTO c VALUES ('a')",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'odd') WHERE name = 'p'")
        let output = try Program.run("doctor", path).output
        #expect(output.contains("cannot be checked: no such collation sequence: odd"), "\(output)")
        #expect(!output.contains("needs a primary key"), "\(output)")
    }

    @Test func aReferenceToATableThatIsNotThereIsAProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER UNIQUE REFERENCES gone (id))")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("'children' refers to a table 'gone' that is not there"))
    }

    @Test func aForeignKeyWithoutAnIndexIsFoundAndTheAdviceMendsIt() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
            #"CREATE TABLE children (id INTEGER PRIMARY KEY, "the parent" INTEGER REFERENCES parents)"#)
        let findings = try DatabaseFile(path).read { try Examination(of: DatabaseFile(path), $0).findings() }
        #expect(findings.map(\.check) == [.indexes])
        #expect(try Program.run("doctor", path).status == 1)
        try Connection(path, .write).run(try #require(findings.first).advice)
        #expect(try Program.run("doctor", path).status == 0)
    }

    @Test func aPrimaryKeyThatBeginsWithTheReferenceIsIndexEnough() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
            "CREATE TABLE tags (parent INTEGER REFERENCES parents, tag TEXT, PRIMARY KEY (parent, tag)) WITHOUT ROWID")
        #expect(try Program.run("doctor", path).status == 0)
    }

    @Test(arguments: ["(tag, parent)", "(parent) WHERE tag = 'x'"])
    func anIndexThatCannotFindEveryChildIsNotEnough(index: String) throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (id INTEGER PRIMARY KEY)",
            "CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents, tag TEXT)",
            "CREATE INDEX i ON children \(index)")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("indexes:          1 problem"), "\(run.output)")
    }

    @Test func anIndexOfAReferenceOfTwoColumnsMayHaveThemInAnyOrder() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (a INT, b INT, PRIMARY KEY (a, b))",
            "CREATE TABLE children (x INT, y INT, z INT, FOREIGN KEY (x, y) REFERENCES parents (a, b))",
            "CREATE INDEX i ON children (y, x, z)")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(
        arguments: [
            ("TEXT PRIMARY KEY", "TEXT COLLATE NOCASE"), ("TEXT COLLATE NOCASE PRIMARY KEY", "TEXT"),
        ])
    func anIndexThatComparesOtherwiseThanTheReferenceIsNotEnough(parent: String, child: String) throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (name \(parent))",
            "CREATE TABLE children (parent \(child) REFERENCES parents)", "CREATE INDEX i ON children (parent)")
        let findings = try DatabaseFile(path).read { try Examination(of: DatabaseFile(path), $0).findings() }
        #expect(findings.map(\.check) == [.indexes])
        try Connection(path, .write).run(try #require(findings.first).advice)
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    /// SQLite compares as the parent's column does, though the index of another collation was made first.
    @Test func anIndexThatIsAdvisedServesThoughTheParentHasAnotherToo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (name TEXT)", "CREATE UNIQUE INDEX u1 ON parents (name COLLATE NOCASE)",
            "CREATE UNIQUE INDEX u2 ON parents (name)", "CREATE TABLE children (parent TEXT REFERENCES parents (name))",
            "CREATE INDEX i ON children (parent COLLATE NOCASE)")
        let findings = try DatabaseFile(path).read { try Examination(of: DatabaseFile(path), $0).findings() }
        #expect(findings.map(\.check) == [.indexes])
        try Connection(path, .write).run(try #require(findings.first).advice)
        #expect(try Program.run("doctor", path).status == 0)
    }

    @Test func anIndexThatComparesAsTheReferenceIsEnough() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE parents (name TEXT COLLATE NOCASE PRIMARY KEY)",
            "CREATE TABLE children (parent TEXT COLLATE NOCASE REFERENCES parents)",
            "CREATE INDEX i ON children (parent)")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aDamagedIndexIsFound() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)", "INSERT INTO t VALUES (1), (2)",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a DESC)' WHERE name = 'i'")
        let run = try Program.run("doctor", path, "--json")
        #expect(run.status == 1)
        let findings = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: String]])
        #expect(findings.first?["check"] == "integrity")
        #expect(findings.first?["advice"]?.contains("REINDEX") == true, "\(run.output)")
    }

    @Test func aDamagedIndexWhoseNameIsNoUTF8IsFound() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "CREATE INDEX i__ ON t (a)", "INSERT INTO t VALUES (1), (2)",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE INDEX i__ ON t (a DESC)' WHERE name = 'i__'",
            """
            UPDATE sqlite_master SET name = replace(name, '__', CAST(x'E9E8' AS TEXT)), \
            sql = replace(sql, '__', CAST(x'E9E8' AS TEXT)) WHERE name = 'i__'
            """)
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("index i\u{FFFD}\u{FFFD}"), "\(run.output)\(run.error)")
        #expect(!run.output.contains("integrity:        ok"), "\(run.output)")
    }

    @Test func aSchemaThatIsNoUTF8IsAProblemAndTheOtherChecksAreNotMade() throws {
        let run = try Program.run("doctor", try folder.latin1Database())
        #expect(run.status == 1)
        #expect(run.output.contains("the schema has text that is no UTF-8: the SQL of table 'people'"), "\(run.output)")
        #expect(run.output.contains("constraints:      not checked"), "\(run.output)")
    }

    @Test func equalRowsUnderAUniqueIndexAreToBeChangedBeforeItIsBuiltAnew() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)", "INSERT INTO t VALUES (1), (1)",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE UNIQUE INDEX i ON t (a)' WHERE name = 'i'")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("non-unique entry in index i"), "\(run.output)")
        #expect(run.output.contains("Delete or change the rows that are equal, then run REINDEX."), "\(run.output)")
    }

    @Test func rowsThatBreakACheckAreFound() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE sound (a CHECK (a > 0) REFERENCES parents)", "INSERT INTO sound VALUES (NULL)",
            "CREATE TABLE parents (id INTEGER PRIMARY KEY)", "CREATE TABLE \"bro\"\"ken\" (a CHECK (a > 0))",
            "PRAGMA ignore_check_constraints = ON",
            "INSERT INTO \"bro\"\"ken\" VALUES (-1)")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("constraints:      1 problem"), "\(run.output)")
        #expect(run.output.contains("indexes:          1 problem"), "\(run.output)")
        #expect(run.output.contains(#"CHECK constraint failed in bro"ken"#), "\(run.output)")
        #expect(run.output.contains("Correct the rows"), "\(run.output)")
    }

    @Test func damagedPagesAreFound() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t SELECT zeroblob(3000) FROM (VALUES (1), (2), (3), (4))")
        var bytes = Array(try folder.bytes("a.sqlite"))
        bytes.replaceSubrange(4096..<8192, with: repeatElement(0xAB, count: 4096))
        _ = try folder.file("a.sqlite", bytes: bytes)
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("foreign keys:     not checked"), "\(run.output)")
    }

    @Test(arguments: [[], ["--json"]] as [[String]])
    func aFileThatWasCutShortIsFoundAndTheAdviceSavesWhatCanBeRead(options: [String]) throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t SELECT zeroblob(3000) FROM (VALUES (1), (2), (3), (4))")
        _ = try folder.file("a.sqlite", bytes: Array(try folder.bytes("a.sqlite").prefix(9000)))
        let run = try Program.run(["doctor", path] + options)
        #expect(run.status == 1)
        #expect(run.output.contains("database disk image is malformed"), "\(run.error)")
        #expect(run.output.contains("sqlite3 FILE .recover"), "\(run.output)")
    }

    @Test func aFullTextIndexThatLostItsRowsIsFoundAndTheFileKept() async throws {
        let path = try await NotesFile.make(in: folder)
        let writer = try Connection(path, .write)
        try writer.run("DELETE FROM notes_fts WHERE rowid = 1")
        try writer.run("DELETE FROM notes_fts_docsize WHERE id = 2")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("index 'notes_fts' is damaged"), "\(run.output)")
        #expect(run.output.contains("index 'notes_fts' has 2 documents and table 'notes' 3 rows"), "\(run.output)")
        #expect(try writer.integer("SELECT COUNT(*) FROM notes") == 3)
    }

    @Test func aRowWithoutAKeyIsMissedByNoFullTextIndex() async throws {
        let path = folder.path("docs.sqlite")
        let context = try StorageKit.start(at: URL(fileURLWithPath: path)) { schema in
            schema.migration("docs") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE docs (id TEXT PRIMARY KEY, title TEXT);
                        INSERT INTO docs VALUES ('1', 'one'), (NULL, 'two')
                        """)
            }
            schema.addFullTextSearch(table: "docs", columns: ["title"])
        }
        try context.storage.pool.close()
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aFullTextIndexThatLostATriggerIsFound() async throws {
        let path = try await NotesFile.make(in: folder)
        try Connection(path, .write).run("DROP TRIGGER notes_fts_au")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("index 'notes_fts' has lost its trigger 'notes_fts_au'"), "\(run.output)")
    }

    @Test func whatDoctorSaysOfAnIndexThatLacksRowsKeepsTheTableWritable() async throws {
        let path = try await NotesFile.make(in: folder)
        let writer = try Connection(path, .write)
        try writer.run("DELETE FROM notes_fts WHERE rowid = 1")
        let output = try Program.run("doctor", path).output
        #expect(output.contains("Drop the triggers 'notes_fts_ai', 'notes_fts_au', 'notes_fts_ad'"), "\(output)")
        for event in ["ai", "au", "ad"] { try writer.run("DROP TRIGGER notes_fts_\(event)") }
        try writer.run("DROP TABLE notes_fts")
        try writer.run("UPDATE notes SET title = 'Water'")
        let context = try await NotesFile.reopened(path)
        #expect(try await context.facade.search(Note.self, query: "water").count == 3)
    }

    @Test func aFullTextIndexOfAnOlderModuleIsCheckedToo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE VIRTUAL TABLE words USING fts4(body)", "INSERT INTO words VALUES ('one two')",
            "UPDATE words_content SET c0body = 'three'")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("index 'words' is damaged"), "\(run.output)")
    }

    @Test func aFullTextIndexThatKeepsNoTextsIsNoProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE VIRTUAL TABLE words USING fts4(content='', body)",
            "INSERT INTO words (docid, body) VALUES (1, 'one two')",
            "CREATE VIRTUAL TABLE others USING fts4(content=[], body)",
            "CREATE VIRTUAL TABLE newer USING fts5(body, content='')",
            "INSERT INTO newer (rowid, body) VALUES (1, 'one two')")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aFullTextIndexThatCannotBeOpenedIsNotToBeRebuilt() async throws {
        let path = try await NotesFile.make(in: folder)
        try Connection(path, .write).run("DELETE FROM notes_fts_data")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("vtable constructor failed: notes_fts"), "\(run.output)\(run.error)")
        #expect(!run.output.contains("rebuild"), "\(run.output)")
    }

    @Test func aFullTextIndexWithATokenizerOfTheAppIsNotCalledDamaged() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE VIRTUAL TABLE words USING fts5(body)", "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE words USING fts5(body, tokenize = mine)' WHERE name = 'words'"
        )
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(
            run.output.contains("index 'words' cannot be checked: no such tokenizer: mine"), "\(run.output)\(run.error)"
        )
        #expect(!run.output.contains("rebuild"), "\(run.output)")
    }

    @Test func aFullTextIndexThatDiffersFromTheTableOfItsTextsIsFound() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)",
            "CREATE VIRTUAL TABLE words USING fts5(title, content='notes', content_rowid='id')",
            "INSERT INTO notes VALUES (1, 'cat')")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("index 'words' is damaged"), "\(run.output)")
    }

    @Test func aFullTextIndexOfAnotherProgramMayHaveFewerRowsThanATable() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)",
            "CREATE VIRTUAL TABLE notes_fts USING fts5(title)", "INSERT INTO notes VALUES (1, 'cat'), (2, 'draft')",
            "INSERT INTO notes_fts (rowid, title) VALUES (1, 'cat')")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aShortLogIsNoProblem() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (1)")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
        withExtendedLifetime(writer) {}
    }

    @Test func aLargeLogIsAProblem() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("PRAGMA wal_autocheckpoint = 0")
        for _ in 0..<2 { try writer.run("INSERT INTO t VALUES (zeroblob(34000000))") }
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("the write-ahead log has 6"), "\(run.output)")
        withExtendedLifetime(writer) {}
    }

    @Test func muchFreeSpaceIsAProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (zeroblob(3000000))", "DELETE FROM t")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("of the file are free"), "\(run.output)")
    }

    @Test(arguments: [
        "price COLLATE storagekit_decimal", "title COLLATE storagekit_caseless",
        "title COLLATE storagekit_localized_sv",
    ])
    func anIndexThatTheAppHasSortedIsSound(term: String) async throws {
        let path = try await NotesFile.make(in: folder)
        let context = try await NotesFile.reopened(path)
        try await context.storage.pool.write { db in
            // The other prices are 12.5, before which the number 12 would stand.
            try db.execute(sql: "UPDATE notes SET price = '12abc' WHERE id = 'n1'; CREATE INDEX i ON notes (\(term))")
        }
        try await context.close()
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func freeSpaceOfASmallFileIsNoProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (zeroblob(500000))", "DELETE FROM t")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func freeSpaceThatIsLittleBesideTheFileIsNoProblem() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (zeroblob(6000000)), (zeroblob(1200000))",
            "DELETE FROM t WHERE length(a) < 2000000")
        let run = try Program.run("doctor", path)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func aFileOfAFormatThatSQLiteDoesNotKnowIsNotExamined() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        var bytes = Array(try folder.bytes("a.sqlite"))
        // The number of the schema's format: SQLite knows those up to 4.
        bytes[47] = 9
        _ = try folder.file("a.sqlite", bytes: bytes)
        let run = try Program.run("doctor", path)
        #expect(run.status == 65)
        #expect(run.error.contains("unsupported file format"), "\(run.output)\(run.error)")
    }

    @Test func aSchemaThatNeedsAnUnknownCollationSaysSo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a TEXT COLLATE NOCASE)", "CREATE INDEX i ON t (a)",
            "PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'klingon')")
        let run = try Program.run("doctor", path)
        #expect(run.status == 1)
        #expect(run.output.contains("klingon"), "\(run.output)\(run.error)")
    }
}
