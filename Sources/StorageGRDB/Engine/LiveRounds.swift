import Synchronization

/// Something that has a live value to read on the calling thread.
protocol LiveRound: AnyObject, Sendable {
    /// Reads the value again, and does with it what may be done anywhere.
    ///
    /// - Returns: What is to be done on the main actor; nil for nothing.
    func runNow() -> (@Sendable () -> Void)?
}

/// Runs rounds that take microseconds one after the other, and hands what comes of them to the main actor together. Many commits
/// in a row, or one that concerns many values, so cost few changes of thread.
final class LiveRounds: Sendable {
    /// So many are handed over at a time: the first should not wait for the last.
    private static let batch = 64

    /// So many run on the thread of the write that made them due.
    private static let few = 8

    private let state = Mutex(State())

    private struct State {
        var waiting: [any LiveRound] = []
        var isRunning = false
        /// How many short writes are under way. They run what waits when they are done.
        var writes = 0

        mutating func takeWaiting() -> [any LiveRound] {
            defer { waiting = [] }
            return waiting
        }

        /// Whether there is more to run; if not, nobody runs any more.
        mutating func goesOn() -> Bool {
            isRunning = !waiting.isEmpty
            return isRunning
        }
    }

    func begin(_ round: any LiveRound) {
        let isFirst = state.withLock { state in
            state.waiting.append(round)
            guard !state.isRunning, state.writes == 0 else { return false }
            state.isRunning = true
            return true
        }
        if isFirst { runInTask() }
    }

    /// A short write begins, which has the connection.
    func beginWrite() { state.withLock { $0.writes += 1 } }

    /// A short write has ended. What it made due is run if that is little: to wake another thread for a value takes longer than to save and
    /// to read it.
    func endWrite() {
        let rounds: [any LiveRound]? = state.withLock { state in
            state.writes -= 1
            guard !state.isRunning, !state.waiting.isEmpty else { return nil }
            state.isRunning = true
            return state.waiting.count > LiveRounds.few ? [] : state.takeWaiting()
        }
        guard let rounds else { return }
        run(rounds)
        if state.withLock({ $0.goesOn() }) { runInTask() }
    }

    private func runInTask() {
        Task.detached { [self] in
            while let rounds = next() {
                for start in stride(from: 0, to: rounds.count, by: LiveRounds.batch) {
                    run(rounds[start..<min(start + LiveRounds.batch, rounds.count)])
                }
                await Task.yield()
            }
        }
    }

    private func run(_ rounds: some Sequence<any LiveRound>) {
        let deliveries = rounds.compactMap { $0.runNow() }
        if !deliveries.isEmpty { Task { @MainActor in deliveries.forEach { $0() } } }
    }

    /// - Returns: Nil if there are none, and the task is to end.
    private func next() -> [any LiveRound]? {
        state.withLock { $0.goesOn() ? $0.takeWaiting() : nil }
    }
}
