import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct PlanTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func plan(_ file: [String], _ model: [String]) throws -> Program.Result {
        let paths = try [("file.sqlite", file), ("model.sqlite", model)].map { name, statements in
            let path = try folder.database(name)
            for statement in statements { try Connection(path, .create).run(statement) }
            return path
        }
        return try Program.run("plan", paths[0], paths[1])
    }

    /// What is printed, with one word for each time: how long something takes is another matter on each machine.
    private func lines(_ run: Program.Result) -> [String] {
        run.lines.map { $0.replacing(/(less than 0\.1|about \d+\.\d) s/, with: "TIME") }
    }

    private static let users = [
        "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
        "INSERT INTO users VALUES ('1', 'Ada'), ('2', 'Ada')",
    ]

    @Test func aFileWithTheSchemaOfTheModelNeedsNothing() throws {
        let run = try plan(Self.users, Self.users)
        #expect(run.status == 0)
        #expect(run.lines == ["Nothing to do"])
    }

    @Test func tablesColumnsAndIndexesThatAreMissingAreToldWithRows() throws {
        let run = try plan(
            Self.users,
            [
                "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, phone TEXT NOT NULL)",
                "CREATE TABLE posts (id TEXT PRIMARY KEY)", "CREATE INDEX by_name ON users (name, phone)",
            ])
        #expect(
            lines(run) == [
                "Create table 'posts'", "Add column 'phone' to 'users': TEXT NOT NULL",
                "Create index 'by_name' of 'users' (2 rows, TIME)",
                "In all: 2 rows, TIME, without the app's own migrations",
            ])
    }

    @Test func aTableThatCannotBeAlteredIsToldWithItsReasons() throws {
        let run = try plan(
            Self.users + ["CREATE TABLE lists (id TEXT PRIMARY KEY)"],
            [
                "CREATE TABLE lists (id TEXT PRIMARY KEY)",
                "CREATE TABLE users (id TEXT PRIMARY KEY, name INTEGER NOT NULL, list TEXT REFERENCES lists (id))",
            ])
        #expect(run.lines[0] == "Add column 'list' to 'users': TEXT")
        #expect(
            run.lines[1].hasPrefix(
                "Make table 'users' anew: column 'name' is TEXT NOT NULL and would be INTEGER NOT NULL (2 rows, "))
    }

    @Test func aNewColumnThatRefersToSomethingIsOnlyAdded() throws {
        let lists = "CREATE TABLE lists (id TEXT PRIMARY KEY)"
        let users = "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, list TEXT REFERENCES lists (id))"
        let run = try plan(Self.users + [lists], [lists, users])
        #expect(
            lines(run) == [
                "Add column 'list' to 'users': TEXT",
                "In all: 0 rows, TIME, without the app's own migrations",
            ])
    }

    @Test(
        arguments: [
            ("DATETIME", "TEXT"), ("BOOLEAN", "INTEGER"), ("UNSIGNED BIG INT", "ANY"), ("DECIMAL_TEXT", "TEXT"),
        ])
    func aStrictTableGetsAColumnOfATypeThatItHas(type: String, strict: String) throws {
        let run = try plan(
            ["CREATE TABLE t (id TEXT PRIMARY KEY) STRICT"], ["CREATE TABLE t (id TEXT PRIMARY KEY, a \(type))"])
        #expect(run.lines.first == "Add column 'a' to 't': \(strict)", "\(run.output)")
    }

    @Test func aVirtualTableThatOnlyTheAppCanReadDoesNotEndThePlan() throws {
        func database(_ name: String, _ columns: String) throws -> String {
            let sql = "CREATE VIRTUAL TABLE vt USING nomodule(\(columns))"
            return try folder.database(
                name, "PRAGMA writable_schema = ON",
                "INSERT INTO sqlite_master VALUES ('table', 'vt', 'vt', 0, '\(sql)')")
        }
        let run = try Program.run("plan", try database("file.sqlite", "x"), try database("model.sqlite", "x, y"))
        #expect(run.status == 0)
        #expect(run.lines.first == "Make anew virtual table 'vt', and fill it", "\(run.error)")
    }

    @Test func aColumnThatTheModelDoesNotHaveStaysOrTakesNull() throws {
        let run = try plan(
            [
                "CREATE TABLE users (id TEXT PRIMARY KEY, old TEXT NOT NULL, note TEXT)",
                "CREATE INDEX by_note ON users (note)",
            ] + Self.records("2f3b0c11", #"2f3b0c11:{"users":["old"]}"#), ["CREATE TABLE users (id TEXT PRIMARY KEY)"])
        #expect(
            lines(run) == [
                "Make table 'users' anew: column 'old', which the model does not have, would take NULL",
                "Column 'note' of 'users' is not in the model; it stays",
                "The index 'by_note' of 'users' is not in the model",
                "In all: 0 rows, TIME, without the app's own migrations",
            ])
    }

    @Test func anIndexOfAColumnThatDiffersInBytesAloneIsAnother() throws {
        let table = "CREATE TABLE t (\"\u{E9}\", \"e\u{301}\")"
        let run = try plan([table, "CREATE INDEX i ON t (\"\u{E9}\")"], [table, "CREATE INDEX i ON t (\"e\u{301}\")"])
        #expect(run.lines.first?.hasPrefix("Make anew index 'i' of 't'") == true, "\(run.output)")
    }

    @Test func aDeclarationOfAColumnThatDiffersInBytesAloneIsAnother() throws {
        let columns = "\"\u{E9}\", \"e\u{301}\""
        let run = try plan(
            ["CREATE TABLE t (\(columns), UNIQUE (\"\u{E9}\"))"],
            ["CREATE TABLE t (\(columns), UNIQUE (\"e\u{301}\"))"])
        #expect(run.lines.first?.hasPrefix("Make table 't' anew: it would be declared UNIQUE") == true, "\(run.output)")
    }

    @Test func aReferenceWithAnotherActionIsToldToo() throws {
        let lists = "CREATE TABLE lists (id TEXT PRIMARY KEY)"
        let old = [
            lists, "CREATE TABLE notes (id TEXT PRIMARY KEY, list TEXT REFERENCES lists (id) ON DELETE CASCADE)",
        ]
        let new = [lists, "CREATE TABLE notes (id TEXT PRIMARY KEY, list TEXT REFERENCES lists (id))"]
        #expect(
            try plan(old, new).lines.first?.hasPrefix(
                #"Make table 'notes' anew: it would refer by "list" to "lists" ("id"); "#
                    + #"it would no longer refer by "list" to "lists" ("id") ON DELETE CASCADE"#) == true)
    }

    private static let plain = [
        "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INT)", "INSERT INTO t VALUES (1, 1)",
    ]

    @Test(
        arguments: [
            (" UNIQUE)", "UNIQUE (a)"), (", UNIQUE (a, id COLLATE NOCASE))", "UNIQUE (a, id COLLATE NOCASE)"),
            (" CHECK(a IN (1, '(')), CHECK (a))", "CHECK (a IN (1, '(')); it would be declared CHECK (a)"),
            (") STRICT", "STRICT"), (") WITHOUT ROWID", "WITHOUT ROWID"),
        ])
    func whatATableDeclaresBesideItsColumnsIsCompared(end: String, declaration: String) throws {
        let run = try plan(Self.plain, [Self.plain[0].dropLast() + end])
        #expect(
            lines(run).first == "Make table 't' anew: it would be declared \(declaration) (1 row, TIME)",
            "\(run.output)")
    }

    @Test func whatATableDeclaresBeyondTheModelIsToldAndNothingToDo() throws {
        let run = try plan(
            ["CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, a INT UNIQUE CHECK (a))"], Self.plain)
        #expect(
            run.lines
                == ["Nothing to do"]
                + ["AUTOINCREMENT", "CHECK (a)", "UNIQUE (a)"].map {
                    "Table 't' is declared \($0), which is not in the model"
                })
    }

    @Test(
        arguments: [
            ("a TEXT UNIQUE)", "UNIQUE constraint failed: t.a"),
            ("a TEXT UNIQUE ON CONFLICT REPLACE)", "UNIQUE constraint failed: t.a"),
            ("a TEXT, b TEXT NOT NULL)", "NOT NULL constraint failed: t.b"),
            ("a TEXT CHECK (a > 'x'))", "CHECK constraint failed: a > 'x'"),
            ("a TEXT) STRICT", nil), ("a INTEGER) STRICT", "cannot store TEXT value in INTEGER column t.a"),
        ] as [(String, String?)])
    func whatRowsBreakInATableThatIsMadeAnewIsTold(end: String, failure: String?) throws {
        let run = try plan(
            [
                "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)",
                "INSERT INTO t VALUES (1, 'a', NULL), (2, 'a', 'b')", "CREATE INDEX i ON t (a)",
            ],
            ["CREATE TABLE t (id INTEGER PRIMARY KEY, \(end)", "CREATE INDEX i ON t (a, id)"])
        let line = try #require(run.lines.first)
        #expect(line.hasPrefix("Make table 't' anew: "))
        #expect(failure.map { line.hasSuffix(": this would fail: " + $0) } ?? !line.contains("fail"), "\(line)")
        // What comes behind it is tried all the same.
        #expect(run.lines[1].hasPrefix("Make anew index 'i' of 't' (2 rows, ") && !run.lines[1].contains("fail"))
    }

    @Test func aColumnThatTheAppFillsIsNoFailure() throws {
        let run = try plan(
            Self.users, ["CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT NOT NULL)"])
        #expect(run.lines[1].hasPrefix("Make table 'users' anew: "))
        #expect(!run.output.contains("fail"), "\(run.output)")
    }

    @Test func aTableOfAnyNameIsInNobodysWay() throws {
        let names = ["storagekit_moved", "temp", "a b\"c"].map(\.quotedName)
        let run = try plan(names.map { "CREATE TABLE \($0) (a INT)" }, names.map { "CREATE TABLE \($0) (a TEXT)" })
        #expect(run.lines.count == 4)
        #expect(!run.output.contains("fail"), "\(run.output)")
    }

    @Test(arguments: ["(1 + 1)", "CURRENT_TIMESTAMP"]) func aDefaultThatIsCalculatedIsNoFailure(value: String) throws {
        let new = "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL DEFAULT \(value))"
        let run = try plan(Self.users, [new])
        #expect(!run.output.contains("fail"), "\(run.output)")
    }

    @Test func aSearchOfOtherColumnsIsMadeAnew() throws {
        let run = try plan(
            Self.users + ["CREATE VIRTUAL TABLE users_fts USING fts5(name)"],
            Self.users + ["CREATE VIRTUAL TABLE users_fts USING fts5(name, phone)"])
        #expect(run.lines.first?.hasPrefix("Make anew virtual table 'users_fts', and fill it") == true, "\(run.output)")
    }

    @Test func whatRowsBreakIsToldAndDoesNotEndThePlan() throws {
        let run = try plan(
            Self.users,
            [Self.users[0], "CREATE UNIQUE INDEX names ON users (name)", "CREATE INDEX others ON users (id, name)"])
        #expect(run.status == 0)
        #expect(run.lines[0].hasSuffix(": this would fail: UNIQUE constraint failed: users.name"))
        #expect(run.lines[1].hasPrefix("Create index 'others'"))
    }

    @Test func migrationsOfAnAppAreNamed() async throws {
        let file = try await NotesFile.make(in: folder)
        let model = folder.path("model.sqlite")
        let context = try StorageKit.start(at: URL(fileURLWithPath: model)) { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
            schema.addFullTextSearch(table: "notes", columns: ["title"])
            schema.migration("later") { try $0.execute(sql: "UPDATE notes SET title = trim(title)") }
        }
        try await context.close()
        let run = try Program.run("plan", file, model)
        #expect(
            lines(run) == [
                "Run migration 'later', which only the app knows",
                "The index 'notes_written' of 'notes' is not in the model",
                "The file has had a migration that the model does not know: 'notes by date'",
                "In all: 0 rows, TIME, without the app's own migrations",
            ])
    }

    @Test func whatStorageKitDoesByItselfIsNoMigrationOfTheApp() async throws {
        let run = try Program.run("plan", try folder.database("file.sqlite"), try await NotesFile.make(in: folder))
        #expect(
            run.lines.filter { $0.hasPrefix("Run migration ") }
                == ["Run migration 'notes by date', which only the app knows"])
        #expect(run.lines.contains("Create table 'kv_cache'"), "\(run.output)")
    }

    @Test func viewsAndTriggersThatAreMissingAreTold() throws {
        let run = try plan(
            Self.plain,
            [
                Self.plain[0], "CREATE VIEW v AS SELECT a FROM t",
                "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = 0; END",
            ])
        #expect(
            lines(run) == [
                "Create view 'v'", "Create trigger 'r' of 't'",
                "In all: 0 rows, TIME, without the app's own migrations",
            ])
    }

    /// What a file remembers of models, as statements.
    private static func records(_ records: String...) -> [String] {
        ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"]
            + records.map { "INSERT INTO grdb_migrations VALUES (\("storage_schema_\($0)".quotedText))" }
    }

    @Test func aColumnThatMayBeOfAnUnknownModelIsNoFailure() throws {
        let old = ["CREATE TABLE t (id TEXT PRIMARY KEY, m TEXT NOT NULL)"] + Self.records("2f3b0c11")
        let run = try plan(old, ["CREATE TABLE t (id TEXT PRIMARY KEY)"])
        #expect(run.lines.first == "Make table 't' anew: column 'm', which the model does not have, would take NULL")
    }

    private static let parent = "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    private static let child = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER REFERENCES a(id))"

    @Test(
        arguments: [
            (
                ["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)", "INSERT INTO t VALUES ('x', 99), ('y', NULL)"],
                "'n' cannot refer to 'a': 1 row has no row there to refer to"
            ),
            (
                [
                    PlanTests.parent, "INSERT INTO a VALUES (1, 'one')",
                    "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)",
                    "INSERT INTO t VALUES ('x', 1), ('y', 2), ('z', 3)",
                ], "'n' cannot refer to 'a': 2 rows have no row there to refer to"
            ),
            (
                [
                    PlanTests.parent, "CREATE TABLE t (id TEXT PRIMARY KEY, n TEXT REFERENCES a(id))",
                    "INSERT INTO t VALUES ('x', '12abc')",
                ], "'n' cannot become INTEGER: 1 row has a value that is none, or that would change"
            ),
            (
                [
                    PlanTests.parent, "CREATE TABLE t (id TEXT PRIMARY KEY, n TEXT REFERENCES a(id))",
                    "INSERT INTO t VALUES ('x', '007')",
                ], "'n' cannot become INTEGER: 1 row has a value that is none, or that would change"
            ),
            (
                [
                    PlanTests.parent,
                    "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER REFERENCES a(id), m TEXT NOT NULL)",
                ],
                "'m' is in no version's model, takes no NULL and has no default"
            ),
            (
                [
                    PlanTests.parent,
                    "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER REFERENCES a(id) ON DELETE CASCADE)",
                ],
                "'n' refers to something else in the file, which was made by hand"
            ),
        ] as [([String], String)])
    func whatAStartRefusesIsTold(file: [String], failure: String) throws {
        let run = try plan(file, [Self.parent, Self.child])
        let line = try #require(run.lines.first { $0.hasPrefix("Make table 't' anew: ") }, "\(run.output)")
        #expect(line.hasSuffix(": this would fail: " + failure), "\(line)")
    }

    @Test func rowsThatFitAreNoFailure() throws {
        let run = try plan(
            [
                Self.parent, "INSERT INTO a VALUES (1, 'one')", "CREATE TABLE t (id TEXT PRIMARY KEY, n TEXT)",
                "INSERT INTO t VALUES ('x', '1'), ('y', NULL)",
            ], [Self.parent, Self.child])
        #expect(run.lines.first?.hasPrefix("Make table 't' anew: column 'n' is TEXT and would be INTEGER; ") == true)
        #expect(!run.output.contains("fail"), "\(run.output)")
    }

    @Test func aReferenceThatAStartHasMadeIsReplacedByOne() throws {
        let old = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER REFERENCES a(id) ON DELETE CASCADE)"
        let record = #"reference:"t":"n" REFERENCES "a"("id") ON DELETE CASCADE"#
        let run = try plan([Self.parent, old] + Self.records(record), [Self.parent, Self.child])
        #expect(run.lines.first?.contains("it would no longer refer by") == true)
        #expect(!run.output.contains("fail"), "\(run.output)")
    }

    @Test func aReferenceByHandThatTheModelSaysNothingOfStays() throws {
        let run = try plan(
            [Self.parent, Self.child], [Self.parent, "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)"])
        #expect(
            run.lines == [
                "Nothing to do", #"Table 't' refers by "n" to "a" ("id"), which is not in the model; it stays"#,
            ])
    }

    @Test(
        arguments: [
            (#""id" TEXT PRIMARY KEY NOT NULL"#, #""id" TEXT PRIMARY KEY"#),
            ("id varchar(36) PRIMARY KEY", "id TEXT PRIMARY KEY"),
            ("id TEXT PRIMARY KEY, n bigint", "id TEXT PRIMARY KEY, n INTEGER"),
            ("id TEXT PRIMARY KEY, n timestamp", "id TEXT PRIMARY KEY, n DATETIME"),
            (
                "id TEXT PRIMARY KEY, n INTEGER REFERENCES A(id)",
                #"id TEXT PRIMARY KEY, n INTEGER REFERENCES "a"("id")"#
            ),
            ("id TEXT PRIMARY KEY, n INTEGER REFERENCES a", #"id TEXT PRIMARY KEY, n INTEGER REFERENCES "a"("id")"#),
        ])
    func whatMeansTheSameToAStartIsNoChange(file: String, model: String) throws {
        let run = try plan([Self.parent, "CREATE TABLE t (\(file))"], [Self.parent, "CREATE TABLE t (\(model))"])
        #expect(run.lines == ["Nothing to do"], "\(run.output)")
    }

    @Test(
        arguments: [
            ("n BOOLEAN", "n DATETIME"), ("n INT PRIMARY KEY", "n INTEGER PRIMARY KEY"), ("n TEXT", "n INTEGER"),
            ("n TEXT NOT NULL", "n TEXT"),
        ])
    func whatIsSomethingElseToAStartIsAChange(file: String, model: String) throws {
        let run = try plan(["CREATE TABLE t (\(file))"], ["CREATE TABLE t (\(model))"])
        #expect(run.lines.first?.hasPrefix("Make table 't' anew: column 'n' is ") == true, "\(run.output)")
    }

    @Test func theKeyOfATableWithoutRowidsIsNoColumnThatTakesNoNull() throws {
        let table = "CREATE TABLE t (id TEXT PRIMARY KEY)"
        let run = try plan([table + " WITHOUT ROWID"], [table])
        #expect(run.lines.first == "Nothing to do", "\(run.output)")
    }

    @Test func anIndexInOtherWordsIsTheSame() throws {
        let table = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)"
        let run = try plan(
            [table, "create index idx_t_n on t(n)"], [table, #"CREATE INDEX "idx_t_n" ON "t" ("n")"#])
        #expect(run.lines == ["Nothing to do"], "\(run.output)")
    }

    @Test(arguments: ["t (n DESC)", "t (n) WHERE n > 0", "t (n COLLATE NOCASE)", "t (n, id)", "t (n + 1)"])
    func anIndexThatFindsSomethingElseIsMadeAnew(index: String) throws {
        let table = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)"
        let run = try plan([table, "CREATE INDEX i ON \(index)"], [table, "CREATE INDEX i ON t (n)"])
        #expect(run.lines.first?.hasPrefix("Make anew index 'i' of 't'") == true, "\(run.output)")
    }

    @Test(
        arguments: [
            (["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)", "CREATE INDEX mine ON t (n)"], "INDEX i ON t (n)"),
            (
                ["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)", "CREATE UNIQUE INDEX mine ON t (n)"],
                "UNIQUE INDEX i ON t (n)"
            ),
            (["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER UNIQUE)"], "UNIQUE INDEX i ON t (n)"),
            (["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)"], "UNIQUE INDEX i ON t (id)"),
        ] as [([String], String)])
    func anIndexOfTheSameColumnsWillDoUnderAnyName(file: [String], index: String) throws {
        let run = try plan(file, ["CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)", "CREATE " + index])
        #expect(run.lines.first == "Nothing to do", "\(run.output)")
        #expect(!run.output.contains("mine"), "\(run.output)")
    }

    @Test(
        arguments: [
            "UNIQUE INDEX mine ON t (n)", "INDEX mine ON t (n) WHERE n > 0", "INDEX mine ON t (n COLLATE NOCASE)",
            "INDEX mine ON t (n, id)", "INDEX mine ON t (n DESC)",
        ])
    func anIndexThatFindsSomethingElseDoesNotDoForAnother(index: String) throws {
        let table = "CREATE TABLE t (id TEXT PRIMARY KEY, n INTEGER)"
        let run = try plan([table, "CREATE " + index], [table, "CREATE INDEX i ON t (n)"])
        #expect(run.lines.first?.hasPrefix("Create index 'i' of 't'") == true, "\(run.output)")
    }

    @Test func aReferenceIsLookedUpByAnyIndexThatBeginsWithIt() throws {
        let index = #"CREATE INDEX "mine" ON "t" ("n", "id")"#
        let model = [Self.parent, Self.child, "CREATE INDEX i ON t (n)"]
        #expect(try plan([Self.parent, Self.child, index], model).lines.first == "Nothing to do")
    }

    @Test func anIndexThatAStartHasMadeForSomethingElseDoesNotStayForAReference() throws {
        let index = #"CREATE INDEX "mine" ON "t" ("n", "id")"#
        let file = [Self.parent, Self.child, index] + Self.records("index:" + index)
        let run = try plan(file, [Self.parent, Self.child, "CREATE INDEX i ON t (n)"])
        #expect(run.lines.first?.hasPrefix("Create index 'i' of 't'") == true, "\(run.output)")
    }

    private static let identified = "CREATE TABLE t (id TEXT PRIMARY KEY, b TEXT, c TEXT)"

    @Test func aTableWhoseIdIsUniqueNeedsNoOtherKey() throws {
        let run = try plan(
            ["CREATE TABLE t (a TEXT, b TEXT, id TEXT NOT NULL UNIQUE, PRIMARY KEY (a, b))"], [Self.identified])
        #expect(run.lines.first == "Add column 'c' to 't': TEXT", "\(run.output)")
        #expect(!run.output.contains("anew"), "\(run.output)")
    }

    @Test(
        arguments: [
            ("id TEXT NOT NULL, PRIMARY KEY (a, id)", #"its primary key would be "id""#),
            (
                "id TEXT NOT NULL UNIQUE, PRIMARY KEY (a, b)",
                "column 'a', which the model does not have, would take NULL"
            ),
        ])
    func aTableWhoseKeyIsAnotherIsMadeAnew(end: String, change: String) throws {
        let run = try plan(["CREATE TABLE t (a TEXT NOT NULL, b TEXT, c TEXT, \(end))"], [Self.identified])
        #expect(run.lines.first?.hasPrefix("Make table 't' anew: \(change)") == true, "\(run.output)")
    }

    @Test func bothFilesAreOnlyRead() async throws {
        let file = try await NotesFile.make(in: folder)
        let model = try folder.database("model.sqlite", "CREATE TABLE other (id)")
        let before = try (folder.bytes("notes.sqlite"), folder.bytes("model.sqlite"))
        #expect(try Program.run("plan", file, model).status == 0)
        #expect(try folder.bytes("notes.sqlite") == before.0)
        #expect(try folder.bytes("model.sqlite") == before.1)
        #expect(try folder.names == ["model.sqlite", "notes.sqlite"])
    }

    @Test func aFileThatIsMissingIsNamed() throws {
        let run = try Program.run("plan", try folder.database(), folder.path("nowhere.sqlite"))
        #expect(run.status == 66)
        #expect(run.error.contains("nowhere.sqlite"))
    }
}
