import GRDB
import Synchronization

/// Knows after each commit of the writer which tables changed, and wakes those who asked.
///
/// It is fed by GRDB's transaction observation, so that changes by raw SQL, triggers and foreign-key cascades
/// count like any other. A transaction that rolls back wakes nobody. The unit is the table.
package final class ChangeHub: Sendable {
    private let state = Mutex(State())
    private let observer = Observer()

    private struct State {
        var nextKey = 0
        var listeners: [Int: Listener] = [:]
    }

    private struct Listener {
        /// The tables it listens to; nil for all.
        let tables: Set<String>?
        let wake: @Sendable () -> Void
    }

    init() {}

    func attach(to writer: any DatabaseWriter) {
        observer.hub.withLock { $0 = WeakHub(hub: self) }
        writer.add(transactionObserver: observer, extent: .databaseLifetime)
    }

    /// Whether a transaction of the writer has changed rows that it has not committed yet.
    var isTransactionOpen: Bool { observer.isOpen.load(ordering: .acquiring) }

    /// Calls `wake` after each commit that changed one of the tables, until ``stop(_:)``.
    ///
    /// - Parameter tables: The tables, lowercased; nil for all.
    /// - Returns: The key for ``stop(_:)``.
    package func listen(to tables: Set<String>?, _ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextKey += 1
            state.listeners[state.nextKey] = Listener(tables: tables, wake: wake)
            return state.nextKey
        }
    }

    /// Ends what ``listen(to:_:)`` began.
    package func stop(_ key: Int) {
        _ = state.withLock { $0.listeners.removeValue(forKey: key) }
    }

    /// How many listen now.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    fileprivate func publish(_ changed: Set<String>) {
        let concerned = state.withLock { state in
            state.listeners.values.filter { $0.tables?.isDisjoint(with: changed) != true }
        }
        for listener in concerned {
            listener.wake()
        }
    }
}

private struct WeakHub: Sendable {
    weak var hub: ChangeHub?
}

/// Runs on the writer's queue only; the two members that others read are atomic or locked.
private final class Observer: TransactionObserver, @unchecked Sendable {
    let hub = Mutex<WeakHub>(WeakHub(hub: nil))
    let isOpen = Atomic<Bool>(false)
    private var changed: Set<String> = []

    /// Once a table is known to have changed, the rest of the transaction's changes to it need no callback.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        if case .delete = eventKind { return true }
        return !changed.contains(eventKind.table)
    }

    func databaseDidChange(with event: DatabaseEvent) {
        if changed.insert(event.tableName.lowercased()).inserted {
            isOpen.store(true, ordering: .releasing)
        }
    }

    func databaseDidCommit(_ db: Database) {
        let tables = changed
        finish()
        if !tables.isEmpty {
            hub.withLock { $0.hub }?.publish(tables)
        }
    }

    func databaseDidRollback(_ db: Database) {
        finish()
    }

    private func finish() {
        changed.removeAll(keepingCapacity: true)
        isOpen.store(false, ordering: .releasing)
    }
}

extension DatabaseEventKind {
    fileprivate var table: String {
        switch self {
        case .insert(let table), .delete(let table), .update(let table, _): table.lowercased()
        }
    }
}
