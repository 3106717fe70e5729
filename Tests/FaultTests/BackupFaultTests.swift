import StorageKit
import StorageTestSupport
import Testing

/// Copies of a store that are made, and put back, while the disk fills, the process dies or another one starts: the store is as it
/// was or as it was to be, and a file that bears the name of a copy is a whole one.
@Suite(.timeLimit(.minutes(20))) struct BackupFaultTests {
    private let folder: TemporaryFolder
    private let old: DatabaseDump
    private let new: DatabaseDump
    private var file: URL { folder.file() }

    private static let books = 3000

    init() throws {
        folder = try TemporaryFolder()
        try Library.make(at: folder.file(), books: Self.books)
        old = try DatabaseDump(of: folder.file())
        let upgraded = folder.file("upgraded")
        try FileManager.default.copyItem(at: folder.file(), to: upgraded)
        try Library.upgrade(upgraded, to: .new)
        new = try DatabaseDump(of: upgraded)
    }

    /// Runs a second process to its end.
    private func run(_ arguments: String...) async throws -> (exit: ChildProcess.Exit, said: [String]) {
        try await run(arguments)
    }

    private func run(_ arguments: [String]) async throws -> (exit: ChildProcess.Exit, said: [String]) {
        let child = try ChildProcess(arguments)
        try await child.line("ready")
        try child.send("go")
        return (try await child.exit(), child.said)
    }

    /// Looks at the copies, and has the start that was disturbed done again.
    private func expectAllIsWell(_ comment: Comment) throws {
        for copy in try StorageKit.backups(of: file) {
            let dump = try DatabaseDump(of: copy.url)
            #expect(dump == old || dump == new, comment)
        }
        #expect(try Library.integrity(of: file) == ["ok"], comment)
        let found = try DatabaseDump(of: file)
        #expect(found == old || found == new, comment)
        try Library.start(at: file, .new, safety: .backup(keeping: 2)).storage.pool.close()
        #expect(try DatabaseDump(of: file) == new, comment)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }

    // MARK: - Making copies

    /// How many calls write to the disk when nothing goes wrong.
    private func writes(_ arguments: String...) async throws -> Int {
        let other = try TemporaryFolder()
        for name in try names() {
            try FileManager.default.copyItem(at: folder.file(name), to: other.file(name))
        }
        let command = [arguments[0], other.file().path] + arguments[1...]
        let (exit, said) = try await run(command)
        #expect(exit == .code(0), "\(said)")
        return try #require(said.first { $0.hasPrefix("writes: ") }.flatMap { Int($0.dropFirst(8)) })
    }

    @Test func aDiskWithoutRoomForTheCopyIsToldAndLeavesTheFileAsItWas() async throws {
        // GRDB writes a few pages when it opens the file.
        for number in [20, 60] {
            let (exit, said) = try await run("start", file.path, "new", "--keep", "2", "--full-at-write", "\(number)")
            #expect(exit == .code(2))
            #expect(said.contains("failed: migrationFailed backup"), "\(said)")
            #expect(said.contains { $0.contains("no backup was made") && $0.contains("free some space") }, "\(said)")
            #expect(try DatabaseDump(of: file) == old)
            #expect(try StorageKit.backups(of: file).isEmpty)
        }
        try expectAllIsWell("full")
    }

    @Test func aStartThatIsKilledWhileItCopiesOrChangesLeavesTheOldFileOrTheNewOneAndNoHalfCopy() async throws {
        var generator = SeededGenerator()
        let all = try await writes("start", "new", "--keep", "2", "--count-writes")
        var (within, after) = (0, 0)
        let count = programCount(quick: 6, full: 200)
        for number in 0..<count {
            let run = try BackupFaultTests()
            // Evenly spread, so that no stretch is left out. The first dies in the copy, which takes a seventh of all writes.
            let range = number == 0 ? 0..<all / 10 : all * number / count..<all * (number + 1) / count
            let write = Int.random(in: range, using: &generator)
            let comment: Comment = "seed \(generator.seed), kill \(number) at write \(write)"
            let (exit, said) = try await run.run(
                "start", run.file.path, "new", "--keep", "2", "--die-at-write", "\(write)")
            #expect(exit == .signal(SIGKILL), "\(comment): \(said)")
            let copies = try StorageKit.backups(of: run.file)
            #expect(copies.count <= 1, comment)
            if copies.isEmpty { within += 1 } else { after += 1 }
            try run.expectAllIsWell(comment)
            #expect(try !run.names().contains { $0.contains(".partial") }, comment)
            let copy = try StorageKit.backups(of: run.file)
            #expect(copy.count == 1, comment)
            #expect(try DatabaseDump(of: #require(copy.first).url) == old, comment)
        }
        #expect(within > 0 && after > 0, "seed \(generator.seed)")
        reportFaults(
            "crash in a start with a copy",
            "\(count) kills: \(within) before there was a copy, \(after) between its renaming and the end")
    }

    @Test func processesThatStartAtOnceMakeOneCopy() async throws {
        for round in 0..<programCount(quick: 1, full: 30) {
            let file = folder.file("together-\(round)")
            try FileManager.default.copyItem(at: self.file, to: file)
            let children = try (0..<3).map { _ in try ChildProcess("start", file.path, "new", "--keep", "2") }
            for child in children { try await child.line("ready") }
            for child in children { try child.send("go") }
            for child in children { #expect(try await child.exit() == .code(0), "\(child.said)") }
            #expect(try DatabaseDump(of: file) == new)
            let copies = try StorageKit.backups(of: file)
            #expect(copies.count == 1)
            #expect(try DatabaseDump(of: copies[0].url) == old)
        }
    }

    // MARK: - Putting copies back

    @Test func aRestoreThatIsKilledLeavesTheStoreAsItWasOrAsItWasToBe() async throws {
        try Library.start(at: file, .new, safety: .backup(keeping: 2)).storage.pool.close()
        var generator = SeededGenerator()
        let all = try await writes("restore", "--count-writes", "1")
        let count = programCount(quick: 5, full: 200)
        var restored = 0
        for number in 0..<count {
            let write = (all * number + Int.random(in: 0..<all, using: &generator)) / count
            let comment: Comment = "seed \(generator.seed), kill \(number) at write \(write)"
            let (exit, said) = try await run("restore", file.path, "--die-at-write", "\(write)")
            #expect(exit == .signal(SIGKILL), "\(comment): \(said)")
            #expect(try Library.integrity(of: file) == ["ok"], comment)
            let found = try DatabaseDump(of: file)
            if found == old {
                restored += 1
            } else {
                #expect(found == new, comment)
            }
            try expectAllIsWell(comment)
        }
        reportFaults(
            "crash in a restore",
            "\(count) kills: \(count - restored) left the store as it was, \(restored) as it was to be")
    }

    @Test func aRestoreThatTheDiskHasNoRoomForLeavesTheStoreAsItWas() async throws {
        try Library.start(at: file, .new, safety: .backup(keeping: 2)).storage.pool.close()
        let all = try await writes("restore", "--count-writes", "1")
        let copies = try StorageKit.backups(of: file)
        for part in 0..<4 {
            let (exit, said) = try await run("restore", file.path, "--full-at-write", "\(all * part / 5)")
            #expect(exit == .code(2), "\(said)")
            #expect(said.contains { $0.hasPrefix("failed: ") && $0.contains("free some space") }, "\(said)")
            #expect(try DatabaseDump(of: file) == new)
            #expect(try StorageKit.backups(of: file) == copies)
        }
        try expectAllIsWell("full")
    }

    @Test func aRestoreBringsBackWhatACopyHasWhileOthersWrite() async throws {
        try Library.start(at: file, .new, safety: .backup(keeping: 2)).storage.pool.close()
        let copy = try #require(try StorageKit.backups(of: file).last)
        let writer = try ChildProcess("run-sql", file.path)
        try await writer.line("ready")
        for round in 0..<5 {
            try writer.send("UPDATE books SET pages = \(round)")
            let kept = try #require(try await StorageKit.restore(copy))
            try await writer.line("done")
            // The update came before, and is in what was kept, or after it.
            #expect(try Library.integrity(of: kept.url) == ["ok"])
            #expect(try Library.integrity(of: file) == ["ok"])
        }
    }
}
