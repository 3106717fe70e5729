import Foundation

/// Runs a program, and tells what it cost together with the programs that it ran in turn.
struct Child {
    /// The cost of a program that has ended.
    struct Cost: Codable {
        let wallSeconds: Double
        let cpuSeconds: Double
        /// The most memory that the program, or one that it ran, had at once.
        let peakBytes: Int
    }

    /// A program that could not be run, or failed.
    struct Failed: Error, CustomStringConvertible {
        let command: String
        let output: String

        var description: String { "\(command) failed: \(output)" }
    }

    /// Runs a program that is found in the path, and waits for its end.
    ///
    /// - Parameter output: The file for what it prints.
    static func run(_ command: [String], output: URL) throws -> Cost {
        let start = Moment.now
        let process = try spawn(command, output: output)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) == -1 && errno == EINTR {}
        guard status == 0 else {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            throw Failed(command: command.prefix(3).joined(separator: " "), output: String(text.prefix(2000)))
        }
        return Cost(
            wallSeconds: Moment.now.wall - start.wall,
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakBytes: peak(usage))
    }

    /// What a program prints.
    static func output(of command: [String]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("Output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try run(command, output: file)
        return try String(contentsOf: file, encoding: .utf8)
    }

    private static func spawn(_ command: [String], output: URL) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let arguments = command.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, command[0], &actions, nil, arguments + [nil], environ)
        guard code == 0 else { throw Failed(command: command[0], output: String(cString: strerror(code))) }
        return process
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    private static func peak(_ usage: rusage) -> Int {
        #if canImport(Darwin)
        Int(usage.ru_maxrss)
        #else
        // Linux counts in kilobytes.
        Int(usage.ru_maxrss) * 1024
        #endif
    }
}
