import StorageKit
import StorageTestSupport

/// `damage-open FILE FOLDER FIRST-SEED COUNT`: uses so many copies of a store, each damaged by the next seed again and again
/// while it is open. Says `file SEED` before each, `damage WHAT`, `wrong ...` for what should not be, and `used WORKED THREW`
/// after it.
struct DamageOpenCommand {
    /// How often each is damaged.
    private static let rounds = 4

    private let original: URL
    private let folder: URL
    private let seeds: Range<UInt64>

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
            throw UsageError(message: "damage-open FILE FOLDER FIRST-SEED COUNT")
        }
        original = URL(fileURLWithPath: arguments[0])
        folder = URL(fileURLWithPath: arguments[1])
        seeds = first..<first + count
    }

    func run() async throws {
        for seed in seeds {
            let place = folder.appendingPathComponent("\(seed)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: place) }
            let file = place.appendingPathComponent("a.sqlite")
            try FileManager.default.copyItem(at: original, to: file)
            say("file \(seed)")
            try await use(file, seed: seed)
        }
        say("done")
    }

    private func use(_ file: URL, seed: UInt64) async throws {
        var store = try await StoreDamagedWhileOpen(file: file)
        let damage = LiveDamage(file: file, seed: seed)
        for _ in 0..<Self.rounds {
            say("damage \(damage.apply())")
            await store.useEverything()
        }
        await store.close()
        for mistake in store.mistakes { say("wrong with \(seed): \(mistake)") }
        say("used \(store.worked) \(store.threw)")
        // Until here the files of the damage are open.
        withExtendedLifetime(damage) {}
    }
}
