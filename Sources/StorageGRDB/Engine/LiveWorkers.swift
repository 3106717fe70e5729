import Synchronization

/// Has live values read that take a task of their own, by a few tasks which do one after the other.
///
/// One task for each would stand in the line of all tasks before whatever comes next, a save for one, and a commit may make thousands
/// of values due.
final class LiveWorkers: Sendable {
    private let state: Mutex<State>

    private struct State {
        var line = Line<@Sendable () async -> Void>()
        /// How many more there may be.
        var free: Int
    }

    /// - Parameter count: How many there are at most.
    init(count: Int) {
        state = Mutex(State(free: count))
    }

    func run(_ read: @escaping @Sendable () async -> Void) {
        let isFree = state.withLock { state in
            state.line.append(read)
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        guard isFree else { return }
        Task.detached { [self] in
            while let read = next() {
                await read()
                await Task.yield()
            }
        }
    }

    /// - Returns: Nil if there is nothing to read, and the worker is to end.
    private func next() -> (@Sendable () async -> Void)? {
        state.withLock { state in
            guard let next = state.line.first else {
                state.free += 1
                return nil
            }
            state.line.removeFirst()
            return next
        }
    }
}
