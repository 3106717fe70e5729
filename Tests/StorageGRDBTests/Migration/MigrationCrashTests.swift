import StorageKit
import StorageTestSupport
import Testing

/// Kills a process that upgrades a file, at many points, and looks at what it left.
@Suite(.timeLimit(.minutes(20))) struct MigrationCrashTests {
    private let folder: TemporaryFolder
    private let old: URL
    private let before: DatabaseDump
    private let after: DatabaseDump
    private let uninterrupted: Uninterrupted

    /// How the process is ended.
    private enum Fault {
        /// From outside, this long after it began.
        case delay(Duration)
        /// By itself, at that step of SQLite's work.
        case step(Int)
        /// By itself, before a statement that begins so.
        case statement(String)
        /// By the system, in the middle of the write that makes a file this large.
        case fileSize(Int)
    }

    /// Where in its upgrade the process was when it ended.
    private enum Place: Hashable {
        case beforeIt, withinIt, afterIt
    }

    init() async throws {
        folder = try TemporaryFolder()
        old = folder.file("old.sqlite")
        try Library.make(at: old, books: 1000)
        before = try DatabaseDump(of: old)
        let new = try MigrationCrashTests.copy(old, to: folder.file("new.sqlite"))
        uninterrupted = try await Uninterrupted(upgrading: new)
        after = try DatabaseDump(of: new)
        try #require(before != after)
    }

    @Test func aProcessKilledAtAnyPointLeavesTheOldFileOrTheNewOne() async throws {
        var generator = SeededGenerator()
        var places: [Place: Int] = [:]
        let count = programCount(quick: 12, full: 200)
        for number in 0..<count {
            let fault = randomFault(number, using: &generator)
            let comment: Comment = "seed \(generator.seed), kill \(number): \(fault)"
            places[try await killAndLook(fault, comment), default: 0] += 1
        }
        let summary: Comment = "seed \(generator.seed), of \(count) kills: \(places)"
        #expect(places[.withinIt, default: 0] > 0, summary)
        #expect(places.values.reduce(0, +) == count, summary)
        let counts = [Place.beforeIt, .withinIt, .afterIt].map { places[$0, default: 0] }
        reportFaults(
            "crash in migrations",
            "\(count) kills: \(counts[0]) before, \(counts[1]) within and \(counts[2]) after the upgrade")
    }

    @Test func aProcessKilledBeforeAnyKindOfStatementLeavesTheOldFile() async throws {
        for statement in LibrarySchema.declaredSteps {
            let place = try await killAndLook(.statement(statement), "killed before \(statement)")
            #expect(place != .afterIt, "\(statement)")
        }
    }

    private func randomFault(_ number: Int, using generator: inout SeededGenerator) -> Fault {
        switch number % 4 {
        case 0, 1: .delay(uninterrupted.length * Double.random(in: 0...1, using: &generator))
        case 2: .step(Int.random(in: 1...uninterrupted.steps, using: &generator))
        default: .fileSize(Int.random(in: 40_000...uninterrupted.largestLog, using: &generator))
        }
    }

    private func killAndLook(_ fault: Fault, _ comment: Comment) async throws -> Place {
        let run = try TemporaryFolder()
        let file = try MigrationCrashTests.copy(old, to: run.file())
        let place = try await upgrade(file, endedBy: fault)

        // A copy is opened first, so that the start below finds the file just as the crash left it.
        let copy = try MigrationCrashTests.copy(file, to: run.file("copy.sqlite"))
        #expect(try Library.integrity(of: copy) == ["ok"], comment)
        let found = try DatabaseDump(of: copy)
        #expect(found == before || found == after, "half of it: \(found.firstDifference(from: before)); \(comment)")

        try Library.upgrade(file, to: .new)
        #expect(try Library.integrity(of: file) == ["ok"], comment)
        #expect(try Library.runs(in: file) == LibrarySchema.runsOfAnUpgrade, comment)
        let end = try DatabaseDump(of: file)
        #expect(end == after, "\(end.firstDifference(from: after)); \(comment)")
        return place
    }

    private func upgrade(_ file: URL, endedBy fault: Fault) async throws -> Place {
        let child =
            switch fault {
            case .delay: try ChildProcess("start", file.path, "new", "--trace")
            case .step(let step): try ChildProcess("start", file.path, "new", "--trace", "--kill-after", "\(step)")
            case .statement(let sql): try ChildProcess("start", file.path, "new", "--trace", "--kill-at", sql)
            case .fileSize(let size): try ChildProcess("start", file.path, "new", "--trace", "--die-at-size", "\(size)")
            }
        try await child.line("ready")
        try child.send("go")
        try await child.line("begin")
        if case .delay(let delay) = fault {
            // The delay is the fault, and nothing waits for what happens meanwhile.
            try await Task.sleep(for: delay)
            child.kill()
        }
        let exit = try await child.exit()
        if case .statement = fault { #expect(exit == .signal(SIGKILL)) }
        return place(after: child.said)
    }

    private func place(after said: [String]) -> Place {
        if said.contains("done") { return .afterIt }
        let changes = ["INSERT", "UPDATE", "CREATE", "ALTER", "DROP"].map { "sql: \($0)" }
        let hasChanged = said.contains { line in
            // GRDB makes and drops a table of this name to be sure that there is a log.
            changes.contains { line.hasPrefix($0) } && !line.contains("grdb_issue_102")
        }
        return hasChanged ? .withinIt : .beforeIt
    }

    @discardableResult
    private static func copy(_ file: URL, to target: URL) throws -> URL {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: target.path + suffix)
        }
        return target
    }
}

/// What an upgrade takes that nobody disturbs.
private struct Uninterrupted {
    let length: Duration
    let steps: Int
    let largestLog: Int

    init(upgrading file: URL) async throws {
        let child = try ChildProcess("start", file.path, "new", "--trace", "--count")
        try await child.line("ready")
        try child.send("go")
        try await child.line("begin")
        let start = ContinuousClock.now
        steps = try #require(Int(try await child.line("steps: ")))
        try await child.line("done")
        length = ContinuousClock.now - start
        #expect(try await child.exit() == .code(0))
        largestLog = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    }
}
