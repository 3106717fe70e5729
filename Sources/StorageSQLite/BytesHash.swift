/// A hash of bytes that differs from process to process, so that nobody can choose ids whose hashes are alike.
///
/// Swift's own takes four times as long for a text as long as a UUID's, and to find an entity in memory is little else.
struct BytesHash: Sendable {
    static let ofProcess = BytesHash()

    private let seed = UInt64.random(in: .min ... .max)
    private let secret = UInt64.random(in: .min ... .max) | 1

    func hash(_ number: UInt64) -> Int { finish(fold(number ^ seed, secret)) }

    func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash = seed ^ UInt64(bytes.count)
        guard let start = bytes.baseAddress, bytes.count >= 8 else {
            var few: UInt64 = 0
            for byte in bytes { few = few << 8 | UInt64(byte) }
            return finish(fold(few ^ hash, secret))
        }
        // Eight bytes at a time; the last eight may have some of those before them.
        let last = bytes.count - 8
        var offset = 0
        while offset < last {
            hash = fold(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ hash, secret)
            offset += 8
        }
        return finish(fold(start.loadUnaligned(fromByteOffset: last, as: UInt64.self) ^ hash, secret))
    }

    /// With some secrets a product's low bits alone take few values.
    private func finish(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: fold(hash ^ seed, 0x9E37_79B9_7F4A_7C15)) }

    private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
