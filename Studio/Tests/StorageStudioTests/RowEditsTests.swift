import Foundation
import StorageSQLite
import Testing

@testable import StorageStudio

@Suite struct RowEditsTests {
    static let notes = """
        CREATE TABLE lists (id TEXT PRIMARY KEY);
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE NOCASE, stars INTEGER, list TEXT REFERENCES lists (id), big AS (upper(title)));
        INSERT INTO lists VALUES ('home');
        INSERT INTO notes (id, title, stars, list) VALUES (1, 'a', 3, 'home'), (2, 'b', NULL, NULL);
        CREATE VIEW seen AS SELECT * FROM notes;
        """

    private func apply(_ edits: [RowEdits.Edit], to file: TemporaryFile) async throws -> RowEdits.Outcome {
        try await StudioConnection(file.path, .change).write { connection, schema in
            let outcome = try RowEdits(edits: edits).apply(connection, schema)
            return (outcome, isKept: outcome.isDone)
        }
    }

    private func key(_ id: Int64) -> [CellJSON] { [CellJSON(.integer(id)), CellJSON(.integer(id))] }

    private func update(_ id: Int64, _ column: String, _ old: Cell, _ new: Cell) -> RowEdits.Edit {
        RowEdits.Edit(
            kind: .update, table: "notes", key: key(id), old: [column: CellJSON(old)], new: [column: CellJSON(new)])
    }

    @Test func editsOfAllKindsAreOneTransaction() async throws {
        let file = try TemporaryFile(Self.notes)
        let outcome = try await apply(
            [
                update(1, "stars", .integer(3), .text("5")),
                RowEdits.Edit(kind: .insert, table: "notes", new: ["title": CellJSON(.text("c"))]),
                RowEdits.Edit(
                    kind: .delete, table: "notes", key: key(2),
                    old: ["title": CellJSON(.text("b")), "stars": CellJSON(.null)]),
            ], to: file)
        #expect(outcome.isDone)
        #expect(try file.value("SELECT group_concat(id || title || ifnull(stars, '')) FROM notes") == .text("1a5,3c"))
    }

    @Test func aRowThatChangedMeanwhileIsAConflictAndNothingIsWritten() async throws {
        let file = try TemporaryFile(Self.notes)
        let outcome = try await apply(
            [update(2, "title", .text("b"), .text("x")), update(1, "title", .text("old"), .text("new"))], to: file)
        #expect(!outcome.isDone && outcome.isConflict == true && outcome.edit == 1)
        #expect(outcome.current?["title"]?.cell == .text("a"))
        #expect(try file.value("SELECT group_concat(title) FROM notes") == .text("a,b"))
    }

    @Test func rowsOfAKeyThatTwoMayShareAreNotEdited() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE t (rowid, _rowid_, oid, k TEXT PRIMARY KEY); INSERT INTO t (k) VALUES (NULL), (NULL)")
        let edit = RowEdits.Edit(kind: .delete, table: "t", key: [CellJSON(.null)])
        let outcome = try await apply([edit], to: file)
        #expect(!outcome.isDone && outcome.message?.hasSuffix("its rows have no key") == true)
        #expect(try file.value("SELECT count(*) FROM t") == .integer(2))
    }

    @Test func shownTextsAreComparedByTheirBytes() async throws {
        let file = try TemporaryFile(Self.notes)
        #expect(try await apply([update(1, "title", .text("A"), .text("x"))], to: file).isConflict == true)
    }

    @Test func aRowOfMoreColumnsThanAnExpressionIsDeepIsUpdatedAndDeleted() async throws {
        let names = (0..<1200).map { "c\($0)" }
        let file = try TemporaryFile("CREATE TABLE wide (id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))")
        try file.run("INSERT INTO wide (id) VALUES (1)")
        func cells(_ cell: Cell) -> [String: CellJSON] {
            Dictionary(uniqueKeysWithValues: names.map { ($0, CellJSON(cell)) })
        }
        let update = RowEdits.Edit(
            kind: .update, table: "wide", key: key(1), old: cells(.null), new: cells(.integer(7)))
        #expect(try await apply([update], to: file).message == nil)
        #expect(try file.value("SELECT c0 + c1199 FROM wide") == .integer(14))
        let delete = RowEdits.Edit(kind: .delete, table: "wide", key: key(1), old: cells(.integer(7)))
        #expect(try await apply([delete], to: file).message == nil)
        #expect(try file.value("SELECT count(*) FROM wide") == .integer(0))
    }

    @Test(
        arguments: [
            ("stars", Cell.integer(3), Cell.text("many")), ("stars", .integer(3), .text("12345678901234567890")),
            ("title", .text("a"), .null),
            ("list", .text("home"), .text("nowhere")),
            ("big", .text("A"), .text("B")), ("nothing", .null, .null),
        ] as [(String, Cell, Cell)])
    func whatTheSchemaForbidsIsSaid(column: String, old: Cell, new: Cell) async throws {
        let file = try TemporaryFile(Self.notes)
        let outcome = try await apply([update(1, column, old, new)], to: file)
        #expect(!outcome.isDone && outcome.message != nil && outcome.isConflict == nil)
        #expect(try file.value("SELECT title || stars || list FROM notes WHERE id = 1") == .text("a3home"))
    }

    @Test(arguments: [" 12345678901234567890", "12345678901234567890\n"])
    func anIntegerThatWouldLoseDigitsIsRefusedWithBlanksBesideIt(text: String) async throws {
        let file = try TemporaryFile(
            "CREATE TABLE sums (id INTEGER PRIMARY KEY, total NUMERIC); INSERT INTO sums VALUES (1, 5)")
        let edit = RowEdits.Edit(
            kind: .update, table: "sums", key: key(1), old: ["total": CellJSON(.integer(5))],
            new: ["total": CellJSON(.text(text))])
        #expect(try await apply([edit], to: file).message?.contains("64 bits") == true)
        #expect(try file.value("SELECT total FROM sums") == .integer(5))
    }

    /// Edits of one row without what they need.
    static let incomplete: [RowEdits.Edit] = {
        let id = CellJSON(.integer(1))
        let (old, new) = (["stars": CellJSON(.integer(3))], ["stars": CellJSON(.integer(5))])
        return [
            RowEdits.Edit(kind: .update, table: "notes", key: [id, id], old: old),
            RowEdits.Edit(kind: .update, table: "notes", key: [id, id], new: new),
            RowEdits.Edit(kind: .update, table: "notes", key: [id], old: old, new: new),
            RowEdits.Edit(kind: .update, table: "notes", old: old, new: new),
            RowEdits.Edit(kind: .delete, table: "notes", key: [id], old: old),
            RowEdits.Edit(kind: .delete, table: "notes", old: old),
        ]
    }()

    @Test(arguments: RowEditsTests.incomplete)
    func anEditThatSaysTooLittleIsRefused(edit: RowEdits.Edit) async throws {
        let file = try TemporaryFile(Self.notes)
        let outcome = try await apply([edit], to: file)
        #expect(!outcome.isDone && outcome.message != nil && outcome.isConflict == nil)
        #expect(try file.value("SELECT group_concat(id || ifnull(stars, '')) FROM notes") == .text("13,2"))
    }

    @Test(arguments: [0, RowEdits.mostEdits + 1])
    func noEditsAndTooManyAreRefused(count: Int) async throws {
        let file = try TemporaryFile(Self.notes)
        let edit = RowEdits.Edit(kind: .insert, table: "lists")
        let error = StudioError(.invalid, "between one and 1000 rows are written together")
        await #expect(throws: error) { try await apply(Array(repeating: edit, count: count), to: file) }
        #expect(try file.value("SELECT count(*) FROM lists") == .integer(1))
    }

    @Test func tablesOfStorageKitAreNotEdited() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1')")
        let edit = RowEdits.Edit(
            kind: .delete, table: "grdb_migrations", key: [CellJSON(.integer(1)), CellJSON(.text("v1"))])
        #expect(try await apply([edit], to: file).message?.contains("StorageKit's own") == true)
        #expect(try file.value("SELECT count(*) FROM grdb_migrations") == .integer(1))
    }

    /// Names that are equal texts to Swift.
    private static let accents = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, "\u{E9}" TEXT, "e\u{301}" TEXT);
        INSERT INTO t VALUES (1, 'a', 'b');
        """

    @Test func aTableWithColumnsThatDifferInTheCharactersOfAnAccentIsNotEdited() async throws {
        let file = try TemporaryFile(Self.accents)
        let edit = RowEdits.Edit(
            kind: .update, table: "t", key: key(1), old: ["\u{E9}": CellJSON(.text("a"))],
            new: ["\u{E9}": CellJSON(.text("x"))])
        #expect(try await apply([edit], to: file).message?.contains("two of its columns are called") == true)
        #expect(try file.value("SELECT \"\u{E9}\" FROM t") == .text("a"))
    }

    @Test func thePageOffersNoEditsOfSuchATable() async throws {
        let file = try TemporaryFile(Self.accents)
        let isEditable = try await StudioConnection(file.path, .look).run { connection, schema in
            TableFacts(try schema.table("t"), connection, schema).isEditable
        }
        #expect(!isEditable)
    }

    @Test func aRowThatTheTableIgnoresIsNoSavedOne() async throws {
        let file = try TemporaryFile(Self.notes + "CREATE UNIQUE INDEX titles ON notes (title);")
        try file.run(
            """
            CREATE TRIGGER ignores BEFORE INSERT ON notes WHEN new.title = 'x' BEGIN SELECT RAISE(IGNORE); END
            """)
        let insert = RowEdits.Edit(kind: .insert, table: "notes", new: ["title": CellJSON(.text("x"))])
        let outcome = try await apply([update(1, "stars", .integer(3), .text("5")), insert], to: file)
        #expect(!outcome.isDone && outcome.edit == 1)
        #expect(try file.value("SELECT stars FROM notes WHERE id = 1") == .integer(3))
    }

    @Test func aChangeThatTheTableIgnoresIsNoConflict() async throws {
        let file = try TemporaryFile(Self.notes)
        try file.run("CREATE TRIGGER ignores BEFORE UPDATE ON notes BEGIN SELECT RAISE(IGNORE); END")
        let outcome = try await apply([update(1, "stars", .integer(3), .text("5"))], to: file)
        #expect(!outcome.isDone && outcome.isConflict == nil)
        #expect(outcome.message?.contains("the table ignores this row") == true)
    }

    @Test func aRowThatChangedMeanwhileIsNotDeleted() async throws {
        let file = try TemporaryFile(Self.notes)
        let delete = RowEdits.Edit(
            kind: .delete, table: "notes", key: key(1),
            old: ["title": CellJSON(.text("a")), "stars": CellJSON(.integer(4))])
        let outcome = try await apply([delete], to: file)
        #expect(!outcome.isDone && outcome.isConflict == true)
        #expect(outcome.current?["stars"]?.cell == .integer(3))
        #expect(try file.value("SELECT count(*) FROM notes") == .integer(2))
    }

    @Test func aColumnOfRealNumbersTakesNumbersAlone() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE prices (id INTEGER PRIMARY KEY, price REAL); INSERT INTO prices VALUES (1, 8.5)")
        let edit = RowEdits.Edit(
            kind: .update, table: "prices", key: key(1), old: ["price": CellJSON(.real(8.5))],
            new: ["price": CellJSON(.text("cheap"))])
        #expect(try await apply([edit], to: file).message?.contains("takes numbers (REAL)") == true)
        #expect(try file.value("SELECT price FROM prices") == .real(8.5))
    }

    @Test func aStrictColumnOfAnyValuesTakesALongNumberAsAText() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE loose (id INTEGER PRIMARY KEY, x ANY) STRICT; INSERT INTO loose VALUES (1, 'a')")
        let digits = "12345678901234567890"
        let edit = RowEdits.Edit(
            kind: .update, table: "loose", key: key(1), old: ["x": CellJSON(.text("a"))],
            new: ["x": CellJSON(.text(digits))])
        #expect(try await apply([edit], to: file).message == nil)
        #expect(try file.value("SELECT x FROM loose") == .text(digits))
    }

    @Test func aTableThatRollsBackByItselfSaysWhy() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT UNIQUE ON CONFLICT ROLLBACK, stars INTEGER);
            INSERT INTO notes VALUES (1, 'a', 3);
            """)
        let insert = RowEdits.Edit(kind: .insert, table: "notes", new: ["title": CellJSON(.text("a"))])
        let outcome = try await apply([update(1, "stars", .integer(3), .text("5")), insert], to: file)
        #expect(!outcome.isDone && outcome.message?.contains("UNIQUE") == true)
        #expect(try file.value("SELECT stars FROM notes") == .integer(3))
    }

    @Test(arguments: ["seen", "sqlite_master", "missing"])
    func viewsAndInternalTablesAreNotEdited(table: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let edit = RowEdits.Edit(kind: .delete, table: table, key: key(1))
        await #expect(throws: (any Error).self) {
            let outcome = try await apply([edit], to: file)
            if !outcome.isDone { throw StudioError(.invalid, outcome.message ?? "") }
        }
        #expect(try file.value("SELECT count(*) FROM notes") == .integer(2))
    }

    @Test func theEditOfATableThatIsGoneIsNamed() async throws {
        let file = try TemporaryFile(Self.notes)
        let gone = RowEdits.Edit(kind: .insert, table: "missing", new: ["x": CellJSON(.text("c"))])
        let outcome = try await apply([update(1, "stars", .integer(3), .text("5")), gone], to: file)
        #expect(!outcome.isDone && outcome.edit == 1 && outcome.isConflict == nil)
        #expect(outcome.message == "there is no table 'missing'")
        #expect(try file.value("SELECT stars FROM notes WHERE id = 1") == .integer(3))
    }

    @Test func sqlIsKeptOnlyWithTheCountThatWasConfirmed() async throws {
        let file = try TemporaryFile(Self.notes)
        let change = StudioConnection(file.path, .change)
        var question = SQLQuestion(sql: "UPDATE notes SET stars = 1")
        let asked = question
        let first = try await change.write { connection, _ in try asked.change(connection) }
        #expect(first.changes == 2 && !first.isKept)
        #expect(try file.value("SELECT stars FROM notes WHERE id = 1") == .integer(3))
        question.expectedChanges = 1
        let wrong = question
        #expect(try await change.write { connection, _ in try wrong.change(connection) }.isKept == false)
        question.expectedChanges = 2
        let right = question
        #expect(try await change.write { connection, _ in try right.change(connection) }.isKept)
        #expect(try file.value("SELECT sum(stars) FROM notes") == .integer(2))
    }
}
