import Foundation
import StorageSQLite
import Testing

@testable import StorageToolKit

/// Every command opens files the same way; `inspect` stands for all that read.
@Suite struct OpeningTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aMissingFileIsAnErrorAndNoNewDatabase() throws {
        let run = try Program.run("inspect", folder.path("missing.sqlite"))
        #expect(run.status == 66)
        #expect(run.error == "storagekit: \(folder.path("missing.sqlite")): there is no such file\n")
        #expect(run.output.isEmpty)
        #expect(try folder.names.isEmpty)
    }

    @Test func aPathLeadsThroughLinksAsForOtherPrograms() throws {
        let inner = folder.url.appendingPathComponent("other/deep")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: inner.path)
        _ = try folder.database("a.sqlite", "CREATE TABLE wrong (a)")
        _ = try folder.database("other/a.sqlite", "CREATE TABLE t (a)")
        let rows = try folder.file("rows.jsonl", "{\"a\":1}\n")
        let run = try Program.run(["import", "link/../a.sqlite", "t", rows], in: folder.url)
        #expect(run.output == "1 row imported into 't'\n", "\(run.error)")
    }

    @Test func aPathThatBeginsWithATildeIsNotTakenForTheHomeFolder() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("~"), withIntermediateDirectories: false)
        // No file of anybody's home has that name.
        let name = "~/\(UUID().uuidString)"
        _ = try folder.database("\(name).sqlite", "CREATE TABLE here (a)", "INSERT INTO here VALUES (1)")
        let read = try Program.run(["export", "\(name).sqlite", "here", "-o", "\(name).jsonl"], in: folder.url)
        #expect(read.status == 0, "\(read.error)")
        #expect(try folder.bytes("\(name).jsonl") == Data("{\"a\":1}\n".utf8))
        let write = try Program.run(
            ["import", "\(name).sqlite", "here", "\(name).jsonl"], in: folder.url)
        #expect(write.output == "1 row imported into 'here'\n", "\(write.error)")
    }

    @Test func aFileThatIsNoDatabaseIsAnError() throws {
        let path = try folder.file("text.sqlite", String(repeating: "This is no database. ", count: 100))
        let run = try Program.run("inspect", path)
        #expect(run.status == 65)
        #expect(run.error == "storagekit: \(path) is no SQLite database, or it is encrypted\n")
    }

    @Test func aFolderIsAnError() throws {
        let run = try Program.run("inspect", folder.url.path)
        #expect(run.status == 65)
        #expect(run.error.contains("is a folder"))
    }

    @Test func aPipeIsAnErrorAndIsNotWaitedFor() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let run = try Program.run("inspect", path)
        #expect(run.status == 65)
        #expect(run.error == "storagekit: \(path) is no file\n")
    }

    @Test func aDamagedFileIsAnError() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "CREATE TABLE u (b)")
        var bytes = Array(try folder.bytes("a.sqlite"))
        bytes.replaceSubrange(100..<4096, with: repeatElement(0xFF, count: 3996))
        _ = try folder.file("a.sqlite", bytes: bytes)
        let run = try Program.run("inspect", path)
        #expect(run.status == 65)
        #expect(run.error.contains("is damaged"))
    }

    @Test func noCommandAnswersWhereTheSchemaIsNoUTF8() throws {
        let path = try folder.latin1Database()
        for command in [["inspect"], ["schema"], ["entities"], ["export", "people"], ["plan", path]] {
            let run = try Program.run([command[0], path] + command.dropFirst())
            #expect(run.status == 65)
            #expect(run.output.isEmpty, "\(run.output)")
            #expect(
                run.error == "storagekit: the schema has text that is no UTF-8: the SQL of table 'people', in "
                    + "'g\u{FFFD}\u{FFFD}Y'\n")
        }
    }

    @Test func aFileWithoutAByteIsADatabaseWithoutATable() throws {
        let run = try Program.run("inspect", try folder.file("empty.sqlite", ""))
        #expect(run.status == 0)
        #expect(run.output.contains("Tables: none"))
        #expect(try folder.bytes("empty.sqlite").isEmpty)
    }

    @Test(arguments: ["DELETE", "WAL"])
    func readingLeavesTheFolderAsItWas(journalMode: String) throws {
        let path = try folder.database(
            "a?b#c%20d é.sqlite", "PRAGMA journal_mode = \(journalMode)", "CREATE TABLE t (a)",
            "INSERT INTO t VALUES (1)")
        let before = try folder.bytes("a?b#c%20d é.sqlite")
        #expect(try folder.names == ["a?b#c%20d é.sqlite"])
        for command in [["inspect"], ["query"]] {
            let run = try Program.run(command + [path] + (command == ["query"] ? ["SELECT * FROM t"] : []))
            #expect(run.status == 0, "\(run.error)")
        }
        #expect(try folder.names == ["a?b#c%20d é.sqlite"])
        #expect(try folder.bytes("a?b#c%20d é.sqlite") == before)
    }

    @Test func whatStandsInTheLogIsSeenThroughALinkToo() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (42)")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
        let run = try Program.run("query", folder.path("link"), "SELECT a FROM t", "--format", "csv")
        #expect(run.output == "a\r\n42\r\n", "\(run.error)")
    }

    @Test func whatStandsInTheLogOfAnOpenFileIsSeen() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (42)")
        let run = try Program.run("query", path, "SELECT a FROM t", "--format", "csv")
        #expect(run.output == "a\r\n42\r\n")
        #expect(try folder.names == ["a.sqlite", "a.sqlite-shm", "a.sqlite-wal"])
        withExtendedLifetime(writer) {}
    }

    @Test func aFileThatChangesWhileItIsReadAloneIsAnError() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        try folder.makeOld("a.sqlite")
        let file = try DatabaseFile(path)
        #expect(throws: ToolError(.temporary, "\(path) was changed by another program while it was read; try again")) {
            try file.read { _ in
                let writer = try Connection(path, .write)
                try writer.run("INSERT INTO t VALUES (1)")
            }
        }
    }

    @Test func allThatIsReadIsOfOneMoment() throws {
        let path = try folder.database("a.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (1)")
        let counts = try DatabaseFile(path).read { connection in
            let before = try connection.integer("SELECT COUNT(*) FROM t")
            try writer.run("INSERT INTO t VALUES (2)")
            return [before, try connection.integer("SELECT COUNT(*) FROM t")]
        }
        #expect(counts == [1, 1])
    }

    /// The numbers are SQLite's result codes.
    @Test(
        arguments: [
            (1, .badData), (3, .noPermission), (5, .temporary), (6, .temporary), (8, .noPermission),
            (8 | 1 << 8, .temporary), (9, .software), (10, .inputOutput), (11, .badData), (13, .inputOutput),
            (14, .noPermission), (19 | 5 << 8, .badData), (26, .badData),
        ] as [(Int32, StorageToolKit.ExitStatus)])
    func eachErrorOfSQLiteHasItsStatus(code: Int32, status: StorageToolKit.ExitStatus) {
        #expect(SQLiteFailure(code: code, message: "so it is").forUser(path: "a.sqlite").status == status)
    }

    @Test func aLockedFileIsToBeTriedAgain() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        let writer = try Connection(path, .write)
        try writer.run("BEGIN EXCLUSIVE")
        let run = try Program.run("inspect", path)
        #expect(run.status == 75)
        #expect(run.error.contains("locked by another program"))
    }

    @Test func aFileThatACrashLeftHalfWrittenIsNotTouched() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        try folder.copyWrite(to: path, as: "crashed.sqlite")
        let before = (try folder.bytes("crashed.sqlite"), try folder.bytes("crashed.sqlite-journal"))
        let run = try Program.run("inspect", folder.path("crashed.sqlite"))
        #expect(run.status == 75)
        #expect(run.error.contains("was left in the middle of a write by a program that crashed"), "\(run.error)")
        #expect(try (folder.bytes("crashed.sqlite"), folder.bytes("crashed.sqlite-journal")) == before)
    }

    @Test func aCommandLineThatIsNotUnderstoodIsStatus64() throws {
        for arguments in [
            ["inspect"], ["inspct", "x"], ["query", "x"], ["inspect", "x", "--colour"],
            ["watch", "x", "--interval", "0"], ["schema", "x", "--format", "sql", "--diff", "y"],
        ] {
            #expect(try Program.run(arguments).status == 64)
        }
    }

    @Test func everyCommandHasHelpWithExamples() throws {
        for command in StorageKitCommand.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            let run = try Program.run(name, "--help")
            #expect(run.status == 0)
            #expect(run.output.contains("Example"), "\(name)")
            #expect(run.output.contains("storagekit \(name) "), "\(name)")
        }
        #expect(try Program.run("--help").output.contains("Exit codes:"))
    }
}
