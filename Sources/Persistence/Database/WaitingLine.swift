/// Those who wait, first come first served; anyone may leave at any time.
struct WaitingLine<Waiter> {
    private var waiters: [Int: Waiter] = [:]
    private var first = 0
    /// The place that who comes next will have.
    private(set) var nextPlace = 0

    mutating func append(_ waiter: Waiter) {
        waiters[nextPlace] = waiter
        nextPlace += 1
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
