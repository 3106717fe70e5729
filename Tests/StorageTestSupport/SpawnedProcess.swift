import StorageKit
import Synchronization

/// The system's side of a ``ChildProcess``: pipes, a thread that reads them, and the end of the process.
///
/// Not Foundation's `Process`, which cannot promise that another process started at the same moment does not
/// inherit the pipes: the input would then stay open after it was closed here.
final class SpawnedProcess: Sendable {
    struct State {
        var said: [String] = []
        /// How many lines the test has read.
        var taken = 0
        var exit: ChildProcess.Exit?
        fileprivate var input: Int32?
        /// Counts changes, so that none is missed between looking and waiting.
        fileprivate var version = 0
        fileprivate var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let state = Mutex(State())
    private let pid: pid_t

    init(_ path: String, _ arguments: [String]) throws {
        // Writing to a process that was killed is an error here, and not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let started = try oneAtATime.withLock { _ in
            let input = try PipeEnds()
            let output = try PipeEnds()
            defer {
                close(input.read)
                close(output.write)
            }
            let pid = try spawn(path, arguments, input: input.read, output: output.write)
            return (pid: pid, input: input.write, output: output.read)
        }
        pid = started.pid
        state.withLock { $0.input = started.input }
        Thread.detachNewThread { [self] in
            readLines(from: started.output)
            awaitEnd()
        }
    }

    func write(_ text: String) -> Bool {
        state.withLock { state in
            guard let input = state.input else { return false }
            return (try? FileHandle(fileDescriptor: input, closeOnDealloc: false).write(contentsOf: Data(text.utf8)))
                != nil
        }
    }

    func closeInput() {
        state.withLock { state in
            if let input = state.input { close(input) }
            state.input = nil
        }
    }

    func end() {
        state.withLock { state in
            if state.exit == nil { kill(pid, SIGKILL) }
        }
    }

    /// Waits until `value` finds something in the state.
    func wait<T: Sendable>(
        within limit: Duration, for what: String, _ value: @Sendable (inout State) -> T?
    ) async throws -> T {
        let deadline = ContinuousClock.now + limit
        let alarm = Task { [self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            change { _ in }
        }
        defer { alarm.cancel() }
        while true {
            let (found, version) = state.withLock { (value(&$0), $0.version) }
            if let found { return found }
            guard ContinuousClock.now < deadline else {
                throw ChildProcess.Failure.timedOut(waitingFor: what, said: state.withLock { $0.said })
            }
            await nextChange(after: version)
        }
    }

    private func nextChange(after version: Int) async {
        await withCheckedContinuation { continuation in
            let isPast = state.withLock { state in
                guard state.version == version else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isPast { continuation.resume() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            state.version += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    private func readLines(from output: Int32) {
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var rest: [UInt8] = []
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += buffer.prefix(count)
            let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(parts.last ?? [])
            change { state in state.said += parts.dropLast().map { String(decoding: $0, as: UTF8.self) } }
        }
    }

    /// Leaves the process in the system's table until its end is noted here: ``end()`` can then hit no other
    /// process that was given the same number.
    private func awaitEnd() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        change { state in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let signal = status & 0x7f
            state.exit = signal == 0 ? .code((status >> 8) & 0xff) : .signal(signal)
        }
    }
}

/// Between a pipe and the flag that keeps others from inheriting it there must be no other start.
private let oneAtATime = Mutex(())

/// Two ends that no other process inherits.
private struct PipeEnds {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildProcess.Failure.notStarted(errno: errno) }
        ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        read = ends[0]
        write = ends[1]
    }
}

private func spawn(_ path: String, _ arguments: [String], input: Int32, output: Int32) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)

    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, path, &actions, nil, &words, environ)
    guard result == 0 else { throw ChildProcess.Failure.notStarted(errno: result) }
    return pid
}
