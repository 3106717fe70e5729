import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Uses stores whose bytes were changed, by somebody else. Each call works or throws a typed error; none traps or hangs. Where
/// nobody had the files open at the time, none returns other entities than SQLite alone reads there.
@Suite(.timeLimit(.minutes(60))) struct CorruptionTests {
    private struct Counts {
        var files = 0
        var worked = 0
        var threw = 0
        var neverOpened = 0
        var wrong = 0
        var ended = 0
    }

    @Test func aDamagedFileIsReportedOrReadAndNeverTrapsOrHangs() async throws {
        let folder = try TemporaryFolder()
        let original = try await makeOriginal(in: folder)
        let all = try await useFiles(by: "open-damaged", original, folder, quick: 40, full: 10_000)
        report("corruption", all, "damaged files")
        #expect(all.threw > 0 && all.worked > 0)
    }

    @Test func damageWhileTheStoreIsOpenIsReportedOrReadAndNeverTrapsOrHangs() async throws {
        let folder = try TemporaryFolder()
        let original = folder.file("original.sqlite")
        try await MusicRows.toDamage.write(to: original)
        let all = try await useFiles(by: "damage-open", original, folder, quick: 20, full: 2_000)
        report("corruption while open", all, "files damaged four times each")
        #expect(all.threw > 0 && all.worked > 0)
    }

    private func useFiles(
        by command: String, _ original: URL, _ folder: TemporaryFolder, quick: Int, full: Int
    ) async throws -> Counts {
        let counts = Mutex(Counts())
        let filesPerProcess = 20
        // The runner hands out seeds that follow each other; each process takes as many as it has files.
        try await runOnStores(quick: quick, full: full, programsPerStore: filesPerProcess) { seed in
            var next = seed &* 1_000
            let end = next &+ UInt64(filesPerProcess)
            while next < end {
                next = try await useFiles(by: command, from: next, to: end, original, folder, counts)
            }
        }
        return counts.withLock { $0 }
    }

    private func report(_ suite: String, _ all: Counts, _ what: String) {
        reportFaults(
            suite,
            "\(all.files.grouped) \(what), \(all.neverOpened.grouped) refused at the start, "
                + "\(all.worked.grouped) calls worked, \(all.threw.grouped) threw a typed error, \(all.wrong) were wrong, "
                + "\(all.ended) traps or hangs")
    }

    /// Has one process use files until it is done or dies.
    ///
    /// - Returns: The seed that comes after the last one used.
    private func useFiles(
        by command: String, from first: UInt64, to end: UInt64, _ original: URL, _ folder: TemporaryFolder,
        _ counts: borrowing Mutex<Counts>
    ) async throws -> UInt64 {
        let child = try ChildProcess(
            command, original.path, folder.url.appendingPathComponent("\(first)").path, "\(first)",
            "\(end - first)")
        var next = first
        do {
            while next < end {
                try await child.line("file ")
                next += 1
                let used = try await child.line("used ").split(separator: " ").compactMap { Int($0) }
                counts.withLock { counts in
                    counts.files += 1
                    counts.worked += used[0]
                    counts.threw += used[1]
                    counts.neverOpened += used[0] == 0 ? 1 : 0
                }
            }
        } catch {
            counts.withLock { $0.ended += 1 }
            Issue.record("a trap or a hang: \(child.lines("file ").last ?? "no file"); \(error)")
            return next == first ? end : next
        }
        try await child.exit()
        let wrong = child.lines("wrong ")
        counts.withLock { $0.wrong += wrong.count }
        wrong.forEach { Issue.record("\($0)") }
        return next
    }

    /// A closed file with a log that holds a part of the rows.
    private func makeOriginal(in folder: TemporaryFolder) async throws -> URL {
        let open = folder.file("open.sqlite")
        try await MusicRows.toDamage.write(to: open)
        let context = try Music.start(at: open)
        for number in stride(from: 0, to: 400, by: 5) {
            let album = try #require(MusicRows.toDamage.albums["base-\(number)"])
            try await context.facade.save(album)
        }
        await context.stores.settle()
        let original = folder.file("original.sqlite")
        for suffix in ["", "-wal"] {
            let copied = try ShellCommand.run(["cp", open.path + suffix, original.path + suffix])
            try #require(copied.succeeded, "\(copied.output)")
        }
        try await context.close()
        return original
    }
}
