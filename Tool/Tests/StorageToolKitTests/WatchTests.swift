import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite(.timeLimit(.minutes(10))) struct WatchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["DELETE", "WAL"])
    func changesOfAnotherProcessArePrintedRowByRow(journalMode: String) async throws {
        let path = try folder.database(
            "a.sqlite", "PRAGMA journal_mode = \(journalMode)", #"CREATE TABLE "t ""x" (id TEXT PRIMARY KEY, n)"#,
            #"INSERT INTO "t ""x" VALUES ('a', 1), ('b', 2)"#)
        let watch = try RunningProgram("watch", path)
        #expect(try await watch.lines(1) == ["Watching 1 table of \(path); Ctrl-C ends."])
        let file = try folder.file("rows.csv", "id,n\nb,3\nc d,4\n")
        #expect(try Program.run("import", path, "t \"x", file, "--upsert").status == 0)
        #expect(try await watch.lines(2) == [#"updated t "x b"#, #"inserted t "x c d"#])
        try Connection(path, .write).run(#"DELETE FROM "t ""x" WHERE n < 4"#)
        #expect(try await watch.lines(2) == [#"deleted t "x a"#, #"deleted t "x b"#])
        #expect(await watch.interrupt() == 0)
    }

    @Test func aStoreIsWatchedWithoutWhatItKeepsForItself() async throws {
        let path = try await NotesFile.make(in: folder)
        let watch = try RunningProgram("watch", path, "--format", "jsonl")
        #expect(try await watch.lines(1)[0].hasPrefix("Watching 1 table of "))
        let context = try await NotesFile.reopened(path)
        try await context.facade.delete(Note.self, id: "n2")
        #expect(try await watch.lines(1) == [#"{"change":"deleted","table":"notes","key":["n2"]}"#])
        let note = Note(id: "é", title: "New", isDone: false, price: 1, written: Date(), picture: nil)
        try await context.facade.save(note)
        #expect(try await watch.lines(1) == [#"{"change":"inserted","table":"notes","key":["é"]}"#])
        #expect(await watch.interrupt() == 0)
        #expect(try await context.facade.count(Note.self) == 3)
    }

    @Test func onlyTheTablesThatAreNamedAreWatched() async throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "CREATE TABLE u (a)")
        let watch = try RunningProgram("watch", path, "--table", "U")
        #expect(try await watch.lines(1)[0].hasPrefix("Watching 1 table of "))
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (1)")
        try writer.run("INSERT INTO u VALUES (1)")
        #expect(try await watch.lines(1) == ["inserted u 1"])
        #expect(await watch.interrupt() == 0)
        #expect(try Program.run("watch", path, "--table", "x").error.contains("there is no table 'x'"))
    }

    @Test func tablesThatDifferInBytesAloneAreTwo() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE \"\u{E9}\" (a)", "CREATE TABLE \"e\u{301}\" (a)")
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: [])
        #expect(watch.tables.count == 2)
        try Connection(path, .write).run("INSERT INTO \"\u{E9}\" VALUES (1)")
        #expect(try watch.poll().map { Array($0.table.utf8) } == [[0xC3, 0xA9]])
        try Connection(path, .write).run("INSERT INTO \"e\u{301}\" VALUES (1)")
        #expect(try watch.poll().map { Array($0.table.utf8) } == [[0x65, 0xCC, 0x81]])
    }

    @Test func keysOfManyKindsComeInTheOrderOfSQLite() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (k PRIMARY KEY)")
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: [])
        let writer = try Connection(path, .write)
        var keys: [Cell] = [.real(0x1p53), .integer(1 << 53 + 1), .real(-.infinity), .blob(Data([0x30]))]
        for number in 0..<10 {
            keys += [.integer(Int64(number)), .real(Double(number) + 0.5)]
            keys += [.text("\(number)"), .brokenText(Data([0x30 + UInt8(number), 0xFF]))]
        }
        for key in keys { _ = try writer.rows("INSERT INTO t VALUES (?)", [key]) }
        #expect(try watch.poll().map(\.key) == writer.rows("SELECT k FROM t ORDER BY k"))
    }

    @Test func aViewIsNotWatched() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "CREATE VIEW v AS SELECT a FROM t")
        let connection = try DatabaseFile(path).follow()
        #expect(throws: ToolError(.badData, "'v' is a view, which has no rows of its own to watch")) {
            try FileWatch(connection, tables: ["v"])
        }
    }

    @Test func whatIsRolledBackIsNoChange() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: [])
        let writer = try Connection(path, .write)
        try writer.run("BEGIN")
        try writer.run("INSERT INTO t VALUES (1)")
        #expect(try watch.poll().isEmpty)
        try writer.run("ROLLBACK")
        #expect(try watch.poll().isEmpty)
        try writer.run("INSERT INTO t VALUES (2)")
        #expect(try watch.poll().count == 1)
        #expect(try watch.poll().isEmpty)
    }

    @Test func tablesThatComeAndGoTakeTheirRowsAlong() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: [])
        let writer = try Connection(path, .write)
        try writer.run("CREATE TABLE u (id INTEGER PRIMARY KEY, a)")
        try writer.run("INSERT INTO u VALUES (7, 1)")
        try writer.run("DROP TABLE t")
        let events = try watch.poll().map { "\($0.change) \($0.table) \($0.key)" }
        #expect(
            Set(events) == [
                "inserted u [StorageToolKit.Cell.integer(7)]", "deleted t [StorageToolKit.Cell.integer(1)]",
            ])
    }

    @Test(arguments: [false, true]) func itEndsWhenTheFileGoes(isReplaced: Bool) async throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        let other = try folder.database("b.sqlite", "CREATE TABLE t (a)")
        let watch = try RunningProgram("watch", path)
        _ = try await watch.lines(1)
        if isReplaced {
            try #require(rename(other, path) == 0)
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try await watch.lines(1) == ["storagekit: \(path) was removed or replaced"])
        #expect(await watch.end() == 75)
    }

    /// What an app that is killed in the middle of a write leaves behind.
    @Test func aWriterThatCrashesEndsNothing() throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: [])
        try folder.copyWrite(to: path, as: "crashed.sqlite")
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: try folder.bytes("crashed.sqlite"))
        try folder.bytes("crashed.sqlite-journal").write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(try watch.poll().isEmpty)
        // It is started again.
        let writer = try Connection(path, .write)
        try writer.run("INSERT INTO t VALUES (1)")
        #expect(try watch.poll().count == 10)
    }

    @Test func theReadOfATableCanBeStopped() throws {
        struct Stop: Error {}
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        let connection = try DatabaseFile(path).follow()
        #expect(throws: Stop.self) { try FileWatch(connection, tables: [], check: { throw Stop() }) }
    }

    #if os(Linux)
    @Test func aSecondInterruptEndsAProgramWhoseOutputNobodyReads() async throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a)")
        let process = Process()
        process.executableURL = try BuiltProgram.url("storagekit")
        process.arguments = ["watch", path]
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        try process.run()
        #expect(!error.fileHandleForReading.availableData.isEmpty)
        try Connection(path, .write).run(
            "INSERT INTO t WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i FROM n"
        )
        // FIONREAD, which Swift does not import: the pipe is full.
        var waiting: Int32 = 0
        while waiting < 1 << 16 && !Task.isCancelled {
            try #require(ioctl(output.fileHandleForReading.fileDescriptor, 0x541B, &waiting) == 0)
            await Task.yield()
        }
        while process.isRunning && !Task.isCancelled {
            process.interrupt()
            await Task.yield()
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationStatus == ExitStatus.interrupted.rawValue)
    }
    #endif

    /// Keys of many kinds, changed at random, against a dictionary.
    @Test(arguments: 0..<6)
    func everyChangeIsSeenOnce(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let path = try folder.database("a.sqlite", "CREATE TABLE t (k TEXT PRIMARY KEY, v)")
        let keys: [Cell] = [.text("a"), .text("b\0c"), .null, .text(""), .text("é"), .text("e\u{301}")]
        var watch = try FileWatch(try DatabaseFile(path).follow(), tables: ["t"])
        let writer = try Connection(path, .write)
        var known: [TableSnapshot.Key: Cell] = [:]
        for _ in 0..<60 {
            let before = known
            try writer.transaction {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let key = keys.randomElement(using: &random) ?? .null
                    if Bool.random(using: &random) {
                        let value = Cell.integer(Int64.random(in: 0..<3, using: &random))
                        _ = try writer.rows("INSERT OR REPLACE INTO t VALUES (?, ?)", [key, value])
                    } else {
                        _ = try writer.rows("DELETE FROM t WHERE k IS ?", [key])
                    }
                }
            }
            known = [:]
            for row in try writer.rows("SELECT k, rowid, v FROM t") {
                known[row[0] == .null ? [row[0], row[1]] : [row[0]]] = row[2]
            }
            // Cells and no strings, which take "é" and "e\u{301}" for one.
            var expected: Set<[Cell]> = []
            for (key, value) in known where before[key] != value {
                expected.insert([.text(before[key] == nil ? "inserted" : "updated")] + key)
            }
            for key in before.keys where known[key] == nil { expected.insert([.text("deleted")] + key) }
            let events = try watch.poll().map { [.text($0.change.rawValue)] + $0.key }
            #expect(Set(events) == expected)
            #expect(events.count == expected.count)
        }
    }
}
