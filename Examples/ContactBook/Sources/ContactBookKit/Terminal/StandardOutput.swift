import StorageKit

/// Standard output and standard error, written without `print`: what was written is out, and a reader that went
/// away, such as `head`, ends the program in silence.
enum StandardOutput {
    /// Writes lines to standard output.
    static func write(lines: [String]) {
        guard !lines.isEmpty else { return }
        write(lines.joined(separator: "\n") + "\n")
    }

    /// Writes a line to standard output.
    static func write(line: String) {
        write(line + "\n")
    }

    /// Writes text to standard output.
    static func write(_ text: String) {
        send(text, to: STDOUT_FILENO)
    }

    /// Writes text to standard error.
    static func writeError(_ text: String) {
        send(text, to: STDERR_FILENO)
    }

    private static func send(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                // Qualified by nothing: Foundation brings the C library of each platform.
                let count = systemWrite(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno != EINTR {
                    // EPIPE: nobody reads any more. A full disk and the like end the program too, but not well.
                    exit(errno == EPIPE ? 0 : 1)
                }
            }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
