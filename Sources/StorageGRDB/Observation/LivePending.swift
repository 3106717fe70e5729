import Synchronization

/// Rows of one table that may have changed.
struct ChangedRows: Equatable, Sendable {
    /// The ids that they have, or had.
    var ids: Set<StoredValue>
    var values = ChangedValues()

    mutating func add(_ other: ChangedRows) {
        ids.formUnion(other.ids)
        values.add(other.values)
    }

    /// Whether all rows are read rather than these, or those that refer to what these held.
    var areTooMany: Bool {
        let known = values.columns.values.flatMap { [$0.former?.count, $0.all?.count] }.compactMap(\.self)
        return max(ids.count, known.max() ?? 0) > LivePending.mostRows
    }
}

/// What may have changed since a live value was read.
enum LiveChange: Equatable, Sendable {
    case nothing
    /// Rows of these tables, by lowercased name.
    case rows([String: ChangedRows])
    case anything

    mutating func add(_ other: LiveChange) {
        switch (self, other) {
        case (_, .nothing), (.anything, _): break
        case (.nothing, _), (_, .anything): self = other
        case (.rows(var rows), .rows(let others)):
            // Emptied first, so that the sets have one owner and grow in place.
            self = .nothing
            for (table, changed) in others {
                if rows[table]?.add(changed) == nil { rows[table] = changed }
            }
            self = .rows(rows)
        }
    }

    /// How many rows may have changed; nil where all may.
    var rowCount: Int? {
        switch self {
        case .nothing: 0
        case .rows(let tables): tables.values.reduce(0) { $0 + $1.ids.count }
        case .anything: nil
        }
    }
}

/// Collects changes until a reader takes them. More than did change does no harm, less would leave a value wrong.
final class LivePending: Sendable {
    /// So many changed rows, at the most, are few enough to be read on the calling thread.
    static let fewRows = 32
    /// Above so many rows of a table, or groups, nobody follows them: all are read.
    static let mostRows = 1000

    private let state = Mutex(State())

    private struct State {
        var change = LiveChange.anything
        /// One more with each change.
        var number = 0
    }

    func add(_ other: LiveChange) {
        state.withLock { state in
            state.number += 1
            state.change.add(other)
            // A reader that waits for its turn, behind a main actor that is busy for one, collects no more than it will ask for.
            if case .rows(let tables) = state.change, tables.values.contains(where: \.areTooMany) {
                state.change = .anything
            }
        }
    }

    /// To be called before the state that is then read begins, or a change of a later one could be lost.
    func take() -> LiveChange { takeNumbered().change }

    /// The same, with the number of the last change.
    func takeNumbered() -> (change: LiveChange, number: Int) {
        state.withLock { state in
            defer { state.change = .nothing }
            return (state.change, state.number)
        }
    }

    /// The number of the last change.
    var number: Int { state.withLock { $0.number } }

    /// How many rows a reader will have to read again; nil for all.
    var rowCount: Int? { state.withLock { $0.change.rowCount } }
}
