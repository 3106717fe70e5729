import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Uses stores on a disk whose nth write, fsync, truncation or read fails, or whose index of the log cannot be had: each
/// operation succeeds or throws a typed error and changes nothing, and when the disk is well again, so is the store.
@Suite(.timeLimit(.minutes(60))) struct DiskFaultTests {
    struct Fault: Sendable, CustomStringConvertible {
        let name: String
        let call: String
        /// SQLite's.
        let code: Int
        /// How many of the calls fail in CI, each in a run of its own. In the full run every one does.
        var quick = 2
        /// How long the disk fails: at that call, from there on, or for so many calls.
        var lengths = ["once", "lasting"]

        var description: String { name }
    }

    /// How SQLite tells of `ENOSPC` and of `EIO`.
    private static let faults = [
        // Enough to come upon a transaction that SQLite rolls back in the middle of what FTS5 does.
        Fault(name: "full disk", call: "write", code: 13, quick: 12),
        Fault(name: "I/O error on write", call: "write", code: 10 | 3 << 8),
        Fault(name: "I/O error on fsync", call: "sync", code: 10 | 4 << 8),
        Fault(name: "I/O error on truncate", call: "truncate", code: 10 | 6 << 8),
        Fault(name: "I/O error on read", call: "read", code: 10 | 1 << 8),
        Fault(name: "I/O error on mapping the log's index", call: "map", code: 10 | 21 << 8),
        Fault(
            name: "I/O error on locking the log's index", call: "lock", code: 10 | 20 << 8,
            lengths: ["once", "12", "lasting"]),
        Fault(name: "lock of the log's index that others have", call: "lock", code: 5, lengths: ["12", "lasting"]),
    ]

    @Test func aStoreOutlivesEachCallToTheDiskThatFails() async throws {
        let folder = try TemporaryFolder()
        let original = folder.file("original.sqlite")
        try await MusicRows.onDisk.write(to: original)
        let jobs = Self.faults.flatMap { fault in fault.lengths.map { (fault, $0) } }
        let total = Mutex([0, 0, 0, 0])
        // Two at a time.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for half in 0..<2 {
                group.addTask { @Sendable in
                    for (fault, length) in stride(from: half, to: jobs.count, by: 2).map({ jobs[$0] }) {
                        let counts = try await run(fault, length, original, folder)
                        total.withLock { $0 = zip($0, counts).map(+) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = total.withLock { $0 }
        reportFaults(
            "disk",
            "\(all[0].grouped) runs with a fault, \(all[1].grouped) calls failed, \(all[2].grouped) operations threw a "
                + "typed error, \(all[3]) rows or errors wrong")
        #expect(all[2] > 0)
    }

    /// - Returns: How many runs, failed calls, operations that threw, and mistakes there were.
    private func run(
        _ fault: Fault, _ length: String, _ original: URL, _ folder: TemporaryFolder
    ) async throws -> [Int] {
        var generator = SeededGenerator()
        let place = folder.url.appendingPathComponent("\(fault.call)-\(fault.code)-\(length)").path
        let arguments = ["disk-faults", original.path, place, fault.call, "\(fault.code)", length]
        let sample = programCount(quick: fault.quick, full: 0)
        let child = try ChildProcess(arguments + (sample == 0 ? [] : ["\(sample)", "\(generator.next())"]))
        let comment: Comment = "\(fault), \(length), seed \(generator.seed)"
        let calls = try #require(Int(try await child.line("calls ")), comment)
        // A run that ends neither well nor with an error is a store that hangs.
        while try await child.line("").hasPrefix("done") == false {}
        #expect(try await child.exit() == .code(0), "\(comment): \(child.said.suffix(2))")
        let wrong = child.lines("wrong ")
        #expect(wrong.isEmpty, "\(comment): \(wrong.count): \(wrong.prefix(3))")
        let counts = try #require(child.lines("done ").first).split(separator: " ").compactMap { Int($0) }
        if RunLength.current == .full {
            reportFaults(
                "disk", "\(fault), \(length): \(calls) calls, \(counts[0]) runs, \(counts[2]) operations threw")
        }
        return counts + [wrong.count]
    }
}
