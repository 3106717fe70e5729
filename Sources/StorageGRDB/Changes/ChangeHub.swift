import GRDB
import Synchronization

/// Knows after each commit which rows changed, by whatever road, and tells caches and observers: once for each database
/// file and process.
///
/// Each writer of the process has a ``WriterObserver``, which knows the rows. Commits of others are noticed by the
/// ``WALIndex``, and change ``ChangeSet/anything``. The two are told apart while a writer of ours holds the write lock:
/// between the moment its commit begins and the next, only its own commit can move the index, by one.
///
/// Caches are told inside the hub's lock, before the hub says that it is current: a cache that was asked while
/// ``isCurrent`` held, has given a value that was current then.
package final class ChangeHub: Sendable {
    /// Nil for a database that only one connection can see.
    private let index: WALIndex?
    /// Whether caches can be kept right at all: nobody else can commit without our knowing.
    package let canServeCaches: Bool
    /// The bits of ``State/known``, for reading without the lock.
    private let known: Atomic<UInt64>
    private let state: Mutex<State>

    private struct State {
        /// The last commit that caches and listeners were told of.
        var known: WALToken
        /// Writers of ours whose commit has begun and not ended.
        var committing = 0
        /// Commits of ours after `known`.
        var ownCommits: UInt32 = 0
        var tracking = Tracking()
        var caches: [String: [WeakCache]] = [:]
        var nextKey = 0
        var listeners: [Int: Listener] = [:]
    }

    /// The tables whose rows somebody wants to know.
    struct Tracking: Equatable {
        /// The id columns, by lowercased table.
        var idColumns: [String: String] = [:]
        /// One more with each change that nobody knows, after which a schema may be another.
        var epoch = 0
    }

    private struct Listener {
        /// The tables it listens to; nil for all.
        let tables: Set<String>?
        let wake: @Sendable () -> Void

        func isConcerned(by changes: ChangeSet) -> Bool {
            guard let tables else { return true }
            return tables.contains { changes.change(of: $0) != nil }
        }
    }

    /// - Parameters:
    ///   - index: Where commits of others show.
    ///   - isPrivate: Whether only one connection can see the database.
    init(index: WALIndex?, isPrivate: Bool) {
        self.index = index
        canServeCaches = index != nil || isPrivate
        let token = index?.token ?? WALToken(change: 0, checksum: 0)
        known = Atomic(token.bits)
        state = Mutex(State(known: token))
    }

    /// Whether caches know of all commits made until now.
    package var isCurrent: Bool {
        guard let index else { return canServeCaches }
        return index.token.bits == known.load(ordering: .acquiring)
    }

    // MARK: - Commits

    /// Looks whether others have committed, and tells everybody if so.
    package func catchUp() {
        guard let index, !isCurrent else { return }
        let wakes = state.withLock { state in
            // A commit of our own is under way, and will tell.
            state.committing == 0 ? noticeOthers(&state, index.token) : []
        }
        wakes.forEach { $0() }
    }

    /// A writer of ours begins to commit: it holds the write lock.
    func willCommit() {
        let wakes = state.withLock { state in
            defer { state.committing += 1 }
            guard let index, state.committing == 0 else { return [@Sendable () -> Void]() }
            return noticeOthers(&state, index.token)
        }
        wakes.forEach { $0() }
    }

    /// A writer of ours has committed.
    ///
    /// - Parameters:
    ///   - changes: What it changed.
    ///   - advancing: Whether it wrote anything.
    ///   - fill: Puts what was written into a cache. Called if that is still the last commit.
    func didCommit(_ changes: ChangeSet, advancing: Bool, fill: (@Sendable () -> Void)?) {
        let wakes = state.withLock { state in
            state.committing -= 1
            if advancing { state.ownCommits += 1 }
            var wakes = tell(changes, &state)
            guard let index else {
                fill?()
                return wakes
            }
            guard state.committing == 0 else { return wakes }
            let token = index.token
            if token.commits(since: state.known) == state.ownCommits {
                advance(&state, to: token)
                fill?()
            } else {
                wakes += noticeOthers(&state, token)
            }
            return wakes
        }
        wakes.forEach { $0() }
    }

    /// A writer of ours began to commit and failed.
    func didNotCommit() {
        state.withLock { $0.committing -= 1 }
    }

    private func noticeOthers(_ state: inout State, _ token: WALToken) -> [@Sendable () -> Void] {
        guard token != state.known else { return [] }
        let wakes = tell(.anything, &state)
        advance(&state, to: token)
        return wakes
    }

    private func advance(_ state: inout State, to token: WALToken) {
        state.known = token
        state.ownCommits = 0
        known.store(token.bits, ordering: .releasing)
    }

    /// Tells the caches.
    ///
    /// - Returns: How to wake the listeners concerned, outside the lock.
    private func tell(_ changes: ChangeSet, _ state: inout State) -> [@Sendable () -> Void] {
        switch changes {
        case .anything:
            state.tracking.epoch += 1
            for cache in state.caches.values.joined() { cache.cache?.forget(.allRows) }
        case .tables(let tables):
            for (table, change) in tables {
                for cache in state.caches[table] ?? [] { cache.cache?.forget(change) }
            }
        }
        guard !changes.isEmpty else { return [] }
        return state.listeners.values.filter { $0.isConcerned(by: changes) }.map(\.wake)
    }

    // MARK: - Those who want to know

    var tracking: Tracking { state.withLock { $0.tracking } }

    /// One more with each change that nobody knows, such as one of the schema.
    var epoch: Int { state.withLock { $0.tracking.epoch } }

    /// Tells a cache, from now on, which rows of a table to forget.
    ///
    /// - Parameters:
    ///   - cache: The cache, which the hub does not keep alive.
    ///   - table: The table.
    ///   - idColumn: The column whose values the cache knows rows by.
    package func tell(_ cache: some RowCache, of table: String, idColumn: String) {
        state.withLock { state in
            let table = table.asciiLowercased
            state.caches[table, default: []].removeAll { $0.cache == nil }
            state.caches[table, default: []].append(WeakCache(cache: cache))
            state.tracking.idColumns[table] = idColumn
        }
    }

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
}

/// A cache of rows, known by their ids.
package protocol RowCache: AnyObject, Sendable {
    /// Forgets rows. What is read now or later may be kept, what was being read before may not.
    func forget(_ change: TableChange)
}

private struct WeakCache: Sendable {
    weak var cache: (any RowCache)?
}
