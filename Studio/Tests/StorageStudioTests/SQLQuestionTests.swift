import StorageSQLite
import Testing

@testable import StorageStudio

@Suite struct SQLQuestionTests {
    @Test(arguments: [SQLQuestion.mostRows, SQLQuestion.mostRows + 1])
    func aThousandRowsAreShownAndIfThereAreMoreItIsSaid(count: Int) async throws {
        let file = try TemporaryFile()
        let numbers = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT \(count)) SELECT x FROM n"
        let answer = try await StudioConnection(file.path, .look).run { connection in
            try SQLQuestion(sql: numbers).answer(connection)
        }
        #expect(answer.rows.count == SQLQuestion.mostRows)
        #expect(answer.isCut == (count > SQLQuestion.mostRows))
    }

    @Test(arguments: ["; SELECT x FROM t", "/* x */; ;SELECT x FROM t", "-- x\n;SELECT x FROM t"])
    func aStatementBehindASemicolonIsAnsweredWithItsPlan(sql: String) async throws {
        let file = try TemporaryFile("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
        let answer = try await StudioConnection(file.path, .look).run { connection in
            try SQLQuestion(sql: sql).answer(connection)
        }
        #expect(answer.rows == [[CellJSON(.integer(7))]])
        #expect(answer.plan.map(\.isFullScan) == [true])
    }

    @Test(arguments: [
        "PRAGMA integrity_check", "-- how?\nPRAGMA integrity_check", "/* how? */pragma integrity_check",
        ";PRAGMA integrity_check",
    ])
    func aPragmaIsNotExplained(sql: String) throws {
        let connection = try Connection(path: ":memory:", .create)
        connection.authorize { _ in .refuse }
        #expect(try SQLPlan.steps(sql, connection).isEmpty)
    }

    @Test func ofManyColumnsLongValuesAreCutSooner() async throws {
        let file = try TemporaryFile()
        let values = Array(repeating: "hex(zeroblob(1500))", count: 10).joined(separator: ", ")
        let answer = try await StudioConnection(file.path, .look).run { connection in
            try SQLQuestion(sql: "SELECT \(values)").answer(connection)
        }
        #expect(answer.rows.joined().count == 10)
        #expect(answer.rows.joined().allSatisfy { $0.byteCount == 3000 })
    }

    @Test(
        arguments: [
            ("SELECT 1", false), ("SELECT x FROM t ORDER BY x", false), ("SELECT x FROM t WHERE id = 1", false),
            ("SELECT body FROM words WHERE words MATCH 'a'", false), ("SELECT x FROM t WHERE y = 1", true),
        ] as [(String, Bool)])
    func whatReadsAWholeTableIsMarked(sql: String, isFullScan: Bool) async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, x, y); CREATE INDEX t_x ON t (x);
            CREATE VIRTUAL TABLE words USING fts5(body);
            """)
        let plan = try await StudioConnection(file.path, .look).run { connection in
            try SQLQuestion(sql: sql).answer(connection).plan
        }
        #expect(plan.map(\.isFullScan) == [isFullScan], "\(plan.map(\.text))")
    }

    private static let noValues = StudioError(
        .invalid, "parameters have no values here: write the values themselves")

    @Test(arguments: ["?", "?1", ":x", "@x", "$x"])
    func sqlThatReadsHasNoParameters(parameter: String) async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        await #expect(throws: Self.noValues) {
            try await look.run { connection in try SQLQuestion(sql: "SELECT \(parameter)").answer(connection) }
        }
    }

    @Test(arguments: ["?", "?1", ":x", "@x", "$x"])
    func sqlThatWritesHasNoParameters(parameter: String) async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let change = StudioConnection(file.path, .change)
        await #expect(throws: Self.noValues) {
            try await change.write { connection, _ in
                try SQLQuestion(sql: "INSERT INTO t VALUES (\(parameter))").change(connection)
            }
        }
    }

    @Test func whatAStatementChangesItselfIsToldBesideWhatItsTriggersDo() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, t TEXT); CREATE TABLE log (x);
            CREATE TRIGGER notes_au AFTER UPDATE ON notes BEGIN INSERT INTO log VALUES (1), (2); END;
            INSERT INTO notes VALUES (1, 'a'), (2, 'b'), (3, 'c');
            """)
        let change = StudioConnection(file.path, .change)
        let outcome = try await change.write { connection, _ in
            try SQLQuestion(sql: "UPDATE notes SET t = 'x' WHERE id < 3").change(connection)
        }
        #expect(outcome.ownChanges == 2)
        #expect(outcome.changes == 6)
        #expect(!outcome.isKept)
    }

    @Test func rowsOfASearchIndexAreNoneThatTheStatementChangesItself() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, t TEXT);
            CREATE VIRTUAL TABLE words USING fts5(t, content='notes', content_rowid='id');
            CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN
                INSERT INTO words (rowid, t) VALUES (new.id, new.t);
            END;
            CREATE TRIGGER notes_au AFTER UPDATE ON notes BEGIN
                INSERT INTO words (words, rowid, t) VALUES ('delete', old.id, old.t);
                INSERT INTO words (rowid, t) VALUES (new.id, new.t);
            END;
            INSERT INTO notes VALUES (1, 'x');
            """)
        let change = StudioConnection(file.path, .change)
        let outcome = try await change.write { connection, _ in
            try SQLQuestion(sql: "UPDATE notes SET t = 'y' WHERE id = 1").change(connection)
        }
        #expect(outcome.ownChanges == 1)
        #expect(outcome.changes > 1)
    }

    @Test func sqlThatOnlyReadsIsNoChange() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let change = StudioConnection(file.path, .change)
        await #expect(throws: StudioError(.invalid, "the statement changes nothing")) {
            try await change.write { connection, _ in try SQLQuestion(sql: "SELECT x FROM t").change(connection) }
        }
    }
}
