import StorageKit
import Synchronization

/// A second process, `StorageTestProcess`, that a test talks with in lines. Nothing here waits without a limit,
/// and the process does not outlive the value.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package enum Failure: Error {
        case notStarted(errno: Int32)
        case inputClosed
        /// The process has not said or done what was waited for, and still runs.
        case timedOut(waitingFor: String, said: [String])
        /// The process ended without saying what was waited for.
        case ended(Exit, waitingFor: String, said: [String])
    }

    private let process: SpawnedProcess

    /// Starts the process.
    ///
    /// - Parameter arguments: The subcommand and what it takes.
    package convenience init(_ arguments: String...) throws {
        try self.init(arguments)
    }

    /// Starts the process.
    ///
    /// - Parameter arguments: The subcommand and what it takes.
    package init(_ arguments: [String]) throws {
        process = try SpawnedProcess(BuildFolder.executable("StorageTestProcess").path, arguments)
    }

    deinit {
        process.end()
        process.closeInput()
    }

    /// Everything the process has said so far.
    package var said: [String] { process.state.withLock { $0.said } }

    package func send(_ line: String) throws {
        guard process.write(line + "\n") else { throw Failure.inputClosed }
    }

    package func closeInput() {
        process.closeInput()
    }

    /// Ends the process as a crash does. Harmless if it has ended already.
    package func kill() {
        process.end()
    }

    /// Reads on up to a line that begins with this text, and returns the rest of that line.
    ///
    /// - Throws: ``Failure`` if the process ends before, or says no such line in time.
    @discardableResult
    package func line(_ prefix: String, within limit: Duration = .patience) async throws -> String {
        let found: String?? = try await process.wait(within: limit, for: "line '\(prefix)'") { state in
            while state.taken < state.said.count {
                defer { state.taken += 1 }
                if state.said[state.taken].hasPrefix(prefix) { return .some(state.said[state.taken]) }
            }
            return state.exit == nil ? nil : .some(nil)
        }
        guard let line = found ?? nil else {
            throw Failure.ended(try await exit(), waitingFor: "line '\(prefix)'", said: said)
        }
        return String(line.dropFirst(prefix.count))
    }

    /// How the process ended. All that it said is in ``said`` then.
    ///
    /// - Throws: ``Failure`` if it has not ended in time.
    @discardableResult
    package func exit(within limit: Duration = .patience) async throws -> Exit {
        try await process.wait(within: limit, for: "the end") { $0.exit }
    }
}
