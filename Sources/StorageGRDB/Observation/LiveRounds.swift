import Synchronization

/// Something that has a live value to read on the calling thread.
protocol LiveRound: AnyObject, Sendable {
    /// Reads the value again.
    ///
    /// - Returns: What is to be done on the main actor; nil for nothing.
    func runNow() -> (@Sendable () -> Void)?
}

/// Runs rounds that take microseconds one after the other in one task, and hands what comes of them to the main actor together.
/// Many commits in a row, or one that concerns many values, so cost few changes of thread.
final class LiveRounds: Sendable {
    /// So many are handed over at a time: the first should not wait for the last.
    private static let batch = 64

    private let state = Mutex(State())

    private struct State {
        var waiting: [any LiveRound] = []
        var isRunning = false
    }

    func begin(_ round: any LiveRound) {
        let isFirst = state.withLock { state in
            state.waiting.append(round)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { Task.detached { await self.run() } }
    }

    private func run() async {
        while let rounds = next() {
            for start in stride(from: 0, to: rounds.count, by: LiveRounds.batch) {
                let deliveries = rounds[start..<min(start + LiveRounds.batch, rounds.count)].compactMap { $0.runNow() }
                guard !deliveries.isEmpty else { continue }
                Task { @MainActor in deliveries.forEach { $0() } }
            }
            await Task.yield()
        }
    }

    /// - Returns: Nil if there are none, and the task is to end.
    private func next() -> [any LiveRound]? {
        state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isRunning = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }
}
