import StorageKit
import StorageTestSupport

/// `open-damaged FILE FOLDER FIRST-SEED COUNT`: damages so many copies of a store, each by the next seed, and uses it. Says
/// `file SEED DAMAGE` before each, `wrong ...` for what should not be, and `used WORKED THREW` after it.
struct OpenDamagedCommand {
    private let original: URL
    private let folder: URL
    private let seeds: Range<UInt64>

    init(_ arguments: [String]) throws {
        guard arguments.count == 4, let first = UInt64(arguments[2]), let count = UInt64(arguments[3]) else {
            throw UsageError(message: "open-damaged FILE FOLDER FIRST-SEED COUNT")
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
            try copy(original, to: file)
            var damage = Damage(seed: seed)
            say("file \(seed) \(try damage.apply(to: file))")

            var use = DamagedStore(file: file, isUpgrading: seed % 2 == 0)
            await use.useEverything()
            for mistake in use.mistakes { say("wrong with \(seed): \(mistake)") }
            say("used \(use.worked) \(use.threw)")
        }
        say("done")
    }

    private func copy(_ file: URL, to target: URL) throws {
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: target.path + suffix)
        }
    }
}
