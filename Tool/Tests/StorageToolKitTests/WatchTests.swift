import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite(.timeLimit(.minutes(2))) struct WatchTests {
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
