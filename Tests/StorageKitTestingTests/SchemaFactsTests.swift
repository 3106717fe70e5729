import StorageKit
import StorageKitTesting
import Testing

struct SchemaFactsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func snapshots(_ schema: (inout AppMigrations) -> Void) -> SchemaSnapshots {
        SchemaSnapshots(folder: folder.url, schema: schema)
    }

    @Test(arguments: [
        ("rank INTEGER", "rank INTEGER CHECK (rank > 0)", "table 'ranks' CHECK (rank > 0)"),
        ("rank INTEGER CHECK (rank > 0)", "rank INTEGER CHECK (rank > 1)", "table 'ranks' CHECK (rank > 1)"),
        ("a TEXT CHECK (a IN ('x', 'y'))", "a TEXT CHECK (a IN ('x', 'Y'))", "table 'ranks' CHECK (a IN ('x', 'Y'))"),
        ("a TEXT CHECK (a <> 'b')", "a TEXT CHECK (a <> b), b TEXT", "table 'ranks' CHECK (a <> b)"),
        ("a INTEGER, b INTEGER", "a INTEGER, b INTEGER, CHECK (a < b)", "table 'ranks' CHECK (a < b)"),
        ("name TEXT NOT NULL", "name TEXT NOT NULL COLLATE nocase", "column 'ranks.name' TEXT COLLATE NOCASE NOT NULL"),
        ("a INTEGER, b INTEGER AS (a * 2)", "a INTEGER, b INTEGER AS (a * 3)", "column 'ranks.b' INTEGER AS (a * 3)"),
        (
            "a INTEGER, b INTEGER AS (a * 2)", "a INTEGER, b INTEGER AS (a * 2) STORED",
            "column 'ranks.b' INTEGER AS (a * 2) STORED"
        ),
        (
            "task TEXT REFERENCES tasks (id)", "task TEXT REFERENCES tasks (id) DEFERRABLE INITIALLY DEFERRED",
            "reference of 'ranks' (task) to 'tasks' (id) ON DELETE NO ACTION ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED"
        ),
        ("a TEXT DEFAULT 'x y'", "a TEXT DEFAULT 'x  y'", "column 'ranks.a' DEFAULT 'x  y'"),
        ("a TEXT DEFAULT 1", "a TEXT DEFAULT '1'", "column 'ranks.a' DEFAULT '1'"),
        ("caf\u{E9} TEXT", "cafe\u{301} TEXT", "column 'ranks.cafe\u{301}' TEXT"),
    ])
    func whatATableSaysInItsTextAloneIsCompared(before: String, after: String, told: String) throws {
        let error = try #require(throws: SchemaSnapshotError.self) { try checkRanks(before, after) }
        #expect(error.findings.contains("1.0: a fresh store has, and this one has not: \(told)"), "\(error)")
        #expect(error.findings.contains("new: \(told)"))
    }

    @Test(arguments: [
        ("a TEXT, PRIMARY KEY (a)", "a TEXT, PRIMARY KEY (a COLLATE nocase)", "a' TEXT PRIMARY KEY 1 COLLATE NOCASE"),
        ("id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY DESC", "id' INTEGER PRIMARY KEY 1 DESC"),
        ("a TEXT PRIMARY KEY DESC", "a TEXT PRIMARY KEY", "a' TEXT PRIMARY KEY 1"),
    ])
    func howAKeyComparesAndWhetherItIsTheNumberOfTheRowIsCompared(before: String, after: String, told: String) throws {
        let error = try #require(throws: SchemaSnapshotError.self) { try checkRanks(before, after, key: "") }
        #expect(
            error.findings.contains("1.0: a fresh store has, and this one has not: column 'ranks.\(told)"), "\(error)")
    }

    @Test(arguments: [
        ("rank INTEGER CHECK(rank>0) -- from one on\n", "\"rank\" INTEGER, CONSTRAINT positive CHECK (rank > 0)"),
        ("a TEXT, b TEXT COLLATE BINARY", "a TEXT COLLATE \"binary\", b TEXT"),
        ("a INTEGER, b INTEGER AS (a * 2)", "a INTEGER, b INTEGER GENERATED ALWAYS AS ([a] * 2) VIRTUAL"),
        ("task TEXT REFERENCES tasks (id)", "task TEXT REFERENCES tasks (id) NOT DEFERRABLE INITIALLY DEFERRED"),
        (
            "task TEXT REFERENCES tasks (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED, name TEXT",
            "task TEXT, name TEXT, FOREIGN KEY (Task) REFERENCES tasks ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED"
        ),
        ("a INTEGER DEFAULT (1+1), b INTEGER DEFAULT -1", "a INTEGER DEFAULT (1 + /* one */ 1), b INTEGER DEFAULT - 1"),
        ("a TEXT DEFAULT 'x', b TEXT DEFAULT 'it''s'", "a TEXT DEFAULT \"x\", b TEXT DEFAULT [it's]"),
        ("price DECIMAL(10,2)", "price DECIMAL /* of money */ (10, 2)"),
        ("a TEXT, UNIQUE (a COLLATE nocase)", "a TEXT, UNIQUE (a COLLATE NOCASE)"),
    ])
    func theWordsThatATableWasMadeInMakeNoDifference(before: String, after: String) throws {
        try checkRanks(before, after)
    }

    @Test(arguments: [
        ("userID TEXT NOT NULL DEFAULT 'x', UNIQUE (userID)", "userId TEXT NOT NULL DEFAULT 'x', UNIQUE (userId)"),
        ("taskID TEXT REFERENCES tasks (id)", "taskId TEXT REFERENCES Tasks (ID)"),
    ])
    func capitalsInNamesMakeNoDifference(before: String, after: String) throws {
        try checkRanks(before, after)
    }

    /// Checks a schema with a table of which an earlier version had made other columns.
    private func checkRanks(_ before: String, _ after: String, key: String = "id TEXT PRIMARY KEY, ") throws {
        func describe(_ schema: inout AppMigrations, _ columns: String) {
            schema.migration("ranks") {
                try $0.execute(
                    sql: """
                        CREATE TABLE tasks (id TEXT PRIMARY KEY);
                        CREATE TABLE ranks (\(key)\(columns));
                        """)
            }
        }
        try snapshots { describe(&$0, before) }.record("1.0")
        try snapshots { describe(&$0, after) }.check()
    }

    @Test func quotesThatARenameLeavesMakeNoDifference() throws {
        try snapshots { schema in
            schema.migration("places") {
                try $0.execute(
                    sql: "CREATE TABLE places (name TEXT CHECK (name <> '')); CREATE INDEX by_name ON places (name)")
            }
        }.record("1.0")
        let today = snapshots { schema in
            schema.migration("places") {
                try $0.execute(
                    sql: "CREATE TABLE sites (title TEXT CHECK (title <> '')); CREATE INDEX by_name ON sites (title)")
            }
            schema.migration("sites", skipIfTableExists: "sites") {
                try $0.execute(
                    sql: #"ALTER TABLE places RENAME name TO "title"; ALTER TABLE places RENAME TO sites"#)
            }
        }
        try today.record("1.1")
        try today.check()
    }

    @Test func blanksWithinATextAreCompared() throws {
        func describe(_ schema: inout AppMigrations, _ text: String) {
            schema.migration("view") { try $0.execute(sql: "CREATE VIEW greeting AS SELECT '\(text)'") }
        }
        try snapshots { describe(&$0, "good  day") }.record("1.0")
        let error = #expect(throws: SchemaSnapshotError.self) { try snapshots { describe(&$0, "good day") }.check() }
        #expect(error?.description.contains("new: view 'greeting': CREATE VIEW greeting AS SELECT 'good day'") == true)
    }
}
