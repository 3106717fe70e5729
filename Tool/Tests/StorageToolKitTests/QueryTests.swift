import Foundation
import Testing

@testable import StorageToolKit

@Suite struct QueryTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.database(
            "plain.sqlite", #"CREATE TABLE "odd ""t" (id INTEGER PRIMARY KEY, name, n REAL, data BLOB)"#,
            #"CREATE INDEX names ON "odd ""t" (name)"#,
            """
            INSERT INTO "odd ""t" VALUES (1, 'Ada', 1.5, x'00ff'), (2, NULL, -9e999, x''), \
            (9223372036854775807, '東京', 3.0, NULL), (4, '', 0, zeroblob(5000)), (5, 'NULL', 0, 'x''00''')
            """)
    }

    private func query(_ sql: String, _ arguments: String...) throws -> Program.Result {
        try Program.run(["query", path, sql] + arguments)
    }

    @Test func aTableIsAlignedByWhatIsSeen() throws {
        let run = try query(#"SELECT id, name, n FROM "odd ""t" WHERE id <> 5"#)
        #expect(
            run.output == """
                id                   name  n
                -------------------  ----  ----
                                  1  Ada    1.5
                                  2  NULL  -inf
                                  4  ''     0.0
                9223372036854775807  東京   3.0

                """)
    }

    @Test func nullTextsAndBytesAreToldApart() throws {
        let run = try query(#"SELECT name, data FROM "odd ""t" ORDER BY id"#)
        #expect(
            run.lines.dropFirst(2).map { $0.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) } }
                == [
                    ["Ada", "x'00ff'"], ["NULL", "x''"], ["''", "x'\(String(repeating: "00", count: 16))…' (4.8 KiB)"],
                    ["'NULL'", "'x''00'''"], ["東京", "NULL"],
                ])
    }

    @Test func aTextThatBeginsLikeBytesIsToldApartWhateverFollows() {
        #expect(TableWriter.text(.text("'\u{301}")).utf8.elementsEqual("'''\u{301}'".utf8))
        #expect(TableWriter.text(.text("x'\u{301}")).utf8.elementsEqual("'x''\u{301}'".utf8))
    }

    @Test func aParameterMayBeginWithAMark() throws {
        let run = try query("SELECT hex(:a) AS a", "-p", "a=\u{301}=", "-f", "csv")
        #expect(run.output == "a\r\n\"CC813D\"\r\n", "\(run.error)")
    }

    @Test func columnsThatDifferInBytesAloneKeepTheirNamesInJSON() throws {
        let run = try query("SELECT 1 AS \"\u{E9}\", 2 AS \"e\u{301}\"", "-f", "jsonl")
        #expect(run.output.utf8.elementsEqual("{\"\u{E9}\":1,\"e\u{301}\":2}\n".utf8), "\(run.output)")
    }

    @Test func jsonKeepsEveryDigitAndSaysWhatIsNoText() throws {
        let run = try query(
            #"SELECT id, name, n, data, data AS id FROM "odd ""t" WHERE id IN (2, 9223372036854775807)"#, "-f", "jsonl")
        #expect(
            run.lines == [
                #"{"id":2,"name":null,"n":{"real":"-inf"},"data":{"blob":""},"id_2":{"blob":""}}"#,
                #"{"id":9223372036854775807,"name":"東京","n":3.0,"data":null,"id_2":null}"#,
            ])
        let array = try query("SELECT 1 AS a UNION SELECT 2", "--format", "json")
        #expect(array.output == "[\n  {\"a\":1},\n  {\"a\":2}\n]\n")
        #expect(try query("SELECT 1 AS a WHERE 0", "--format", "json").output == "[]\n")
    }

    @Test func csvTellsNullFromTheEmptyText() throws {
        let run = try query(#"SELECT name, n, data FROM "odd ""t" WHERE id IN (1, 2, 5) ORDER BY id"#, "-f", "csv")
        #expect(run.output == "name,n,data\r\n\"Ada\",1.5,x'00ff'\r\n,-9e999,x''\r\n\"NULL\",0.0,\"x'00'\"\r\n")
    }

    @Test func parametersAreBoundAndNeverSQL() throws {
        let run = try query(
            #"SELECT name FROM "odd ""t" WHERE id = :id OR name = $name OR name = ?3"#, "--parameter", "id=1",
            "--parameter", "name=x' OR 1=1 --", "-p", "3=東京", "-f", "csv")
        #expect(run.output == "name\r\n\"Ada\"\r\n\"東京\"\r\n", "\(run.error)")
        #expect(try query("SELECT :a", "-p", "b=1").status == 64)
        #expect(try query("SELECT :a").error.contains("give each one by --parameter"))
    }

    @Test(arguments: [
        ("12", "integer"), ("-1.5", "real"), ("0.5", "real"), ("0", "integer"), ("01234", "text"), ("'12'", "text"),
        ("x", "text"), ("'", "text"),
    ]) func aParameterIsANumberIfItIsWrittenAsOne(value: String, type: String) throws {
        #expect(try query("SELECT typeof(:v) AS t", "-p", "v=\(value)", "-f", "csv").output == "t\r\n\"\(type)\"\r\n")
    }

    @Test(arguments: [("'it''s'", "it's"), ("''", ""), ("'a'b", "'a'b")])
    func aParameterWithinMarksIsReadAsSQLReadsIt(value: String, text: String) throws {
        #expect(try query("SELECT :v AS v", "-p", "v=\(value)", "-f", "csv").output == "v\r\n\"\(text)\"\r\n")
    }

    @Test func aMarkWithinMarksThatIsNotWrittenTwiceIsRefused() throws {
        let run = try query("SELECT :v AS v", "-p", "v='O'Brien'")
        #expect(run.status == 64 && run.error.contains("a mark is written twice: 'O'Brien'"), "\(run.error)")
    }

    @Test(arguments: [
        #"DELETE FROM "odd ""t""#, "CREATE TABLE x (a)", #"INSERT INTO "odd ""t" (id) VALUES (77)"#,
        #"UPDATE "odd ""t" SET id = 3 RETURNING id"#, "DROP TABLE \"odd \"\"t\"", "PRAGMA user_version = 7",
        "PRAGMA journal_mode = WAL", "PRAGMA query_only = OFF", "VACUUM", "VACUUM INTO 'copy.sqlite'",
        "ATTACH 'other.sqlite' AS other", "BEGIN", "COMMIT", "REINDEX", "ANALYZE", "CREATE TEMP TABLE x (a)",
    ])
    func whatDoesMoreThanReadIsRefused(sql: String) throws {
        let before = try folder.bytes("plain.sqlite")
        let run = try query(sql)
        #expect(run.status == 65, "\(run.output)")
        #expect(run.error.contains("only statements that read are allowed here"), "\(run.error)")
        #expect(try folder.bytes("plain.sqlite") == before)
        #expect(try folder.names == ["plain.sqlite"])
        #expect(!FileManager.default.fileExists(atPath: "copy.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: "other.sqlite"))
    }

    @Test func whatExplainsAChangeReads() throws {
        let run = try query(#"EXPLAIN QUERY PLAN DELETE FROM "odd ""t""#)
        #expect(run.status == 0, "\(run.error)")
    }

    @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE x", "SELECT 1; nonsense"])
    func severalStatementsAreRefused(sql: String) throws {
        let run = try query(sql)
        #expect(run.status == 65)
        #expect(run.error == "storagekit: the SQL has more than one statement; give one at a time\n")
    }

    @Test func whatStandsBehindTheStatementMayBeAComment() throws {
        #expect(try query("SELECT 1 AS a; -- that is all\n ;", "-f", "csv").output == "a\r\n1\r\n")
        #expect(try query("/* nothing */").error == "storagekit: the SQL has no statement in it\n")
    }

    @Test func anErrorInTheSQLNamesWhatIsWrong() throws {
        let run = try query("SELECT nope FROM \"odd \"\"t\"")
        #expect(run.status == 65)
        #expect(run.error == "storagekit: no such column: nope\n")
    }

    @Test func pragmasThatTellSomethingAreAllowed() throws {
        #expect(try query("PRAGMA user_version", "-f", "csv").output == "user_version\r\n0\r\n")
        #expect(try query("SELECT name FROM pragma_table_info('odd \"t')", "-f", "csv").lines.count == 5)
    }

    @Test func aPragmaMayBeWrittenInCapitals() throws {
        let run = try query("PRAGMA USER_VERSION", "-f", "csv")
        #expect(run.lines.last == "0", "\(run.error)")
    }

    @Test(.timeLimit(.minutes(10)), arguments: RowFormat.allCases)
    func rowsComeBeforeTheLastIsFound(format: RowFormat) async throws {
        // Gives twenty thousand rows, and then searches for ever.
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 20000"
        let run = try RunningProgram("query", path, endless, "-f", format.rawValue)
        #expect(try await run.lines(1000).last?.contains(where: \.isNumber) == true)
        // It is still at work, and is ended with the value.
        #expect(run.isRunning)
    }

    @Test(.timeLimit(.minutes(10))) func standardOutputThatIsClosedIsAnErrorAndLeavesTheFileAlone() async throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (x)")
        let before = try folder.bytes("a.sqlite")
        let run = try RunningProgram("query", path, "SELECT 1", redirection: ">&-")
        #expect(try await run.lines(1) == ["storagekit: standard output: Bad file descriptor"])
        #expect(await run.end() == 74)
        #expect(try folder.bytes("a.sqlite") == before)
    }

    @Test func virtualTablesAreReadToo() async throws {
        let path = try await NotesFile.make(in: folder)
        let sql = "SELECT highlight(notes_fts, 0, '[', ']') AS hit FROM notes_fts WHERE notes_fts MATCH 'cat'"
        #expect(try Program.run("query", path, sql, "-f", "csv").output == "hit\r\n\"Feed the [cat]\"\r\n")
    }

    @Test func theDecimalsOfStorageKitSortAsNumbers() async throws {
        let path = try await NotesFile.make(in: folder)
        let run = try Program.run(
            "query", path, "SELECT price FROM notes UNION SELECT '9' ORDER BY 1 COLLATE storagekit_decimal", "-f", "csv"
        )
        #expect(run.output == "price\r\n\"9\"\r\n\"12.5\"\r\n", "\(run.error)")
    }

    @Test func caseIsFoldedAsInTheApp() throws {
        #expect(try query("SELECT storagekit_fold('ẞ') AS a", "-f", "csv").output == "a\r\n\"ss\"\r\n")
    }
}
