import Foundation

/// Where text goes: standard output, standard error or a file. What is written is kept until there is some of it.
final class Output {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private let capacity: Int

    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open.
    ///   - name: What an error calls it.
    ///   - capacity: How many bytes are kept.
    init(descriptor: Int32, name: String, capacity: Int = 1 << 16) {
        self.descriptor = descriptor
        self.name = name
        self.capacity = capacity
    }

    /// Standard output.
    static var standard: Output { Output(descriptor: STDOUT_FILENO, name: "standard output") }

    /// Standard error, which keeps nothing.
    static var error: Output { Output(descriptor: STDERR_FILENO, name: "standard error", capacity: 0) }

    /// Writes a line.
    func write(line: String) throws {
        try write(line + "\n")
    }

    /// Writes lines, and hands all to the system.
    func write(lines: [String]) throws {
        for line in lines { try write(line: line) }
        try flush()
    }

    /// Writes text.
    func write(_ text: String) throws {
        try write(text.utf8)
    }

    /// Writes bytes.
    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count > capacity { try flush() }
    }

    /// Hands all to the system.
    func flush() throws {
        var sent = 0
        while sent < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                systemWrite(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                // Nobody reads any more, as when `head` has seen enough.
                if errno == EPIPE { exit(0) }
                throw ToolError.system(errno, path: name)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// The call of the C library, beside the methods of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
