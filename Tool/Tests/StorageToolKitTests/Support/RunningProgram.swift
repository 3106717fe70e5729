import Foundation
import Testing

/// The built program, run as a process beside the test, which reads what it prints line by line. The process does not
/// outlive the value.
final class RunningProgram: Sendable {
    private let process: Process
    private let lines: AsyncStream<String>
    private let ended: AsyncStream<Void>

    /// Starts the program. Standard output and standard error come as one.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the program's name.
    ///   - redirection: What a shell would write behind them.
    ///   - onLine: Called with each line as soon as it is read, on the thread that reads.
    init(
        _ arguments: String..., redirection: String = "", onLine: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        process = Process()
        let program = try BuiltProgram.url("storagekit")
        process.executableURL = redirection.isEmpty ? program : URL(fileURLWithPath: "/bin/sh")
        let shell = ["-c", "exec \"$0\" \"$@\" \(redirection)", program.path]
        process.arguments = redirection.isEmpty ? arguments : shell + arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        self.ended = ended
        try process.run()
        lines = RunningProgram.lines(of: pipe.fileHandleForReading, onLine)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Whether the process has not ended yet.
    var isRunning: Bool { process.isRunning }

    /// Reads so many lines. The time limit of the test ends the wait.
    func lines(_ count: Int) async throws -> [String] {
        var read: [String] = []
        while read.count < count {
            var iterator = lines.makeAsyncIterator()
            guard let line = await iterator.next() else { break }
            read.append(line)
        }
        try #require(read.count == count, "printed only \(read)")
        return read
    }

    /// Sends Ctrl-C, and waits for the end. The time limit of the test ends the wait.
    ///
    /// - Returns: The status; nil if the program went on.
    func interrupt() async -> Int32? {
        process.interrupt()
        return await end()
    }

    /// Waits until the program ends by itself.
    ///
    /// - Returns: The status; nil if the program went on.
    func end() async -> Int32? {
        for await _ in ended {}
        return process.isRunning ? nil : process.terminationStatus
    }

    /// The lines that come out of a pipe. The reads wait, and so have a thread of their own.
    private static func lines(
        of handle: FileHandle, _ onLine: @escaping @Sendable (String) -> Void
    ) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = Data()
                while true {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        let line = String(decoding: rest[..<end], as: UTF8.self)
                        onLine(line)
                        continuation.yield(line)
                        rest = Data(rest[(end + 1)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}
