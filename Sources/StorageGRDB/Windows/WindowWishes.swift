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

    /// Whether a wish was done. It is forgotten then, done or not.
    package func wasDone(_ number: Int) -> Bool {
        state.withLock { state in
            state.waiting.removeAll { $0.number == number }
            return state.done.remove(number) != nil
        }
    }

    /// What is still to be done, in the order in which it was asked for. A read that fails leaves it to the next one.
    var waiting: [(number: Int, wish: WindowWish)] { state.withLock { $0.waiting } }

    /// Says what came of wishes: that those could be done which are named, and none of the others.
    func finish(_ asked: [(number: Int, wish: WindowWish)], done: [Int]) {
        let asked = Set(asked.map(\.number))
        state.withLock { state in
            state.waiting.removeAll { asked.contains($0.number) }
            state.done.formUnion(done)
        }
    }
}
