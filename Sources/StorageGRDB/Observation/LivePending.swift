import Synchronization

/// What may have changed since a live value was read.
enum LiveChange: Equatable, Sendable {
    case nothing
    /// The rows that have, or had, these ids.
    case rows(Set<StoredValue>)
    case anything

    mutating func add(_ other: LiveChange) {
        switch (self, other) {
        case (_, .nothing), (.anything, _): break
        case (.nothing, _), (_, .anything): self = other
        case (.rows(let left), .rows(let right)):
            // Emptied first, so that the set has one owner and grows in place.
            self = .nothing
            self = .rows(left.union(right))
        }
    }
}

/// Collects changes until a reader takes them. More than did change does no harm, less would leave a value wrong.
final class LivePending: Sendable {
    private let change = Mutex(LiveChange.anything)

    func add(_ other: LiveChange) {
        change.withLock { $0.add(other) }
    }

    /// To be called before the state that is then read begins, or a change of a later one could be lost.
    func take() -> LiveChange {
        change.withLock { change in
            defer { change = .nothing }
            return change
        }
    }

    /// How many rows a reader will have to read again; nil for all.
    var rowCount: Int? {
        change.withLock { change in
            switch change {
            case .nothing: 0
            case .rows(let ids): ids.count
            case .anything: nil
            }
        }
    }
}
