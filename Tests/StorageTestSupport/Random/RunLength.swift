import Foundation

/// How long the tests of random input go on.
package enum RunLength: Sendable {
    /// `make test`, and whoever runs the tests by hand.
    case short
    /// `make test-all`: with `STORAGEKIT_LONG=1`.
    case long
    /// With `STORAGEKIT_FULL=1`.
    case full

    /// That of this run.
    package static let current: RunLength = {
        let environment = ProcessInfo.processInfo.environment
        if environment["STORAGEKIT_FULL"] == "1" { return .full }
        return environment["STORAGEKIT_LONG"] == "1" ? .long : .short
    }()
}

/// How many random programs a property test runs.
///
/// - Parameters:
///   - short: The number in a short run; that of a long one if nil.
///   - quick: The number in a long run, which CI makes of each change.
///   - full: The number in a full run.
package func programCount(short: Int? = nil, quick: Int, full: Int) -> Int {
    switch RunLength.current {
    case .short: short ?? quick
    case .long: quick
    case .full: full
    }
}

/// Runs random programs on one store after the other, two stores at a time.
///
/// - Parameters:
///   - short: How many programs to run in a short run; as many as in a long one if nil.
///   - quick: How many in a long run, which CI makes of each change.
///   - full: How many in a full run.
///   - programsPerStore: How many of them run on one store.
///   - runStore: Makes a store and runs its programs, all random by the seed.
package func runOnStores(
    short: Int? = nil, quick: Int, full: Int, programsPerStore: Int,
    _ runStore: @escaping @Sendable (_ seed: UInt64) async throws -> Void
) async throws {
    let stores = programCount(short: short, quick: quick, full: full) / programsPerStore
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
