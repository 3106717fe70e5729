/// A number for a list of texts that is the same on every machine, and hardly ever that of another list. It is no defence against
/// anybody who looks for one.
struct Fingerprint: Sendable {
    private var hash: UInt64 = 14_695_981_039_346_656_037

    /// Adds a text, and where it ends.
    @inline(never)
    mutating func add(_ text: String) {
        // Not inlined: each text that a step describes itself by would bring a copy of the loop.
        var text = text
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            // Eight bytes at a time, since a start hashes all that describes its tables.
            var offset = 0
            while offset + 8 <= bytes.count {
                add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset += 8
            }
            // Not by `reduce`, which a slice of bytes takes five times as long for.
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            add(rest)
            add(UInt64(bytes.count))
        }
    }

    /// Adds a number.
    mutating func add(_ number: UInt64) {
        // An odd factor, so that two numbers that differ lead to two hashes.
        hash = (hash ^ number) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
    }

    /// The hash as sixteen hexadecimal digits.
    var digits: String { hash.hexDigits }
}
