import StorageKit

/// Random numbers that can be had again: a failing property test prints its seed.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    /// - Parameter seed: The seed; the environment's `STORAGEKIT_SEED` or a new one if nil.
    package init(seed: UInt64? = nil) {
        self.seed = seed ?? SeededGenerator.environmentSeed ?? UInt64.random(in: .min ... .max)
        state = self.seed
    }

    /// - Parameter usual: The seed where the environment has no `STORAGEKIT_SEED`.
    package init(usually usual: UInt64) {
        self.init(seed: SeededGenerator.environmentSeed ?? usual)
    }

    // SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static var environmentSeed: UInt64? {
        ProcessInfo.processInfo.environment["STORAGEKIT_SEED"].flatMap { UInt64($0) }
    }
}

/// How many random programs a property test runs: a few in CI, all of them in the full run.
///
/// - Parameters:
///   - quick: The number in CI.
///   - full: The number with `STORAGEKIT_FULL=1`.
package func programCount(quick: Int, full: Int) -> Int {
    ProcessInfo.processInfo.environment["STORAGEKIT_FULL"] == "1" ? full : quick
}

/// Runs random programs on one store after the other, two stores at a time.
///
/// - Parameters:
///   - quick: How many programs to run in CI.
///   - full: How many with `STORAGEKIT_FULL=1`.
///   - programsPerStore: How many of them run on one store.
///   - runStore: Makes a store and runs its programs, all random by the seed.
package func runOnStores(
    quick: Int, full: Int, programsPerStore: Int, _ runStore: @escaping @Sendable (_ seed: UInt64) async throws -> Void
) async throws {
    let stores = programCount(quick: quick, full: full) / programsPerStore
    let seed = SeededGenerator().seed
    try await withThrowingTaskGroup(of: Void.self) { group in
        for half in 0..<2 {
            group.addTask {
                for store in stride(from: half, to: stores, by: 2) {
                    try await runStore(seed &+ UInt64(store))
                }
            }
        }
        try await group.waitForAll()
    }
}
