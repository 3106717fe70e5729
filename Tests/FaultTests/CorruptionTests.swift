import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Uses stores whose bytes were changed while nobody had them open. Each call works or throws a typed error; none traps,
/// hangs, or returns other entities than SQLite alone reads there.
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
        let counts = Mutex(Counts())
        let filesPerProcess = 20
        // The runner hands out seeds that follow each other; each process takes as many as it has files.
        try await runOnStores(quick: 60, full: 10_000, programsPerStore: filesPerProcess) { seed in
            var next = seed &* 1_000
            let end = next &+ UInt64(filesPerProcess)
            while next < end {
                next = try await useFiles(from: next, to: end, original, folder, counts)
            }
        }
        let all = counts.withLock { $0 }
        reportFaults(
            "corruption",
            "\(all.files.grouped) damaged files, \(all.neverOpened.grouped) refused at the start, "
                + "\(all.worked.grouped) calls worked, \(all.threw.grouped) threw a typed error, \(all.wrong) were wrong, "
                + "\(all.ended) traps or hangs")
        #expect(all.threw > 0 && all.worked > 0)
    }

    /// Has one process use files until it is done or dies.
    ///
    /// - Returns: The seed that comes after the last one used.
    private func useFiles(
        from first: UInt64, to end: UInt64, _ original: URL, _ folder: TemporaryFolder,
        _ counts: borrowing Mutex<Counts>
    ) async throws -> UInt64 {
        let child = try ChildProcess(
            "open-damaged", original.path, folder.url.appendingPathComponent("\(first)").path, "\(first)",
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
        await context.tiers.settle()
        let original = folder.file("original.sqlite")
        for suffix in ["", "-wal"] {
            let copied = try ShellCommand.run(["cp", open.path + suffix, original.path + suffix])
            try #require(copied.succeeded, "\(copied.output)")
        }
        try await context.close()
        return original
    }
}
