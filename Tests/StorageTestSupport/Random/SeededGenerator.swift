import Foundation

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
