import StorageKit
import StorageTestSupport
import Synchronization

/// One loss of power: what it leaves of a store, and whether the next start makes of that what was promised.
struct PowerCut {
    let workload: PowerWorkload
    let picture: UnsyncedDisk.Picture
    /// Those until the power went.
    let events: ArraySlice<WorkLog.Event>
    let promise: PowerPromise
    let pool: PoolOptions

    /// Makes the files that are left, in a folder that is empty, and opens and uses the store. In some cases the power goes
    /// again meanwhile; in others the store is opened twice.
    func look(in folder: URL, seed: UInt64) async -> PowerPromise.Verdict {
        var generator = SeededGenerator(seed: seed)
        do {
            let file = folder.appendingPathComponent("store.sqlite")
            try writeFiles(beside: file, using: &generator)
            switch seed % 4 {
            case 0:
                var verdict = try await judge(file)
                verdict.mistakes += try await lookAgain(at: file)
                return verdict
            case 1: return try await cutAgain(file, using: &generator)
            default: return try await judge(file)
            }
        } catch {
            return PowerPromise.Verdict(mistakes: ["\(error)"])
        }
    }

    /// Whenever the power goes while the store is looked at, the same is promised of what is left then.
    private func cutAgain(_ file: URL, using generator: inout SeededGenerator) async throws -> PowerPromise.Verdict {
        let folder = file.deletingLastPathComponent()
        UnsyncedDisk.begin(in: folder) { 0 }
        let verdict: PowerPromise.Verdict
        do {
            verdict = try await judge(file)
        } catch {
            _ = UnsyncedDisk.end()
            throw error
        }
        guard let picture = UnsyncedDisk.end().randomElement(using: &generator) else { return verdict }
        let second = PowerCut(workload: workload, picture: picture, events: events, promise: promise, pool: pool)
        let place = folder.appendingPathComponent("again")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try second.writeFiles(beside: place.appendingPathComponent("store.sqlite"), using: &generator)
        let found = try await second.judge(place.appendingPathComponent("store.sqlite"))
        return PowerPromise.Verdict(
            mistakes: verdict.mistakes + found.mistakes.map { "again, at \(picture.call): \($0)" },
            acknowledged: found.acknowledged, lost: found.lost, unacknowledged: found.unacknowledged)
    }

    /// The index of the log is memory that a file lends its name to: it is gone, or holds anything.
    private func writeFiles(beside file: URL, using generator: inout SeededGenerator) throws {
        let folder = file.deletingLastPathComponent()
        for (name, bytes) in picture.platter.afterPowerLoss(using: &generator) {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
        guard Bool.random(using: &generator) else { return }
        try Data([UInt8].noise(32_768, using: &generator)).write(to: URL(fileURLWithPath: file.path + "-shm"))
    }

    /// The store opens, has what was promised, in its tables, caches and indexes, and is one to work with.
    private func judge(_ file: URL) async throws -> PowerPromise.Verdict {
        let migrations = Atomic(0)
        let errors = ErrorLog()
        let context = try Music.start(
            at: file, upgrading: workload.kind == .upgrade, pool: pool, onError: errors.handler,
            onUpgrade: { migrations.add(1, ordering: .relaxed) })
        // First, since a stream of a damaged table has no value to wait for.
        let report = try await context.checkIntegrity()
        guard report.isIntact else { return PowerPromise.Verdict(mistakes: ["integrity: \(report)"]) }
        let rows = try await MusicRows(in: context.facade)
        // The save that ends such a look, should the power have gone again after it.
        var older = rows
        older.delete(album: Self.last.id)
        var verdict = promise.judge(
            older, of: workload, after: events, migratesAgain: migrations.load(ordering: .relaxed) > 0)
        if let mistake = try await rows.firstMistake(in: context) { verdict.mistakes.append(mistake) }
        try await context.facade.save(Self.last)
        let found = try await context.facade.get(Music.Album.self, id: Self.last.id)
        if found != Self.last { verdict.mistakes.append("get did not return what was saved afterwards") }
        if !errors.cases.isEmpty { verdict.mistakes.append("reported \(errors.cases)") }
        try await context.close()
        return verdict
    }

    /// The next start after that finds all as it was left.
    private func lookAgain(at file: URL) async throws -> [String] {
        let context = try Music.start(at: file, upgrading: workload.kind == .upgrade, pool: pool)
        let rows = try await MusicRows(in: context.facade)
        var mistakes = try await rows.firstMistake(in: context).map { ["in the second start: \($0)"] } ?? []
        if rows.albums[Self.last.id] != Self.last { mistakes.append("the second start has lost the last save") }
        try await context.close()
        return mistakes
    }

    private static let last = Music.Album("after the power came back", version: 7)
}
