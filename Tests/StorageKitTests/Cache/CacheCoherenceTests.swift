import StorageKit
import StorageTestSupport
import Testing

/// No tier ever returns what was not current at some moment of the read, whoever writes by whatever road.
@Suite(.timeLimit(.minutes(60))) struct CacheCoherenceTests {
    /// Programs that run on one store, one after the other.
    private static let programsPerStore = 50
    private static let operations = 50

    @Test func noReadIsEverStale() async throws {
        try await runOnStores(
            short: 100, quick: 500, full: 100_000, programsPerStore: Self.programsPerStore, Self.runStore)
    }

    @Sendable private static func runStore(seed: UInt64) async throws {
        let world = try CoherenceWorld()
        var random = SeededGenerator(seed: seed)
        for program in 0..<programsPerStore {
            let seeds = (0..<3).map { _ in random.next() }
            let problems = try await withThrowingTaskGroup(of: [String].self) { group in
                for seed in seeds {
                    group.addTask { try await runTask(seed: seed, world) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            if Bool.random(using: &random) { await world.settle() }
            let atRest = try await world.problemAtRest()
            let all = problems + (atRest.map { [$0] } ?? [])
            guard all.isEmpty else {
                Issue.record("STORAGEKIT_SEED=\(seed), program \(program): \(all.prefix(3).joined(separator: "; "))")
                return
            }
        }
    }

    private static func runTask(seed: UInt64, _ world: CoherenceWorld) async throws -> [String] {
        var random = SeededGenerator(seed: seed)
        var problems: [String] = []
        for _ in 0..<(operations / 3) {
            if Int.random(in: 0..<3, using: &random) == 0 {
                try await world.write(&random)
            } else if let problem = try await world.read(&random) {
                problems.append(problem)
            }
        }
        return problems
    }
}
