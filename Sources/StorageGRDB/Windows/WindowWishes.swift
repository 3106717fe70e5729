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
        /// What came of those that were done, or could not be read.
        var results: [Int: Result<Void, any Error>] = [:]
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

    /// What came of a wish; nil if there is nothing where it leads, or nothing could be read. It is forgotten then.
    package func take(_ number: Int) -> Result<Void, any Error>? {
        state.withLock { state in
            state.waiting.removeAll { $0.number == number }
            return state.results.removeValue(forKey: number)
        }
    }

    /// What is still to be done, in the order in which it was asked for. A read that fails leaves it to the next one.
    var waiting: [(number: Int, wish: WindowWish)] { state.withLock { $0.waiting } }

    /// Says what came of wishes. Those without a result lead nowhere, and nobody waits any more for one that was taken back meanwhile.
    func finish(_ asked: [(number: Int, wish: WindowWish)], _ results: [Int: Result<Void, any Error>]) {
        let asked = Set(asked.map(\.number))
        state.withLock { state in
            for (number, _) in state.waiting where asked.contains(number) { state.results[number] = results[number] }
            state.waiting.removeAll { asked.contains($0.number) }
        }
    }
}
