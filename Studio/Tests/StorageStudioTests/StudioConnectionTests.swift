import Foundation
import StorageSQLite
import Testing

@testable import StorageStudio

@Suite struct StudioConnectionTests {
    static let notes = """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        INSERT INTO notes VALUES (1, 'a'), (2, 'b');
        CREATE VIRTUAL TABLE notes_fts USING fts5(title);
        INSERT INTO notes_fts VALUES ('a b');
        CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN INSERT INTO notes_fts (title) VALUES (new.title); END;
        """

    @Test func aTextThatIsNoUTF8IsNotChangedByAFunction() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x TEXT); INSERT INTO t VALUES (CAST(x'20E96120' AS TEXT))")
        let change = StudioConnection(file.path, .change)
        let error = await #expect(throws: StudioError.self) {
            try await change.write { connection, _ in (try connection.run("UPDATE t SET x = trim(x)"), isKept: true) }
        }
        #expect(error?.message.contains("no UTF-8") == true)
        #expect(try file.value("SELECT hex(x) FROM t") == .text("20E96120"))
    }

    @Test(arguments: [
        "instr(zeroblob(50000000), zeroblob(20000000) || x'01')",
        "replace(hex(zeroblob(9000000)), hex(zeroblob(900000)) || '1', '')",
        "rtrim(hex(zeroblob(9000000)), replace(hex(zeroblob(900000)), '0', '1') || '0')", "json_patch('{}', '{}')",
    ])
    func whatNothingCouldStopIsRefused(expression: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        await #expect(throws: StudioError.self) { try await look.run { try $0.rows("SELECT \(expression)") } }
    }

    @Test(arguments: [
        "instr('aéb', 'b')", "instr(x'C3A962', x'62')", "instr('a', '')", "instr(NULL, 'a')", "instr(12345, 34)",
        "trim('  a ')", "trim('xxaxx', 'x')",
        "ltrim('éa', 'é')", "rtrim('a  ')", "replace('abcabc', 'b', 'é')", "replace('abc', '', 'x')",
        "replace(x'6162', 'b', 'c')", "instr('a', NULL)",
    ])
    func whatIsBoundedGivesWhatItGivesElsewhere(expression: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        let rows = try await look.run { try $0.rows("SELECT \(expression)") }
        let plain = try Connection(path: file.path, .read)
        #expect(try plain.rows("SELECT \(expression)") == rows)
    }

    @Test(arguments: [
        "INSERT INTO notes (title) VALUES ('x')", "UPDATE notes SET title = 'x'", "DELETE FROM notes",
        "DROP TABLE notes",
        "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)", "ATTACH 'other.sqlite' AS other", "DETACH main", "VACUUM",
        "VACUUM INTO 'copy.sqlite'", "COMMIT", "ROLLBACK", "SAVEPOINT a", "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON", "PRAGMA trusted_schema = ON", "PRAGMA journal_mode = DELETE",
        "PRAGMA user_version = 7",
        "PRAGMA temp_store_directory = '/tmp'", "PRAGMA database_list", "SELECT load_extension('x')", "REINDEX",
        "ANALYZE",
        "SELECT fts3_tokenizer('simple')", "UPDATE sqlite_master SET sql = 'x'",
        "INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)",
    ])
    func whatIsLookedAtCanOnlyBeRead(sql: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        let before = try file.names
        await #expect(throws: StudioError.self) {
            try await look.run { connection in
                let statement = try connection.prepare(sql)
                _ = try statement.handle.step()
            }
        }
        #expect(try file.value("SELECT group_concat(title) FROM notes") == .text("a,b"))
        #expect(try file.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == before)
    }

    private static let notAllowed = StudioError(.refused, "this is not allowed here: not authorized")

    @Test(arguments: ["CREATE TABLE x (y)", "CREATE VIEW x AS SELECT 1", "CREATE INDEX x ON notes (title)"])
    func whatIsRefusedIsRefusedToAConnectionThatHasNotReadTheSchemaToo(sql: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        await #expect(throws: Self.notAllowed) { try await look.run { _ = try $0.prepare(sql) } }
        _ = try await look.run { try $0.rows("SELECT title FROM notes") }
        try file.run("CREATE TABLE other (x)")
        await #expect(throws: Self.notAllowed) { try await look.run { _ = try $0.prepare(sql) } }
    }

    @Test(arguments: [
        "SELECT count(*) FROM notes", "SELECT * FROM notes_fts WHERE notes_fts MATCH 'a'",
        "SELECT upper(title) FROM notes",
        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 5) SELECT * FROM n",
        "SELECT json_extract('{\"a\":1}', '$.a')", "SELECT name FROM pragma_table_xinfo('notes')",
        "PRAGMA table_info(notes)",
        "EXPLAIN QUERY PLAN SELECT * FROM notes", "SELECT name, pgsize FROM dbstat WHERE aggregate = 1",
    ])
    func whatReadsIsAllowed(sql: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        let rows = try await look.run { connection in try connection.rows(sql).count }
        #expect(rows > 0)
    }

    /// What an R-tree compiles when it connects is allowed, by the names of its tables.
    @Test(arguments: [
        "INSERT INTO r_node VALUES (9, x'00')", "DELETE FROM r_rowid", "UPDATE r_parent SET parentnode = 9",
        "INSERT INTO r VALUES (2, 3, 4)", "INSERT INTO my_node VALUES ('b')", "DELETE FROM my_node",
        "UPDATE my_node SET x = 'b' RETURNING x",
    ])
    func anRTreeIsReadAndNothingIsWritten(sql: String) async throws {
        let file = try TemporaryFile(
            """
            CREATE VIRTUAL TABLE r USING rtree(id, low, high); INSERT INTO r VALUES (1, 2, 3);
            CREATE TABLE my_node (x); INSERT INTO my_node VALUES ('a');
            """)
        let look = StudioConnection(file.path, .look)
        #expect(try await look.run { connection in try connection.integer("SELECT count(*) FROM r") } == 1)
        await #expect(throws: StudioError.self) {
            try await look.run { connection in
                let statement = try connection.prepare(sql)
                _ = try statement.handle.step()
            }
        }
        #expect(try file.value("SELECT count(*) FROM r") == .integer(1))
        #expect(try file.value("SELECT group_concat(x) FROM my_node") == .text("a"))
    }

    @Test func lookingForDamageIsStoppedAsAStatementIs() async throws {
        let endless = """
            CREATE VIEW v AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x, 'a' AS title FROM n;
            CREATE VIRTUAL TABLE v_fts USING fts5(title, content='v', content_rowid='x', columnsize=0);
            """
        let file = try TemporaryFile(endless)
        let look = StudioConnection(file.path, .look)
        let error = await #expect(throws: StudioError.self) { try await look.findings(within: .milliseconds(100)) }
        #expect(error?.kind == .tookTooLong)
        #expect(try await look.run { try $0.rows("SELECT 1").count } == 1)
    }

    @Test func aDamagedIndexIsFoundOnACopy() async throws {
        let file = try TemporaryFile(Self.notes)
        try file.run("DELETE FROM notes_fts_idx; DELETE FROM notes_fts_data WHERE id > 100")
        #expect(try await StudioConnection(file.path, .look).findings().map(\.check) == [.fullTextSearch])
    }

    @Test(arguments: [
        ("a > 0", "CHECK constraint failed in t"),
        ("a LIKE printf('%.*c', 2000, '_')", "LIKE or GLOB pattern too complex"),
    ])
    func checksAreLookedAtOnACopyWithinTheSameLimits(check: String, problem: String) async throws {
        let file = try TemporaryFile("CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (-1);")
        try file.run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = \("CREATE TABLE t (a CHECK (\(check)))".quotedText) WHERE name = 't';
            UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a COLLATE storagekit_localized_sv)' WHERE name = 'i';
            """)
        let findings = try await StudioConnection(file.path, .look).findings()
        #expect(findings.map(\.check) == [.constraints])
        #expect(findings.first?.problem.contains(problem) == true, "\(findings)")
    }

    @Test(arguments: [
        "DROP TABLE notes", "CREATE TABLE x (y)", "CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END",
        "ALTER TABLE notes ADD x",
        "ATTACH 'other.sqlite' AS other", "VACUUM INTO 'copy.sqlite'", "COMMIT", "PRAGMA foreign_keys = OFF",
        "UPDATE notes SET title = load_extension('x')", "INSERT INTO notes_fts_data VALUES (1, 2)",
        "DELETE FROM sqlite_sequence",
        "UPDATE sqlite_master SET sql = 'x'",
    ])
    func whatChangesRowsDoesNothingElse(sql: String) async throws {
        let file = try TemporaryFile(Self.notes)
        let change = StudioConnection(file.path, .change)
        let before = try file.value("SELECT group_concat(sql) FROM sqlite_master")
        await #expect(throws: StudioError.self) {
            try await change.write { connection, _ in
                try connection.run(sql)
                return ((), isKept: true)
            }
        }
        #expect(try file.value("SELECT group_concat(sql) FROM sqlite_master") == before)
        #expect(try file.names.filter { $0.hasPrefix("copy") || $0.hasPrefix("other") } == [])
    }

    @Test func aTriggerWritesItsFullTextIndexWithWhatChanges() async throws {
        let file = try TemporaryFile(Self.notes)
        let change = StudioConnection(file.path, .change)
        try await change.write { connection, _ in
            try connection.run("INSERT INTO notes (title) VALUES ('new')")
            return ((), isKept: true)
        }
        #expect(try file.value("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'new'") == .integer(1))
    }

    /// The schema of the connection that changes rows is trusted, for the sake of full-text triggers: what keeps a trigger from
    /// calling anything is that its functions are asked for one by one.
    @Test func aTriggerCallsNoFunctionThatIsNotHarmless() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let change = StudioConnection(file.path, .change)
        let functions = try await change.write { connection, _ in
            let rows = try connection.rows("SELECT DISTINCT name, narg, type FROM pragma_function_list ORDER BY 1, 2")
            return (
                rows.map { (name: $0[0].text ?? "", count: Int($0[1].integer ?? 0), kind: $0[2].text) }, isKept: false
            )
        }
        let others = functions.filter { !HarmlessFunctions.names.contains($0.name.folded) && $0.kind != "w" }
        #expect(others.contains { $0.name == "load_extension" } && others.contains { $0.name == "fts3_tokenizer" })
        for (name, count, _) in others {
            let arguments = repeatElement("'x'", count: count < 0 ? 1 : count).joined(separator: ", ")
            try file.run(
                "CREATE TRIGGER hostile AFTER INSERT ON t BEGIN UPDATE t SET x = (SELECT \"\(name)\"(\(arguments))); END"
            )
            let error = await #expect(throws: StudioError.self, "\(name)") {
                try await change.write { connection, _ in (try connection.run("INSERT INTO t VALUES (1)"), isKept: true)
                }
            }
            #expect(
                error?.message.contains("not authorized to use function") == true, "\(name): \(error?.message ?? "")")
            try file.run("DROP TRIGGER hostile")
        }
        #expect(try file.value("SELECT count(*) FROM t") == .integer(0))
    }

    @Test(arguments: ["PRAGMA foreign_keys = OFF", "ATTACH '/tmp/x' AS y", "VACUUM"])
    func aTriggerCanBeOfNothingButRows(sql: String) throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        #expect(throws: SQLiteFailure.self) { try file.run("CREATE TRIGGER a AFTER INSERT ON t BEGIN \(sql); END") }
    }

    @Test func triggersKeepAnFTS4IndexOfATableWithWhatChanges() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT);
            CREATE VIRTUAL TABLE words USING fts4(content="notes", title);
            CREATE TRIGGER notes_bu BEFORE UPDATE ON notes BEGIN DELETE FROM words WHERE docid = old.rowid; END;
            CREATE TRIGGER notes_au AFTER UPDATE ON notes BEGIN INSERT INTO words (docid, title) VALUES (new.rowid, new.title); END;
            CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN INSERT INTO words (docid, title) VALUES (new.rowid, new.title); END;
            INSERT INTO notes VALUES (1, 'first');
            """)
        let change = StudioConnection(file.path, .change)
        try await change.write { connection, _ in
            (try connection.run("UPDATE notes SET title = 'second' WHERE id = 1"), isKept: true)
        }
        #expect(try file.value("SELECT group_concat(docid) FROM words WHERE words MATCH 'second'") == .text("1"))
        #expect(try file.value("SELECT count(*) FROM words WHERE words MATCH 'first'") == .integer(0))
    }

    @Test func aViewCallsNoFunctionThatIsNotHarmless() async throws {
        let file = try TemporaryFile("CREATE VIEW bad AS SELECT load_extension('/tmp/evil.so') AS x")
        let look = StudioConnection(file.path, .look)
        let error = await #expect(throws: StudioError.self) {
            try await look.run { connection in _ = try connection.rows("SELECT * FROM bad") }
        }
        #expect(error?.kind == .refused || error?.kind == .invalid)
    }

    @Test func aStatementEndsAtItsDeadline() async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        let error = await #expect(throws: StudioError.self) {
            try await look.run(within: .milliseconds(20)) { connection in
                _ = try connection.rows(
                    "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        #expect(error?.kind == .tookTooLong)
        #expect(try await look.run { connection in try connection.integer("SELECT 7") } == 7)
    }

    @Test func aCancelledTaskStopsItsStatement() async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        let task = Task {
            try await look.run(within: .seconds(3600)) { connection in
                _ = try connection.rows(
                    "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        task.cancel()
        await #expect(throws: StudioError.self) { try await task.value }
    }

    @Test func aFileThatIsDeletedIsGoneAndOneInItsPlaceIsSeen() async throws {
        let file = try TemporaryFile(Self.notes)
        let look = StudioConnection(file.path, .look)
        #expect(try await look.run { connection in try connection.integer("SELECT count(*) FROM notes") } == 2)
        try FileManager.default.removeItem(atPath: file.path)
        let error = await #expect(throws: StudioError.self) {
            _ = try await look.run { connection in try connection.integer("SELECT 1") }
        }
        #expect(error?.kind == .gone)
        _ = try Connection(path: file.path, .create).runAll("CREATE TABLE other (x)")
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["other"])
    }

    @Test func theSchemaOfAFileInThePlaceOfAnotherIsItsOwn() async throws {
        let file = try TemporaryFile("CREATE TABLE one (x)")
        let look = StudioConnection(file.path, .look)
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["one"])
        try FileManager.default.removeItem(atPath: file.path)
        // As often changed as the first one.
        try Connection(path: file.path, .create).runAll("CREATE TABLE two (x)")
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["two"])
    }

    @Test func aTableThatAnotherProgramMakesIsSeen() async throws {
        let file = try TemporaryFile("CREATE TABLE one (x)")
        let look = StudioConnection(file.path, .look)
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["one"])
        try file.run("CREATE TABLE two (x)")
        #expect(try await look.run { _, schema in schema.catalog.tables.map(\.name) } == ["one", "two"])
    }

    /// With a write-ahead log others write beside whoever only reads yet, who then cannot write any more.
    @Test func nobodyElseWritesFromTheBeginningOfAChange() async throws {
        let file = try TemporaryFile("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
        let path = file.path
        let change = StudioConnection(path, .change)
        try await change.write { connection, _ in
            let other = try Connection(path: path, .write, busyTimeout: 0)
            #expect(throws: SQLiteFailure.self) { try other.run("INSERT INTO t VALUES ('theirs')") }
            try connection.run("INSERT INTO t VALUES ('mine')")
            return ((), isKept: true)
        }
        #expect(try file.value("SELECT group_concat(x) FROM t") == .text("mine"))
    }

    @Test func whatSQLiteCountsByItselfIsNotChanged() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO t VALUES (7)")
        let change = StudioConnection(file.path, .change)
        let error = await #expect(throws: StudioError.self) {
            try await change.write { connection, _ in
                try connection.run("DELETE FROM sqlite_sequence")
                return ((), isKept: true)
            }
        }
        #expect(error?.kind == .refused)
        #expect(try file.value("SELECT seq FROM sqlite_sequence") == .integer(7))
    }

    @Test func aRunEndsBehindSoManySteps() {
        let limits = RunLimits(heartbeat: nil)
        limits.begin(within: .seconds(3600), steps: 2 * Connection.stepsPerInterruption)
        #expect((0..<3).map { _ in limits.isOver() } == [false, false, true])
        #expect(limits.reason == .steps)
    }

    @Test(arguments: ["instr", "replace", "trim", "ltrim", "rtrim"])
    func noFunctionComparesEachPlaceOfTwoLongTexts(name: String) async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        let rest = name == "replace" ? ", ''" : ""
        let error = await #expect(throws: StudioError.self) {
            try await look.run { connection in
                try connection.rows("SELECT \(name)(hex(zeroblob(50000)), '1' || hex(zeroblob(10001))\(rest))")
            }
        }
        #expect(error?.message.contains("would take too long") == true)
    }

    @Test func aDamagedFileIsSaidToBe() async throws {
        let file = try TemporaryFile(Self.notes)
        var bytes = try Data(contentsOf: file.url)
        bytes.replaceSubrange(4096..<bytes.count, with: repeatElement(0x5A, count: bytes.count - 4096))
        try bytes.write(to: file.url)
        let look = StudioConnection(file.path, .look)
        let error = await #expect(throws: StudioError.self) {
            _ = try await look.run { connection in try connection.rows("SELECT * FROM notes") }
        }
        #expect(error?.kind == .failed)
    }

    @Test func anEmptyFileHasNoTables() async throws {
        let file = try TemporaryFile()
        try Data().write(to: file.url)
        let look = StudioConnection(file.path, .look)
        #expect(try await look.run { _, schema in schema.catalog.tables.count } == 0)
    }

    @Test func aFileThatIsLockedIsSaidToBe() async throws {
        let file = try TemporaryFile(Self.notes)
        let writer = try Connection(path: file.path, .write)
        try writer.run("BEGIN EXCLUSIVE")
        let look = StudioConnection(file.path, .look)
        let error = await #expect(throws: StudioError.self) {
            _ = try await look.run { connection in try connection.integer("SELECT count(*) FROM notes") }
        }
        #expect(error?.kind == .locked)
        try writer.run("COMMIT")
        #expect(try await look.run { connection in try connection.integer("SELECT count(*) FROM notes") } == 2)
    }
}
