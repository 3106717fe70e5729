import StorageKit
import StorageTestSupport

/// `cut-power FOLDER WORKLOAD OFF|NORMAL|FULL all|beginning SEED RUNS CUTS`: works with so many stores, whose SQLite syncs so
/// much, on a disk that forgets, and looks at so many losses of power in each. Says `cut SEED CALL OF-CALLS WHAT` for each,
/// `wrong ...` for what was promised and is not so, and `done CUTS ACKNOWLEDGED LOST UNACKNOWLEDGED CALLS`.
struct CutPowerCommand {
    private let folder: URL
    private let kind: PowerWorkload.Kind
    private let synchronous: String
    private let promise: PowerPromise
    private let seed: UInt64
    private let runs: Int
    private let cutsPerRun: Int

    init(_ arguments: [String]) throws {
        guard arguments.count == 7, let kind = PowerWorkload.Kind(rawValue: arguments[1]),
            let promise = PowerPromise(rawValue: arguments[3]), let seed = UInt64(arguments[4]),
            let runs = Int(arguments[5]), let cuts = Int(arguments[6])
        else {
            throw UsageError(message: "cut-power FOLDER WORKLOAD OFF|NORMAL|FULL all|beginning SEED RUNS CUTS")
        }
        folder = URL(fileURLWithPath: arguments[0])
        self.kind = kind
        synchronous = arguments[2]
        self.promise = promise
        self.seed = seed
        self.runs = runs
        cutsPerRun = cuts
    }

    func run() async throws {
        try UnsyncedDisk.install()
        let original = try await makeOriginal()
        var total = PowerPromise.Verdict()
        var calls = 0
        for number in 0..<runs {
            let seed = seed &+ UInt64(number)
            let workload = PowerWorkload(kind, seed: seed)
            let (pictures, events) = try await record(workload, seed, original)
            calls += pictures.count
            for call in numbers(below: pictures.count, seed) {
                say("cut \(seed) \(call) \(pictures.count) \(pictures[call].call)")
                let cut = PowerCut(
                    workload: workload, picture: pictures[call], events: events.prefix(pictures[call].mark),
                    promise: promise, pool: pool)
                let verdict = try await look(at: cut, seed: seed &+ UInt64(call))
                for mistake in verdict.mistakes { say("wrong at \(seed) \(call), \(pictures[call].call): \(mistake)") }
                total.add(verdict)
            }
        }
        say("done \(runs * cutsPerRun) \(total.acknowledged) \(total.lost) \(total.unacknowledged) \(calls)")
    }

    private func numbers(below count: Int, _ seed: UInt64) -> [Int] {
        var generator = SeededGenerator(seed: seed)
        return (0..<cutsPerRun).map { _ in Int.random(in: 0..<count, using: &generator) }
    }

    /// Each run on a copy of its own, every second one with a log that the last process left.
    private func record(
        _ workload: PowerWorkload, _ seed: UInt64, _ original: URL
    ) async throws -> ([UnsyncedDisk.Picture], [WorkLog.Event]) {
        let place = try emptyFolder("run-\(seed)")
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appendingPathComponent("store.sqlite")
        if kind != .new { try copy(original, to: file, withLog: seed % 2 == 1) }
        let log = WorkLog()
        UnsyncedDisk.begin(in: place) { log.count }
        let context = try await workload.run(at: file, pool, log)
        let pictures = UnsyncedDisk.end()
        try await context?.close()
        return (pictures, log.events)
    }

    private func look(at cut: PowerCut, seed: UInt64) async throws -> PowerPromise.Verdict {
        let place = try emptyFolder("cut-\(seed)")
        defer { try? FileManager.default.removeItem(at: place) }
        return await cut.look(in: place, seed: seed)
    }

    private var pool: PoolOptions {
        var pragmas = PoolOptions.Preset.default.pragmas + ["PRAGMA synchronous = \(synchronous)"]
        // So few pages that the log is copied and begun anew every few transactions.
        if kind == .checkpoints { pragmas.append("PRAGMA wal_autocheckpoint = 40") }
        return PoolOptions(preset: .init(pragmas: pragmas), configure: { $0.busyMode = .timeout(60) })
    }

    private func makeOriginal() async throws -> URL {
        let open = try emptyFolder("open").appendingPathComponent("store.sqlite")
        let original = try emptyFolder("original").appendingPathComponent("store.sqlite")
        try await MusicRows.onDisk.write(to: open)
        let context = try Music.start(at: open)
        for album in MusicRows.onDisk.albums.values { try await context.facade.save(album) }
        await context.stores.settle()
        try copy(open, to: original, withLog: true)
        try await context.close()
        return original
    }

    /// Each with a name of its own: the last connection of a store that was closed may be gone a moment later than that.
    private func emptyFolder(_ name: String) throws -> URL {
        let place = folder.appendingPathComponent(name)
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place
    }

    private func copy(_ file: URL, to target: URL, withLog: Bool) throws {
        for suffix in withLog ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: target.path + suffix)
        }
    }
}
