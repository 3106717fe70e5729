import Foundation

/// The built program, run as a process of its own.
enum Program {
    /// How a run ended, and what it printed.
    struct Result: Sendable {
        let status: Int32
        let wasKilled: Bool
        let output: [String]
        let error: String
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: What stands behind the program's name.
    ///   - onLine: Called with each line of standard output as it comes, and the id of the process.
    static func run(
        _ arguments: [String], onLine: (String, pid_t) async throws -> Void = { _, _ in }
    ) async throws -> Result {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        let folder = try TemporaryFolder()
        let errorPath = try folder.file(named: "error.txt", "")
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let id = process.processIdentifier
        // A test that runs out of time takes its program with it.
        return try await withTaskCancellationHandler {
            var printed: [String] = []
            do {
                for await line in lines(of: output.fileHandleForReading) {
                    printed.append(line)
                    try await onLine(line, id)
                }
            } catch {
                kill(id, SIGKILL)
                throw error
            }
            for await _ in ended {}
            try Task.checkCancellation()
            let error = (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
            return Result(
                status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
                output: printed, error: error)
        } onCancel: {
            kill(id, SIGKILL)
        }
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
                if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
                continuation.finish()
            }
        }
    }

    /// The program stands where the tests stand.
    private static func executable() throws -> URL {
        let main = Bundle.main.bundleURL
        let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let folders = [main, main.deletingLastPathComponent()] + bundles
        for folder in folders {
            let url = folder.appendingPathComponent("contactbook")
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue {
                return url
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
