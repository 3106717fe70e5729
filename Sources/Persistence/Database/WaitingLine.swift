/// Those who wait, first come first served; anyone may leave at any time.
struct WaitingLine<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    private var first = 0
    private var nextPlace = 0

    /// A place behind all others, which nobody else is given, also if it is never taken.
    mutating func newPlace() -> Int {
        defer { nextPlace += 1 }
        return nextPlace
    }

    mutating func add(_ waiter: Waiter, at place: Int) {
        waiters[place] = waiter
    }

    mutating func popFirst() -> Waiter? {
        while first < nextPlace {
            defer { first += 1 }
            if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
    }

    mutating func remove(at place: Int) -> Waiter? {
        waiters.removeValue(forKey: place)
    }
}
