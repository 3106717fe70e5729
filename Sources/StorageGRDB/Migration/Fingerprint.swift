/// A hash of texts, the same on every machine: FNV-1a in 64 bits.
struct Fingerprint: Sendable {
    private var hash: UInt64 = 14_695_981_039_346_656_037

    /// Adds texts. Where one ends and the next begins counts.
    mutating func add(_ texts: String...) {
        for text in texts {
            for byte in text.utf8 { add(byte) }
            // A byte that no text has.
            add(0xFF)
        }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }

    /// The hash as sixteen hexadecimal digits.
    var digits: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
