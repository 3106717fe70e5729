extension Sequence<UInt8> {
    /// The FNV-1a hash in 64 bits: short, and the same on every machine, which Swift's Hasher is not.
    @inlinable
    package var fnv1a: UInt64 {
        reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
