import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Kills a process that saves, at random moments, and looks at what it left. What was acknowledged is there, and of the
/// step that each task was in, all or nothing.
@Suite(.timeLimit(.minutes(30))) struct CrashTests {
    @Test func aKilledProcessLosesNothingThatItAcknowledgedAndLeavesNothingHalfDone() async throws {
        let counts = Mutex(CrashCounts())
        try await runOnStores(quick: 15, full: 500, programsPerStore: 5) { seed in
            let found = try await CrashedStore.run(seed: seed, crashes: 5)
            counts.withLock { $0.add(found) }
        }
        let all = counts.withLock { $0 }
        reportFaults(
            "crash",
            "\(all.runs.grouped) runs, \(all.acknowledged.grouped) acknowledged saves, \(all.lost) lost, "
                + "\(all.halfWritten) half-written, \(all.unacknowledged) committed but not acknowledged yet")
        #expect(all.acknowledged > 0)
    }
}

struct CrashCounts {
    var runs = 0
    var acknowledged = 0
    var unacknowledged = 0
    var lost = 0
    var halfWritten = 0

    mutating func add(_ other: CrashCounts) {
        runs += other.runs
        acknowledged += other.acknowledged
        unacknowledged += other.unacknowledged
        lost += other.lost
        halfWritten += other.halfWritten
    }
}
