import StorageKit
import StorageTestSupport
import Testing

/// Many tasks use one store, and another process gets in their way.
@Suite(.timeLimit(.minutes(30))) struct ContentionTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file() }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aMixedLoadLosesNoUpdateAndComesToItsEndWithABoundedLogAndMemory() async throws {
        try await makeStore()
        let generator = SeededGenerator()
        let comment: Comment = "seed \(generator.seed)"
        let disturber = try ChildProcess("disturb", file.path)
        try await disturber.line("ready")
        // In CI it ends after so many operations; in full after ten minutes.
        let operations = programCount(quick: 2_000, full: 1_000_000_000)
        let load = try ChildProcess("mixed-load", file.path, "\(generator.seed)", "64", "\(operations)", "600")
        try await load.line("ready")
        // A load that does not end is a deadlock. It ends when its ten minutes and the look at what it left are over.
        let done = Int(try await load.line("operations ", within: .seconds(600) + .patience))
        disturber.closeInput()
        let increments = try #require(Int(try await disturber.line("increments ")))
        try await disturber.exit()
        load.closeInput()
        #expect(try await load.exit() == .code(0), "\(load.said.suffix(2))")

        let wrong = load.lines("wrong ")
        #expect(wrong.isEmpty, "\(comment): \(wrong.count): \(wrong.prefix(3))")
        let own = try figure("increments", load)
        let counted = try #require(try await counter())
        #expect(counted == own + increments, comment)
        let (log, memory) = (try figure("log", load), try figure("memory-late", load) - figure("memory-early", load))
        // What is written while the other process reads old states; in full that goes on for ten minutes.
        #expect(log < programCount(quick: 64_000_000, full: 128_000_000), comment)
        #expect(try figure("log-after", load) == 0, comment)
        #expect(memory < 48_000, "kilobytes; \(comment)")
        let cancelled = try figure("cancelled", load)
        #expect(own > 0 && increments > 0 && cancelled > 0, comment)
        reportFaults(
            "contention",
            "\((done ?? 0).grouped) operations of 64 tasks, \((own + increments).grouped) increments of two processes, "
                + "\(own + increments - counted) lost, \(cancelled.grouped) batches cancelled, \(wrong.count) results wrong, log of \(log / 1_000_000) MB at most, "
                + "memory \(memory / 1000) MB more at the end than after a quarter")
    }

    @Test func theLogDoesNotGrowOnceALongReaderIsGone() async throws {
        try await makeStore()
        let context = try Music.start(at: file)
        let reader = try ChildProcess("hold-lock", file.path, "read")
        try await reader.line("locked")
        try await saveMuch(in: context, version: 1)
        let starved = logSize
        // The log could not be used again from its beginning.
        #expect(starved > 6_000_000)
        reader.closeInput()
        try await reader.exit()
        for version in 2...4 { try await saveMuch(in: context, version: version) }
        #expect(logSize < starved + 6_000_000)
        try await context.close()
    }

    @Test func callsThatWaitForALockAndAreCancelledSaySoAndDoNothing() async throws {
        try await makeStore(.onDisk)
        let waits = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let pool = PoolOptions(configure: { configuration in
            configuration.busyMode = .callback { _ in
                waits.continuation.yield()
                // As SQLite's own way of waiting does.
                Thread.sleep(forTimeInterval: 0.001)
                return true
            }
        })
        let context = try Music.start(at: file, pool: pool)
        let before = try await MusicRows(in: context.facade)
        let holder = try ChildProcess("hold-lock", file.path, "write")
        try await holder.line("locked")

        let calls = Self.writes.map { write in Task { try await write(context) } }
        var waiting = waits.stream.makeAsyncIterator()
        await waiting.next()
        calls.forEach { $0.cancel() }
        holder.closeInput()
        for (number, call) in calls.enumerated() {
            let error = await thrownError { try await call.value }
            #expect(error is CancellationError, "call \(number): \(String(describing: error))")
        }
        #expect(try await MusicRows(in: context.facade) == before)
        let mistake = try await before.firstMistake(in: context)
        #expect(mistake == nil)
        try await context.close()
    }

    private static let writes: [@Sendable (StorageKit.Context) async throws -> Void] = [
        { try await $0.facade.save(Music.Album("single", version: 1)) },
        { try await $0.facade.save((0..<9).map { Music.Album("batch-\($0)", version: 1) }) },
        { try await $0.facade.delete(Music.Album.self, id: "base-1") },
        { _ = try await $0.facade.deleteAll(Music.Album.self) },
        { _ = try await $0.facade.query(Music.Album.self).where { $0.version > 3 }.deleteAll() },
        { context in
            try await context.storage.dbActor.write { try $0.execute(sql: "DELETE FROM tracks") }
        },
    ]

    private func makeStore(_ rows: MusicRows = MusicRows()) async throws {
        try await rows.write(to: file)
        let context = try Music.start(at: file)
        try await context.storage.dbActor.write { try $0.execute(sql: "INSERT INTO counters VALUES ('shared', 0)") }
        try await context.close()
    }

    private func counter() async throws -> Int? {
        let context = try Music.start(at: file)
        let value = try await context.storage.dbActor.read { db in
            try Row.fetchOne(db, sql: "SELECT value FROM counters")?["value"] as Int?
        }
        try await context.close()
        return value
    }

    private func figure(_ name: String, _ child: ChildProcess) throws -> Int {
        try #require(child.lines("\(name) ").first.flatMap { Int($0) }, "no \(name)")
    }

    /// Some eight megabytes of log, in transactions of a part of one each.
    private func saveMuch(in context: StorageKit.Context, version: Int) async throws {
        for part in 0..<20 {
            let albums = (0..<200).map { number in
                var album = Music.Album("much-\(part * 200 + number)", version: version)
                album.notes = String(repeating: "\(version) ", count: 500)
                return album
            }
            try await context.facade.save(albums)
        }
    }

    private var logSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        return (attributes?[.size] as? Int) ?? 0
    }
}
