import Foundation
import Testing

/// The built program, run as a process of its own.
enum Program {
    /// How a run ended, and what it printed.
    struct Result: Sendable {
        let status: Int32
        let output: String
        let error: String

        /// The lines of standard output.
        var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
    }

    /// Runs the program to its end.
    ///
    /// - Parameter arguments: What stands behind the program's name.
    static func run(_ arguments: String...) throws -> Result {
        try run(arguments)
    }

    /// Runs the program to its end.
    ///
    /// - Parameter place: The folder that it runs in; nil for that of the tests.
    static func run(_ arguments: [String], in place: URL? = nil) throws -> Result {
        // Files and no pipes: nothing waits for a reader.
        let folder = try TemporaryFolder()
        let output = try folder.file("output", "")
        let error = try folder.file("error", "")
        let process = Process()
        process.executableURL = try BuiltProgram.url("storagekit")
        process.arguments = arguments
        if let place { process.currentDirectoryURL = place }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: error)
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: URL(fileURLWithPath: error)), as: UTF8.self))
    }
}
