import Foundation
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct ExchangeTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    static let people = """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER CHECK (age >= 0), photo BLOB, \
        nick TEXT DEFAULT 'none')
        """

    private func load(_ text: String, as name: String, into path: String, _ options: String...) throws -> Program.Result
    {
        try Program.run(["import", path, "people", try folder.file(name, text)] + options)
    }

    private func people(_ path: String) throws -> [[Cell]] {
        try DatabaseFile(path).read { try $0.rows("SELECT * FROM people ORDER BY id") }
    }

    @Test func anUpsertThatTheTableRollsBackLeavesNothing() throws {
        let path = try folder.database(
            "a.sqlite",
            "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL ON CONFLICT ROLLBACK, nick TEXT)",
            "INSERT INTO people VALUES (1, 'Ada', NULL)")
        let text = """
            {"id":5,"name":"Eve"}
            {"id":1,"nick":"a"}
            {"id":6,"name":"Bob"}

            """
        let run = try load(text, as: "t.jsonl", into: path, "--upsert")
        #expect(run.status == 65)
        #expect(run.error.contains("NOT NULL constraint failed: people.name"), "\(run.error)")
        #expect(try people(path) == [[.integer(1), .text("Ada"), .null]])
    }

    @Test func rowsThatNameTheirColumnsInAnyOrderHaveOneStatement() throws {
        let names = (0..<8).map { "c\($0)" }
        let path = try folder.database("a.sqlite", "CREATE TABLE t (\(names.joined(separator: ", ")))")
        let connection = try DatabaseFile(path).write()
        let table = try Catalog(connection).existingTable("t")
        func line(_ names: some Sequence<String>) -> String {
            "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}\n"
        }
        var run = try TableImport(connection, into: table, isUpsert: false)
        let orders = names.indices.map { line(names[$0...] + names[..<$0]) }.joined()
        let count = try run.run(JSONLinesReader(ByteSource(Array(orders.utf8)), into: table))
        #expect(count == 8)
        #expect(run.statements.count == 1)
        let subsets = (1..<256).map { bits in line(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }) }
        _ = try run.run(JSONLinesReader(ByteSource(Array(subsets.joined().utf8)), into: table))
        #expect(run.statements.count <= 64)
    }

    // MARK: - Export

    @Test func aTableOfStorageKitIsExportedAsJSONLines() async throws {
        let path = try await NotesFile.make(in: folder)
        let run = try Program.run("export", path, "notes")
        #expect(run.status == 0)
        #expect(run.lines.count == 3)
        #expect(
            run.lines[0].hasPrefix(
                #"{"id":"n1","title":"Water the plants","isDone":0,"price":"12.5","written":"2023-11-14 22:13:20.500","picture":{"blob":"AP8="},"updatedAt":""#
            ), "\(run.lines[0])")
        #expect(run.error.isEmpty)
    }

    @Test func rowsAreExportedAsTheyWereInsertedEvenIfAColumnIsCalledRowid() throws {
        // An index that has all that is exported, which SQLite would read instead.
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (rowid TEXT UNIQUE, twice TEXT AS (rowid || rowid))",
            "INSERT INTO t VALUES ('z'), ('a')")
        #expect(try Program.run("export", path, "t", "-f", "csv").output == "rowid\r\n\"z\"\r\n\"a\"\r\n")
    }

    @Test func aTableWithoutRowidsIsExportedToo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID",
            "INSERT INTO t VALUES ('y', 1), ('x', 2)")
        let run = try Program.run("export", path, "t", "-f", "csv")
        #expect(run.output == "a,b\r\n\"x\",2\r\n\"y\",1\r\n", "\(run.error)")
    }

    @Test func theFormatThatIsAskedForGoesBeforeTheNameOfTheOutput() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        #expect(try Program.run("export", path, "t", "-o", folder.path("t.csv"), "-f", "jsonl").status == 0)
        #expect(try folder.bytes("t.csv") == Data("{\"a\":\"x\"}\n".utf8))
    }

    @Test func anOutputFileIsNotOverwrittenUnlessAsked() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        let output = try folder.file("t.csv", "precious")
        let refused = try Program.run("export", path, "t", "--output", output)
        #expect(refused.status == 73)
        #expect(try folder.bytes("t.csv") == Data("precious".utf8))
        #expect(try Program.run("export", path, "t", "--output", output, "--force").status == 0)
        #expect(try folder.bytes("t.csv") == Data("a\r\n\"x\"\r\n".utf8))
        #expect(try folder.names == ["a.sqlite", "t.csv"])
        #expect(try Program.run("export", path, "t", "--output", folder.path("no/t.csv")).status == 73)
    }

    @Test func aFileThatIsReplacedKeepsItsPermissions() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        let output = try folder.file("t.csv", "private")
        for permissions in [0o600, 0o666] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: output)
            #expect(try Program.run("export", path, "t", "--output", output, "--force").status == 0)
            let attributes = try FileManager.default.attributesOfItem(atPath: output)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
        }
    }

    @Test func aFileThatCameDuringTheExportIsNotOverwritten() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        let output = folder.path("t.csv")
        let export = try ExportCommand.parse([path, "t", "--output", output])
        #expect(throws: ToolError(.cannotCreate, "\(output) exists already; --force replaces it")) {
            try export.export { _ = try folder.file("t.csv", "precious") }
        }
        #expect(try folder.bytes("t.csv") == Data("precious".utf8))
        #expect(try folder.names == ["a.sqlite", "t.csv"])
    }

    @Test func anExportNeverTakesThePlaceOfTheDatabaseOrOfWhatIsNoFile() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let before = try folder.bytes("a.sqlite")
        for name in ["a.sqlite", "link", "pipe", "a.sqlite-wal", "a.sqlite-shm", "a.sqlite-journal"] {
            for command in [["export", path, "t"], ["entities", path]] {
                let run = try Program.run(command + ["-o", folder.path(name), "--force"])
                #expect(run.status == 73, "\(run.error)")
            }
        }
        #expect(try folder.bytes("a.sqlite") == before)
        #expect(try folder.names == ["a.sqlite", "link", "pipe"])
    }

    @Test func aFolderIsRefusedBeforeARowIsRead() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        let output = folder.path("out")
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
        let export = try ExportCommand.parse([path, "t", "--output", output])
        #expect(throws: ToolError(.cannotCreate, "\(output) is a folder")) {
            try export.export { Issue.record("a row was read") }
        }
    }

    @Test func anExportThroughALinkReplacesWhatItLeadsTo() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('x')")
        let output = try folder.file("t.csv", "old")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: output)
        #expect(try Program.run("export", path, "t", "-o", folder.path("link"), "-f", "csv", "--force").status == 0)
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "a\r\n\"x\"\r\n")
    }

    @Test func aRowThatTheTableLeavesOutEndsTheImport() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, name UNIQUE ON CONFLICT IGNORE)")
        let run = try load("id,name\n1,a\n2,a\n", as: "t.csv", into: path)
        #expect(run.status == 65)
        #expect(run.error.contains("t.csv:3:1: the table leaves the row out"), "\(run.error)")
        #expect(try people(path).isEmpty)
    }

    @Test func anExportThatFailsLeavesNoFile() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT abs(-9223372036854775808) AS a")
        let run = try Program.run("export", path, "v", "--output", folder.path("v.csv"))
        #expect(run.status == 65)
        #expect(try folder.names == ["a.sqlite"])
    }

    @Test func anExportOfAFileThatChangesMeanwhileLeavesTheOldOneThere() throws {
        let path = try folder.database(
            "a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        try folder.makeOld("a.sqlite")
        let output = try folder.file("t.csv", "precious")
        let export = try ExportCommand.parse([path, "t", "--output", output, "--force"])
        #expect(throws: ToolError(.temporary, "\(path) was changed by another program while it was read; try again")) {
            try export.export { try Connection(path, .write).run("INSERT INTO t VALUES (2)") }
        }
        #expect(try folder.bytes("t.csv") == Data("precious".utf8))
    }

    /// A query that ends on no day that anybody sees.
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000) SELECT count(*) FROM n"

    @Test(.timeLimit(.minutes(10))) func anExportThatWaitsForItsFirstRowCanBeInterrupted() throws {
        let path = try folder.database("a.sqlite", "CREATE VIEW v (a) AS \(Self.endless)")
        let export = try ExportCommand.parse([path, "v", "--output", folder.path("v.csv")])
        let stop = ToolError(.interrupted, "enough")
        #expect(throws: stop) { try export.export(isInterrupted: { true }, check: { throw stop }) }
        #expect(try folder.names == ["a.sqlite"])
    }

    @Test(.timeLimit(.minutes(10))) func anImportThatWaitsForATriggerCanBeInterrupted() async throws {
        let path = try folder.database(
            "a.sqlite", Self.people, "CREATE TRIGGER r AFTER INSERT ON people BEGIN SELECT (\(Self.endless)); END")
        let run = try RunningProgram("import", path, "people", try folder.file("rows.csv", "id,name\n1,Ada\n"))
        // The journal comes when the row is written, before the trigger runs.
        while run.isRunning, try !folder.names.contains("a.sqlite-journal") {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(await run.interrupt() == 130)
        #expect(try await run.lines(1) == ["storagekit: interrupted; nothing was imported"])
        #expect(try people(path).isEmpty)
    }

    @Test func aTableThatIsNotThereIsNamedAndSoAreTheOthers() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        for arguments in [["export", path, "T2"], ["import", path, "T2", try folder.file("x.csv", "a\n")]] {
            let run = try Program.run(arguments)
            #expect(run.status == 65)
            #expect(run.error == "storagekit: there is no table 'T2'; there are 't'\n")
        }
    }

    // MARK: - Import

    @Test func csvOfOtherProgramsIsUnderstood() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load(
            "\u{FEFF}Name,ID,age\nAda,1,36\n\"de \"\"la\"\"\nCruz, P.\",2,\n007,3,\"40\"\n\n", as: "a.csv", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output == "3 rows imported into 'people'\n")
        #expect(run.error.isEmpty)
        #expect(
            try people(path) == [
                [.integer(1), .text("Ada"), .integer(36), .null, .text("none")],
                [.integer(2), .text("de \"la\"\nCruz, P."), .null, .null, .text("none")],
                [.integer(3), .text("007"), .integer(40), .null, .text("none")],
            ])
    }

    @Test func jsonLinesTakeDefaultsForWhatTheyDoNotName() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let text = """
            {"id": 1, "name": "Zo\\u00eb \\ud83c\\udf31", "nick": null}
              {"name":"b","photo":{"blob":"AP8="},"age":9007199254740993,"id":2}

            """
        #expect(try load(text, as: "a.jsonl", into: path).status == 0)
        #expect(
            try people(path) == [
                [.integer(1), .text("Zoë 🌱"), .null, .null, .null],
                [.integer(2), .text("b"), .integer(9_007_199_254_740_993), .blob(Data([0, 255])), .text("none")],
            ])
    }

    @Test func theFormatThatIsAskedForGoesBeforeTheNameOfTheInput() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("id,name\n1,Ada\n", as: "people.json", into: path, "--format", "csv")
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path).map { $0[1] } == [.text("Ada")])
    }

    @Test func linesThatEndWithACarriageReturnAloneAreRows() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("id,name\r51,Ada\r62,Bob\r", as: "a.csv", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path).map { $0[0] } == [.integer(51), .integer(62)])
    }

    @Test func aLineThatEndsAsOnWindowsIsCountedOnce() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("id,name\r\n1,a\r\n2,\r\n", as: "a.csv", into: path)
        #expect(run.error.contains("a.csv:3:3: NOT NULL constraint failed"), "\(run.error)")
    }

    @Test func theMarkOfUTF8IsNoCharacterOfTheFirstLine() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("\u{FEFF}nope,id\n", as: "a.csv", into: path)
        #expect(run.error.contains("a.csv:1:1: table 'people' has no column 'nope'"), "\(run.error)")
    }

    @Test func bytesInCapitalLettersAreBytes() throws {
        let path = try folder.database("a.sqlite", Self.people)
        #expect(try load("id,name,photo\n1,Ada,X'00FF'\n", as: "a.csv", into: path).status == 0)
        #expect(try people(path).map { $0[3] } == [.blob(Data([0, 255]))])
    }

    @Test func theLengthOfARecordIsLimitedAndNotThatOfTheFile() throws {
        var parser = CSVParser(ByteSource(Array("ab,c\nde,f\nabcd\n".utf8)), maximumRecordBytes: 3)
        for _ in 0..<2 {
            let fields = try parser.next()
            #expect(fields?.count == 2)
        }
        #expect(throws: InputProblem.self) { try parser.next() }
    }

    @Test func jsonLinesMayEndAsOnWindows() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("{\"id\":1,\"name\":\"a\"}\r\n{\"id\":2,\"name\":\"b\"}\r\n", as: "a.jsonl", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path).map { $0[1] } == [.text("a"), .text("b")])
    }

    @Test func emptyLinesBetweenJSONLinesAreNoRows() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("{\"id\":1,\"name\":\"a\"}\n\n \t\n{\"id\":2,\"name\":\"b\"}\n", as: "a.jsonl", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path).map { $0[0] } == [.integer(1), .integer(2)])
    }

    @Test func theMarkOfUTF8BeforeJSONLinesIsPassedOver() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load("\u{FEFF}{\"id\":1,\"name\":\"a\"}\n", as: "a.jsonl", into: path)
        #expect(run.status == 0, "\(run.error)")
    }

    @Test func everyEscapeOfJSONIsUnderstood() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try load(#"{"id":1,"name":"\/\b\f\n\r\t\"\\"}"#, as: "a.jsonl", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path).map { $0[1] } == [.text("/\u{8}\u{C}\n\r\t\"\\")])
    }

    @Test func trueAndFalseAreOneAndZero() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let text = "{\"id\":1,\"name\":\"a\",\"age\":true}\n{\"id\":2,\"name\":\"b\",\"age\":false}\n"
        #expect(try load(text, as: "a.jsonl", into: path).status == 0)
        #expect(try people(path).map { $0[2] } == [.integer(1), .integer(0)])
    }

    @Test(
        arguments: [
            ("CLOB", .text("007")), ("VARCHAR(3)", .text("007")), ("DOUBLE", .real(7)), ("BIGINT", .integer(7)),
            ("DECIMAL(9, 2)", .integer(7)),
        ] as [(String, Cell)])
    func aBareNumberIsWhatTheTypeOfTheColumnSays(type: String, cell: Cell) throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, code \(type))")
        #expect(try load("id,code\n1,007\n", as: "a.csv", into: path).status == 0)
        #expect(try people(path) == [[.integer(1), cell]])
    }

    @Test func aColumnOfRealNumbersTakesMoreDigitsThanAnInteger() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, size REAL)")
        let run = try load("id,size\n1,12345678901234567890\n", as: "a.csv", into: path)
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path) == [[.integer(1), .real(1.2345678901234567890e19)]])
    }

    @Test func whatIsKeptBehindASearchIsNotImportedInto() throws {
        let path = try folder.database("a.sqlite", "CREATE VIRTUAL TABLE words USING fts5(body)")
        let rows = try folder.file("rows.csv", "id,block\n99,x'00'\n")
        let run = try Program.run("import", path, "words_data", rows)
        #expect(run.status == 65)
        #expect(run.error.contains("'words_data' is a shadow"), "\(run.error)")
    }

    @Test func aTextColumnTakesDigitsOfAnyLength() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let digits = "12345678901234567890"
        #expect(try load("id,name,nick\n1,\(digits),\"\(digits)\"\n", as: "a.csv", into: path).status == 0)
        #expect(try people(path)[0][1] == .text(digits) && people(path)[0][4] == .text(digits))
    }

    /// The text of a file, the place of the first bad value, and a part of the message.
    static let badFiles: [(name: String, text: String, place: String, message: String)] = [
        ("a.csv", "", "1:1", "the file is empty"),
        ("a.csv", "id,name,nope\n", "1:9", "has no column 'nope'; it has 'id', 'name'"),
        ("a.csv", "id,name,ID\n", "1:9", "named twice"),
        ("a.csv", "id,name\n1,a\n2\n", "3:1", "1 field where the first line has 2"),
        ("a.csv", "id,name,age\n1,a,2\n2,é,many\n", "3:5", "column 'age' takes numbers"),
        ("a.csv", "id,name\n1,a\n2,\n", "3:3", "NOT NULL constraint failed: people.name"),
        ("a.csv", "id,name,age\n1,\"two\nlines\",2\n1,b,3\n", "4:1", "UNIQUE constraint failed: people.id"),
        ("a.csv", "id,name,age\n1,a,-1\n", "2:1", "CHECK constraint failed"),
        ("a.csv", "id,name\n1,a\"b\n", "2:4", "a quote inside a field"),
        ("a.csv", "id,name\n1,\"a\"b\n", "2:6", "text behind the quote"),
        ("a.csv", "id,name\n1,\"ab\n\n", "2:3", "never closed"),
        ("a.csv", "name,id\na,\"x\"\n", "2:3", "column 'id' takes integers"),
        ("a.csv", "name,age\na,12345678901234567890\n", "2:3", "more than 64 bits"),
        ("a.jsonl", "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":null}\n", "2:16", "NOT NULL constraint failed"),
        ("a.jsonl", "{\"id\":1,\"name\":\"é\",\"nope\":1}\n", "1:20", "has no column 'nope'"),
        ("a.jsonl", "{\"id\":1,\"id\":2}\n", "1:9", "stands twice"),
        ("a.jsonl", "{\"id\":1,\"ID\":2}\n", "1:9", "named twice"),
        ("a.jsonl", "{\"id\":9223372036854775808}\n", "1:7", "more than 64 bits"),
        ("a.csv", "name,age\na,\"12345678901234567890\"\n", "2:3", "more than 64 bits"),
        ("a.jsonl", "{\"age\":\" 12345678901234567890\"}\n", "1:8", "more than 64 bits"),
        ("a.jsonl", "{\"age\":1e999}\n", "1:8", "too large"),
        ("a.jsonl", "{\"name\":[1]}\n", "1:9", "an array"),
        ("a.jsonl", "{\"name\":{\"a\":\"b\"}}\n", "1:9", "an object that is neither"),
        ("a.jsonl", "{\"photo\":{\"blob\":\"?\"}}\n", "1:10", "an object that is neither"),
        ("a.jsonl", "{\"name\":\"\\ud800\"}\n", "1:10", "half of a surrogate pair"),
        ("a.jsonl", "{\"name\":\"a\n", "1:11", "never closed"),
        ("a.jsonl", "{\"name\":nul}\n", "1:9", "no JSON value"),
        ("a.jsonl", "{\"name\":\"a\",\"id\":1.5}\n", "1:18", "column 'id' takes integers"),
        ("a.jsonl", "{\"age\":01}\n", "1:8", "no JSON value"),
        ("a.jsonl", "{\"age\":-00}\n", "1:8", "no JSON value"),
        ("a.jsonl", "{\"age\":1.}\n", "1:8", "no JSON value"),
        ("a.jsonl", "{\"age\":1.e5}\n", "1:8", "no JSON value"),
        ("a.jsonl", "{\"name\":\"a\"} x\n", "1:14", "text behind the object"),
        ("a.jsonl", "[]\n", "1:1", "no '{'"),
    ]

    @Test(arguments: badFiles.indices)
    func theFirstBadValueIsNamedAndNothingIsImported(index: Int) throws {
        let bad = Self.badFiles[index]
        let path = try folder.database(
            "a.sqlite", Self.people, "INSERT INTO people (id, name) VALUES (9, 'here before')")
        let run = try load(bad.text, as: bad.name, into: path)
        #expect(run.status == 65)
        #expect(run.error.hasPrefix("storagekit: \(folder.path(bad.name)):\(bad.place): "), "\(run.error)")
        #expect(run.error.contains(bad.message), "\(run.error)")
        #expect(run.error.hasSuffix("; nothing was imported\n"))
        #expect(try people(path).map { $0[0] } == [.integer(9)])
    }

    @Test func upsertNeedsNoColumnsOfARowThatIsThere() throws {
        let path = try folder.database("a.sqlite", Self.people, "INSERT INTO people VALUES (1, 'Ada', 36, x'01', 'A')")
        let run = try load("id,age\n1,37\n", as: "a.csv", into: path, "--upsert")
        #expect(run.status == 0, "\(run.error)")
        #expect(
            try people(path) == [[.integer(1), .text("Ada"), .integer(37), .blob(Data([1])), .text("A")]])
        let refused = try load("id,age\n1,38\n2,40\n", as: "b.csv", into: path, "--upsert")
        #expect(refused.error.contains("b.csv:3:1: NOT NULL constraint failed: people.name"))
        #expect(try load("{\"id\":1}\n", as: "key.jsonl", into: path, "--upsert").status == 0)
        #expect(try load("{\"id\":2}\n", as: "key.jsonl", into: path, "--upsert").status == 65)
        let cleared = try load("{\"id\":1,\"name\":null}\n", as: "c.jsonl", into: path, "--upsert")
        #expect(cleared.error.contains("c.jsonl:1:16: NOT NULL constraint failed: people.name"), "\(cleared.error)")
    }

    @Test func upsertWithAPartOfTheKeyChangesNoRow() throws {
        let path = try folder.database(
            "a.sqlite",
            "CREATE TABLE people (id INTEGER NOT NULL, no INTEGER NOT NULL, name TEXT, PRIMARY KEY (id, no))",
            "INSERT INTO people VALUES (1, 1, 'Ada'), (1, 2, 'Bob')")
        let run = try load("id,name\n1,Eve\n", as: "a.csv", into: path, "--upsert")
        #expect(run.error.contains("a.csv:2:1: NOT NULL constraint failed: people.no"), "\(run.error)")
        #expect(try people(path).map { $0[2] } == [.text("Ada"), .text("Bob")])
    }

    @Test func upsertOfAKeyAloneLeavesTheRowAsItIs() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)",
            "INSERT INTO people VALUES (1, 'Ada')")
        let run = try load("{\"id\":1}\n", as: "a.jsonl", into: path, "--upsert")
        #expect(run.status == 0, "\(run.error)")
        #expect(try people(path) == [[.integer(1), .text("Ada")]])
    }

    @Test func upsertOverwritesWhatTheFileNamesAndKeepsTheRest() throws {
        let path = try folder.database(
            "a.sqlite", Self.people, "INSERT INTO people VALUES (1, 'Ada', 36, x'01', 'A'), (2, 'Bob', 40, NULL, 'B')")
        let run = try load("id,name\n2,Robert\n3,Eve\n", as: "a.csv", into: path, "--upsert")
        #expect(run.status == 0, "\(run.error)")
        #expect(
            try people(path) == [
                [.integer(1), .text("Ada"), .integer(36), .blob(Data([1])), .text("A")],
                [.integer(2), .text("Robert"), .integer(40), .null, .text("B")],
                [.integer(3), .text("Eve"), .null, .null, .text("none")],
            ])
        let plain = try folder.database("b.sqlite", "CREATE TABLE people (a)")
        let refused = try load("a\n1\n", as: "a.csv", into: plain, "--upsert")
        #expect(refused.status == 65)
        #expect(refused.error.contains("has no primary key"))
    }

    @Test func upsertTakesNoOtherColumnForTheKey() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE people (\"\u{E9}\" PRIMARY KEY, \"e\u{301}\")", "INSERT INTO people VALUES (1, 2)"
        )
        let run = try load("{\"\u{E9}\":1,\"e\u{301}\":3}\n", as: "a.jsonl", into: path, "--upsert")
        #expect(run.status == 0, "\(run.error)")
        #expect(try DatabaseFile(path).read { try $0.rows("SELECT * FROM people") } == [[.integer(1), .integer(3)]])
    }

    @Test func foreignKeysAreChecked() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES people)",
            "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES people)")
        // A row may refer to a later one.
        #expect(try load("id,boss\n1,2\n2,\n", as: "a.csv", into: path).status == 0)
        let broken = try load("id,boss\n3,99\n", as: "a.csv", into: path)
        #expect(broken.error.contains("1 row of 'people' would refer to rows of 'people' that are not there"))
        let old = try folder.database(
            "old.sqlite", "CREATE TABLE people (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES people)",
            "PRAGMA foreign_keys = OFF", "INSERT INTO people VALUES (1, 99)")
        #expect(try load("id,boss\n2,1\n", as: "a.csv", into: old).status == 0)
        #expect(try load("id,boss\n3,98\n", as: "a.csv", into: old).error.contains("1 row of 'people' would refer"))
        let pets = try Program.run("import", path, "pets", try folder.file("p.csv", "id,owner\n1,2\n2,77\n"))
        #expect(pets.status == 65)
        #expect(pets.error.contains("p.csv:3:3: refers to a row of 'people' that is not there"))
        #expect(try DatabaseFile(path).read { try $0.integer("SELECT COUNT(*) FROM pets") } == 0)
    }

    @Test func aReferenceThatIsNullIsNotCalledTheBrokenOne() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE owners (id INTEGER PRIMARY KEY)", "CREATE TABLE vets (id INTEGER PRIMARY KEY)",
            "CREATE TABLE people (id INTEGER PRIMARY KEY, owner INT REFERENCES owners, vet INT REFERENCES vets)")
        let run = try load("id,owner,vet\n1,,77\n", as: "a.csv", into: path)
        #expect(run.error.contains("a.csv:2:4: refers to a row of 'vets' that is not there"), "\(run.error)")
    }

    @Test func whatIsImportedIntoAStoreIsSeenBySearchAndCache() async throws {
        let path = try await NotesFile.make(in: folder)
        let exported = try Program.run("export", path, "notes").output.replacing("Feed the cat", with: "Feed the dog")
        let run = try Program.run("import", path, "notes", try folder.file("n.jsonl", exported), "--upsert")
        #expect(run.status == 0, "\(run.error)")
        let notes = try await NotesFile.reopened(path)
        #expect(try await notes.facade.get(Note.self, id: "n2")?.title == "Feed the dog")
        #expect(try await notes.facade.search(Note.self, query: "dog").map(\.entity.id) == ["n2"])
        #expect(try await notes.facade.search(Note.self, query: "cat").isEmpty)
    }

    @Test(.timeLimit(.minutes(10))) func anInterruptedImportLeavesTheTableAsItWas() async throws {
        let path = try folder.database("a.sqlite", Self.people)
        // A pipe that nobody writes the rest to.
        let fifo = folder.path("rows.csv")
        try #require(mkfifo(fifo, 0o600) == 0)
        let run = try RunningProgram("import", path, "people", fifo)
        let pipe = try #require(FileHandle(forWritingAtPath: fifo))
        // Far more than a pipe holds: when it is written, rows have been read and inserted.
        let rows = (0..<40_000).map { "\($0),Ada\n" }.joined()
        try pipe.write(contentsOf: Data(("id,name\n" + rows).utf8))
        #expect(await run.interrupt() == 130)
        #expect(try await run.lines(1) == ["storagekit: interrupted; nothing was imported"])
        #expect(try people(path).isEmpty)
        try pipe.close()
    }

    @Test(.timeLimit(.minutes(10))) func anImportThatWaitsForMoreOfAPipeCanBeInterrupted() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let text = Array("id,name\n1,Ada\n".utf8)
        #expect(write(ends[1], text, text.count) == text.count)
        var looks = 0
        let source = try ByteSource(path: "/dev/fd/\(ends[0])") {
            looks += 1
            if looks > 3 { throw ToolError(.interrupted, "enough") }
        }
        #expect(throws: ToolError.self) { while try source.take() != nil {} }
        #expect(source.bytesRead == text.count)
    }

    @Test func theMarkOfUTF8IsPassedOverInPieces() throws {
        var bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61]
        let source = ByteSource { bytes.isEmpty ? Data() : Data([bytes.removeFirst()]) }
        try source.skipByteOrderMark()
        #expect(try source.take() == 0x61)
        #expect(try source.take() == nil)
    }

    @Test func standardInputIsReadToo() throws {
        let path = try folder.database("a.sqlite", Self.people)
        let input = try folder.file("rows", "id,name\n1,Ada\n")
        let process = Process()
        process.executableURL = try BuiltProgram.url("storagekit")
        process.arguments = ["import", path, "people", "-", "--format", "csv"]
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try people(path).count == 1)
    }

    @Test(.timeLimit(.minutes(10))) func standardInputThatIsClosedIsAnError() async throws {
        let path = try folder.database("a.sqlite", Self.people)
        let run = try RunningProgram("import", path, "people", "-", "--format", "csv", redirection: "<&-")
        #expect(try await run.lines(1) == ["storagekit: - cannot be read: Bad file descriptor"])
        #expect(await run.end() == 74)
    }

    @Test func aFormatThatCannotBeToldIsAskedFor() throws {
        let path = try folder.database("a.sqlite", Self.people)
        #expect(try Program.run("import", path, "people", "-").status == 64)
        #expect(try Program.run("import", path, "people", folder.path("missing.csv")).status == 66)
        let view = try folder.database("b.sqlite", "CREATE VIEW people AS SELECT 1 AS a")
        #expect(try load("a\n1\n", as: "a.csv", into: view).error.contains("'people' is a view"))
    }
}
