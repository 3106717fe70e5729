import StorageKit
import StorageTestSupport

/// What happens to the bytes of a closed file and of its log, all by a seed.
struct Damage {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Damages the file, the log beside it, or both.
    ///
    /// - Returns: What was done.
    mutating func apply(to file: URL) throws -> String {
        let log = URL(fileURLWithPath: file.path + "-wal")
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<6: return try "file: " + damage(file)
        case 6..<8: return try "log: " + damage(log)
        default: return try "file: " + damage(file) + "; log: " + damage(log)
        }
    }

    private mutating func damage(_ file: URL) throws -> String {
        var bytes = try Data(contentsOf: file)
        let done: String
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: done = flip(Int.random(in: 1...64, using: &generator), in: bytes.indices, &bytes)
        case 1: done = flip(Int.random(in: 1...8, using: &generator), in: 0..<100, &bytes)
        case 2: done = flipPageHeaders(&bytes)
        case 3: done = cut(&bytes)
        case 4: done = zero(&bytes)
        default: done = swapPages(&bytes)
        }
        try bytes.write(to: file)
        return done
    }

    private mutating func flip(_ count: Int, in range: Range<Int>, _ bytes: inout Data) -> String {
        for _ in 0..<count {
            bytes[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        return "\(count) bytes changed of \(range)"
    }

    /// Where a page says what it is, and where its cells are, one byte leads far astray.
    private mutating func flipPageHeaders(_ bytes: inout Data) -> String {
        let pages = (0..<Int.random(in: 1...6, using: &generator)).map { _ in page(of: bytes) }
        for page in pages {
            _ = flip(2, in: page * Self.pageSize..<page * Self.pageSize + 40, &bytes)
        }
        return "headers of pages \(pages) changed"
    }

    private mutating func cut(_ bytes: inout Data) -> String {
        let wanted = Int.random(in: 0..<bytes.count, using: &generator)
        // Half of the files end where a page does.
        let length = Bool.random(using: &generator) ? wanted : wanted / Self.pageSize * Self.pageSize
        bytes = bytes.prefix(length)
        return "cut to \(length) bytes"
    }

    private mutating func zero(_ bytes: inout Data) -> String {
        let start = Int.random(in: 0..<bytes.count, using: &generator) / 512 * 512
        let end = min(bytes.count, start + 512 * Int.random(in: 1...16, using: &generator))
        bytes.replaceSubrange(start..<end, with: Data(count: end - start))
        return "zeros from \(start) to \(end)"
    }

    private mutating func swapPages(_ bytes: inout Data) -> String {
        let (from, to) = (page(of: bytes), page(of: bytes))
        let copied = bytes[from * Self.pageSize..<(from + 1) * Self.pageSize]
        bytes.replaceSubrange(to * Self.pageSize..<(to + 1) * Self.pageSize, with: Data(copied))
        return "page \(from) copied over page \(to)"
    }

    private mutating func page(of bytes: Data) -> Int {
        Int.random(in: 0..<max(1, bytes.count / Self.pageSize), using: &generator)
    }

    private static let pageSize = 4096
}
