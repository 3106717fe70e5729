import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Random programs of many tasks on the stores of one file: nothing is lost, nothing is told twice, and nobody waits for ever.
@Suite(.timeLimit(.minutes(60))) struct EngineProgramTests {
    private static let programsPerStore = 25

    private struct Counts {
        var programs = 0
        var calls = 0
        var successes = 0
        var cancelled = 0
        var hasFailed = false
    }

    @Test func programsLeaveWhatASerialOneWould() async throws {
        let counts = Mutex(Counts())
        try await runOnStores(short: 80, quick: 500, full: 20_000, programsPerStore: Self.programsPerStore) { seed in
            guard !counts.withLock({ $0.hasFailed }) else { return }
            var random = SeededGenerator(seed: seed)
            let world = try await EngineWorld(random: &random)
            var numbers = 0
            var closed: Set<Int> = []
            for place in 0..<Self.programsPerStore {
                let commits = try await world.prepare(closed: closed)
                let program = EngineProgram(
                    stores: await world.stores.count, hasChild: world.child != nil, numbers: &numbers, random: &random)
                let run = await EngineProgramRun(program, in: world)
                if let problem = try await run.run(after: commits) {
                    counts.withLock { $0.hasFailed = true }
                    Issue.record("STORAGEKIT_SEED=\(seed), program \(place): \(problem)")
                    return
                }
                closed = run.closed
                let answers = run.answers
                counts.withLock { counts in
                    counts.programs += 1
                    counts.calls += answers.count
                    counts.successes += answers.count { $0.isSuccess }
                    counts.cancelled += answers.count { $0.error is CancellationError }
                }
            }
        }
        let sum = counts.withLock { $0 }
        guard !sum.hasFailed else { return }
        reportFaults(
            "engine",
            "\(sum.programs.grouped) programs, \(sum.calls.grouped) calls, \(sum.successes.grouped) succeeded, "
                + "\(sum.cancelled.grouped) cancelled; 0 lost, 0 told twice, 0 waiting for ever")
    }
}
