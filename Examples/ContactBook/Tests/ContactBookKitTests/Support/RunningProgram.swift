import Foundation
import Synchronization

/// A process, the lines that it prints, and its end.
///
/// Not Foundation's `Process`: on Linux it reads past its list of open files now and then, which crashes the tests, and a
/// process that another test starts at the same moment may inherit the pipe and keep it open.
final class RunningProgram: Sendable {
    let id: pid_t
    /// The lines of standard output. They end when the process has ended.
    let lines: AsyncStream<String>
    /// What the system says of the end; nil until then.
    private let end = Mutex<Int32?>(nil)

    /// Starts a program with nothing to read.
    ///
    /// - Parameter errorPath: The file that standard error goes to.
    init(_ path: String, _ arguments: [String], errorPath: String) throws {
        let (output, id) = try oneAtATime.withLock { _ in
            let output = try PipeEnds()
            defer { close(output.write) }
            do {
                return (output.read, try spawn(path, arguments, output: output.write, errorPath: errorPath))
            } catch {
                close(output.read)
                throw error
            }
        }
        self.id = id
        let (lines, print) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        // The reads wait, and so have a thread of their own.
        Thread.detachNewThread { [self] in
            let handle = FileHandle(fileDescriptor: output, closeOnDealloc: true)
            readLines(of: handle) { print.yield($0) }
            awaitEnd()
            print.finish()
        }
    }

    /// The code that the process ended with; once ``lines`` have ended.
    var status: Int32 { end.withLock { (($0 ?? 0) >> 8) & 0xff } }

    /// Whether a signal ended it; once ``lines`` have ended.
    var wasKilled: Bool { end.withLock { ($0 ?? 0) & 0x7f != 0 } }

    /// Kills the process, if it has not ended.
    func kill() { send(SIGKILL) }

    /// Sends a signal to the process, if it has not ended.
    func send(_ signal: Int32) {
        end.withLock { if $0 == nil { _ = Foundation.kill(id, signal) } }
    }

    /// Leaves the process in the system's table until its end is noted here: ``send(_:)`` can then hit no other process that
    /// was given the same number.
    private func awaitEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        end.withLock { end in
            var status: Int32 = 0
            waitpid(id, &status, 0)
            end = status
        }
    }
}

private func readLines(of handle: FileHandle, _ body: (String) -> Void) {
    var rest = Data()
    while true {
        let data = handle.availableData
        if data.isEmpty { break }
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            body(String(decoding: rest[..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
        }
    }
    if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
}

/// Between a pipe and the flag that keeps others from inheriting it there must be no other start.
private let oneAtATime = Mutex(())

/// Two ends that no other process inherits.
private struct PipeEnds {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EMFILE) }
        ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        read = ends[0]
        write = ends[1]
    }
}

private func spawn(_ path: String, _ arguments: [String], output: Int32, errorPath: String) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, O_WRONLY | O_CREAT, 0o600)

    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, path, &actions, nil, &words, environ)
    guard result == 0 else { throw POSIXError(.init(rawValue: result) ?? .ENOEXEC) }
    return id
}
