import StorageKit
import StorageTestSupport

/// Writes over the files of a store that is open, by a seed, as a stray program would.
///
/// It only writes over bytes that are there. SQLite has the index of the log mapped into memory, and the system ends a process
/// that reads of such a file what was cut off: no store can do anything about that.
final class LiveDamage {
    private struct Target {
        let name: String
        let descriptor: Int32
    }

    private let targets: [Target]
    private var generator: SeededGenerator

    /// - Parameter file: That of a store that is open, and stays so as long as this is used. The files are closed with it: to
    ///   close one earlier would drop the locks that SQLite has on it in this process.
    init(file: URL, seed: UInt64) {
        targets = [("file", ""), ("log", "-wal"), ("index", "-shm")].map { name, suffix in
            Target(name: name, descriptor: open(file.path + suffix, O_RDWR | O_CLOEXEC))
        }
        generator = SeededGenerator(seed: seed)
    }

    deinit {
        for target in targets where target.descriptor >= 0 { close(target.descriptor) }
    }

    /// - Returns: What was done.
    func apply() -> String {
        guard let target = targets.filter({ size(of: $0) > 0 }).randomElement(using: &generator) else {
            return "nothing"
        }
        let range = randomRange(in: size(of: target))
        let isZero = Int.random(in: 0..<4, using: &generator) == 0
        let bytes = isZero ? [UInt8](repeating: 0, count: range.count) : .noise(range.count, using: &generator)
        _ = pwrite(target.descriptor, bytes, bytes.count, off_t(range.lowerBound))
        return "\(target.name): \(isZero ? "zeros" : "noise") in \(range)"
    }

    /// The beginning, which says how to read the rest; some bytes anywhere; or pages.
    private func randomRange(in size: Int) -> Range<Int> {
        let page = 4096
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            let start = Int.random(in: 0..<136, using: &generator)
            return start..<min(size, start + Int.random(in: 1...64, using: &generator))
        case 1:
            let start = Int.random(in: 0..<size, using: &generator)
            return start..<min(size, start + Int.random(in: 1...64, using: &generator))
        default:
            let start = Int.random(in: 0..<max(1, size / page), using: &generator) * page
            return start..<min(size, start + page * Int.random(in: 1...4, using: &generator))
        }
    }

    private func size(of target: Target) -> Int {
        var facts = stat()
        return fstat(target.descriptor, &facts) == 0 ? Int(facts.st_size) : 0
    }
}
