import Foundation
import Testing

/// The built program, run as a process beside the test, which reads what it prints line by line. The process does not
/// outlive the value.
final class RunningProgram: Sendable {
    private let process: Process
    private let lines: AsyncStream<String>
    private let ended: AsyncStream<Void>

    /// Starts the program. Standard output and standard error come as one.
    init(_ arguments: String...) throws {
        process = Process()
        process.executableURL = try BuiltProgram.url("storagekit")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        self.ended = ended
        try process.run()
        lines = RunningProgram.lines(of: pipe.fileHandleForReading)
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
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var rest = Data()
                while true {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[(end + 1)...])
                    }
                }
                continuation.finish()
            }
        }
    }
}
