import Synchronization

/// Where a window is asked to go.
package enum WindowWish: Sendable {
    /// A page further, towards the end of the list or its start.
    case next, previous
    /// To the end of the list, or its start.
    case end, start
    /// To the row that is known by these values.
    case row([StoredValue])
    /// Nowhere: whoever asks waits until all commits so far have been taken in.
    case nowhere
}

/// Collects what a window is asked for until its reader does it.
package final class WindowWishes: Sendable {
    private let state = Mutex(State())

    private struct State {
        var number = 0
        var waiting: [(number: Int, wish: WindowWish)] = []
        /// Those that could be done.
        var done: Set<Int> = []
    }

    package init() {}

    /// - Returns: The number of the wish.
    package func add(_ wish: WindowWish) -> Int {
        state.withLock { state in
            state.number += 1
            state.waiting.append((state.number, wish))
            return state.number
        }
    }

    /// Whether a wish was done. It is forgotten then.
    package func wasDone(_ number: Int) -> Bool {
        state.withLock { $0.done.remove(number) != nil }
    }

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    func take() -> [(number: Int, wish: WindowWish)] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func finish(_ numbers: [Int]) {
        state.withLock { $0.done.formUnion(numbers) }
    }
}
