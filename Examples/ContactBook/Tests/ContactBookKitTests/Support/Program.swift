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
        let folder = try TemporaryFolder()
        let errorPath = folder.path("error.txt")
        let program = try RunningProgram(
            BuiltProgram.url("contactbook").path, arguments, errorPath: errorPath)
        // A test that runs out of time takes its program with it.
        return try await withTaskCancellationHandler {
            var printed: [String] = []
            do {
                for await line in program.lines {
                    printed.append(line)
                    try await onLine(line, program.id)
                }
            } catch {
                program.kill()
                throw error
            }
            try Task.checkCancellation()
            let error = (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? ""
            return Result(
                status: program.status, wasKilled: program.wasKilled, output: printed, error: error)
        } onCancel: {
            program.kill()
        }
    }
}
