import Foundation

/// Random numbers that can be had again: a failing property test prints its seed.
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    /// With the environment's `STORAGEKIT_SEED`. Without one, what CI tries is the same each time, so that it fails for whoever
    /// broke something, and a full run tries other things.
    package init() {
        self.init(
            seed: SeededGenerator.environmentSeed ?? (RunLength.current == .full ? .random(in: .min ... .max) : 1))
    }

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
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
