import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Cuts the power of stores whose disk forgets, tears and reorders what was not synced, and looks at what the next start makes
/// of the files.
@Suite(.timeLimit(.minutes(30))) struct PowerLossTests {
    fileprivate struct Counts {
        var cuts = 0
        var acknowledged = 0
        var lost = 0
        var unacknowledged = 0
        var wrong: [String] = []
    }

    /// Single saves, saves of many tasks, transactions, checkpoints, migrations, and files that are made and opened again.
    private static let workloads = ["single", "tasks", "transactions", "checkpoints", "upgrade", "new"]

    @Test func withFullSyncingNoAcknowledgedWriteIsLost() async throws {
        let counts = try await cut(Self.workloads, "FULL", promising: "all")
        report("FULL", counts)
        #expect(counts.wrong.isEmpty, "\(counts.wrong.count): \(counts.wrong.prefix(3))")
        #expect(counts.acknowledged > 0 && counts.lost == 0)
    }

    @Test func withNormalSyncingTheLastTransactionsMayBeLostAndNothingElse() async throws {
        let counts = try await cut(Self.workloads, "NORMAL", promising: "beginning")
        report("NORMAL", counts)
        #expect(counts.wrong.isEmpty, "\(counts.wrong.count): \(counts.wrong.prefix(3))")
        #expect(counts.acknowledged > counts.lost)
    }

    /// The other tests can fail: they would see a store that acknowledges what it did not sync...
    @Test func theCutsShowAcknowledgedWritesThatWereNotSynced() async throws {
        let counts = try await cut(["single", "tasks"], "NORMAL", promising: "all", runs: 2)
        #expect(counts.wrong.contains { $0.contains("was promised") })
    }

    /// ...and one that copies its log to the database, and begins it anew, without syncs in between.
    @Test func theCutsShowCheckpointsThatWereNotSynced() async throws {
        let counts = try await cut(["checkpoints"], "OFF", promising: "beginning", runs: 4)
        #expect(
            counts.wrong.contains { $0.contains("damaged") || $0.contains("malformed") || $0.contains("integrity") })
    }

    /// Cuts the power of each workload, two at a time.
    ///
    /// - Parameter runs: How many stores of each, with a few cuts each; as many as the length of this run wants if nil.
    private func cut(
        _ workloads: [String], _ synchronous: String, promising promise: String, runs: Int? = nil
    ) async throws -> Counts {
        let folder = try TemporaryFolder()
        let seed = SeededGenerator().seed
        let runs = runs ?? programCount(quick: 1, full: 21)
        let total = Mutex(Counts())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for half in 0..<2 {
                group.addTask { @Sendable in
                    for workload in stride(from: half, to: workloads.count, by: 2).map({ workloads[$0] }) {
                        let place = folder.url.appendingPathComponent(workload).path
                        let counts = try await run([
                            "cut-power", place, workload, synchronous, promise, "\(seed)", "\(runs)",
                            "\(programCount(quick: 4, full: 8))",
                        ])
                        total.withLock { $0.add(counts) }
                    }
                }
            }
            try await group.waitForAll()
        }
        return total.withLock { $0 }
    }

    /// A cut that ends neither well nor with an error is a store that hangs.
    private func run(_ arguments: [String]) async throws -> Counts {
        let child = try ChildProcess(arguments)
        while try await child.line("").hasPrefix("done") == false {}
        #expect(try await child.exit() == .code(0), "\(arguments): \(child.said.suffix(2))")
        let numbers = try #require(child.lines("done ").first).split(separator: " ").compactMap { Int($0) }
        return Counts(
            cuts: numbers[0], acknowledged: numbers[1], lost: numbers[2], unacknowledged: numbers[3],
            wrong: child.lines("wrong ").map { "\(arguments.dropFirst(2).prefix(3)) \($0)" })
    }

    private func report(_ synchronous: String, _ counts: Counts) {
        reportFaults(
            "power",
            "\(synchronous): \(counts.cuts.grouped) cuts, \(counts.acknowledged.grouped) acknowledged steps before them, "
                + "\(counts.lost.grouped) lost, \(counts.unacknowledged.grouped) there without having been acknowledged, "
                + "\(counts.wrong.count) results wrong")
    }
}

extension PowerLossTests.Counts {
    fileprivate mutating func add(_ other: Self) {
        cuts += other.cuts
        acknowledged += other.acknowledged
        lost += other.lost
        unacknowledged += other.unacknowledged
        wrong += other.wrong
    }
}
