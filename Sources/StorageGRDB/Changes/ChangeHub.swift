import GRDB
import Synchronization

/// Knows after each commit which rows changed, by whatever road, and tells caches and observers: once for each database
/// file and process.
///
/// Each writer of the process has a ``CommitObserver``, which knows the rows. Commits of others are noticed by the
/// ``WALIndex``, and change ``ChangeSet/anything``. The two are told apart while a writer of ours holds the write lock:
/// between the moment its commit begins and the next, only its own commit can move the index, by one.
///
/// Caches are told inside the hub's lock, before the hub says that it is current: a cache that was asked while
/// ``isCurrent`` held, has given a value that was current then. Listeners are told at the same moment, so that of each state
/// the hub knows whether everybody has heard what led to it: see ``snapshotToken()``.
@usableFromInline
package final class ChangeHub: Sendable {
    /// Whether only one connection can see the database.
    let isPrivate: Bool
    /// The database's file; nil for one in memory.
    let path: String?
    private let knownIndex = AtomicLazyReference<WALIndex>()
    private let keepsLog = Atomic<Bool>(false)
    /// Whether the file has a log, so that its index can be opened sooner or later.
    private let hasLog = Atomic<Bool>(false)
    /// The bits of ``State/known``, for reading without the lock; of a private database ``underWay`` while somebody commits.
    private let known: Atomic<UInt64>
    private static let underWay = UInt64.max
    let trackingVersion = TrackingVersion()
    /// What the folders above keep of the file, by type.
    let parts = TypeMemo()
    private let state: Mutex<State>

    private struct State {
        /// The last commit that caches and listeners were told of.
        var known: WALToken
        /// Writers of ours whose commit has begun and not ended.
        var committing = 0
        /// Commits of ours after `known`.
        var ownCommits: UInt32 = 0
        /// All writers of ours.
        var writers: [WeakWriter] = []
        var tracking = Tracking()
        var caches: [String: [WeakCache]] = [:]
        var listeners: [ObjectIdentifier: Listener] = [:]
        /// Those who wait for the end of the commits under way.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watch: CommitWatch?
    }

    private struct Listener {
        let listener: any ChangeListener
        /// How often it asked to listen, and has not stopped.
        var count = 0
        /// How often it asked for commits of others to be looked for.
        var watching = 0
    }

    /// - Parameters:
    ///   - isPrivate: Whether only one connection can see the database.
    ///   - path: Its file; nil for one in memory.
    init(isPrivate: Bool, path: String? = nil) {
        self.isPrivate = isPrivate
        self.path = path
        let token = WALToken(change: 0, checksum: 0)
        known = Atomic(token.bits)
        state = Mutex(State(known: token))
    }

    /// Where commits of others show; nil for a database that only one connection can see, and until there is such a place.
    private var index: WALIndex? { knownIndex.load() }

    /// Whether there is no file, so that no pages are written.
    var isInMemory: Bool { path == nil }

    /// Whether caches can be kept right at all: nobody else can commit without our knowing.
    package var canServeCaches: Bool { isPrivate || index != nil }

    /// Looks for commits of others from now on, if there is a place where they show: there is none before the file has a log, or while
    /// the disk fails or another process repairs the log.
    func lookForIndex() {
        guard !knowsStates, let path, let opened = WALIndex(path: path) else { return }
        state.withLock { state in
            // Of a commit of ours that is under way nobody could say whether the index has moved for it.
            guard state.committing == 0 else { return }
            let index = knownIndex.storeIfNil(opened)
            if keepsLog.load(ordering: .relaxed) { index.keepLog() }
            // Read before: what others commit while it is told shows at the next look.
            let token = index.token
            tell(.anything, &state)
            advance(&state, to: token)
            // The one that looked for the index sleeps for a second.
            state.watch = nil
            updateWatch(&state)
        }
    }

    /// The file has a log: while its index cannot be opened, it is looked for as long as somebody listens.
    func expectIndex() {
        hasLog.store(true, ordering: .relaxed)
    }

    /// Leaves the files of the log where they are when the hub is gone, as the last who has the file open.
    func keepLog() {
        keepsLog.store(true, ordering: .relaxed)
        index?.keepLog()
    }

    /// Whether caches know of all commits made until now.
    @usableFromInline package var isCurrent: Bool {
        let known = known.load(ordering: .acquiring)
        guard let index else { return isPrivate && known != ChangeHub.underWay }
        return index.token.bits == known
    }

    // MARK: - Commits

    /// A connection begins to write that tells of its commits.
    func add(_ writer: CommitObserver) {
        state.withLock { state in
            state.writers.removeAll { $0.observer == nil }
            state.writers.append(WeakWriter(observer: writer))
        }
    }

    /// The state of the database, if caches and listeners have been told of all that led to it.
    func snapshotToken() -> WALToken? {
        guard let index else { return nil }
        catchUp()
        let token = index.token
        return token.bits == known.load(ordering: .acquiring) ? token : nil
    }

    /// The state of the database, if that can be told.
    var token: WALToken? { index?.token }

    /// Whether nobody has committed since a state.
    func isAt(_ token: WALToken) -> Bool { self.token == token }

    /// Whether no commit of ours is under way, and nobody waits for the end of one.
    var isIdle: Bool { state.withLock { $0.committing == 0 && $0.waiting.isEmpty } }

    /// Whether the state of the database can be told.
    var knowsStates: Bool { index != nil }

    /// Whether a writer of ours has a transaction open that has changed rows.
    var isWriting: Bool { state.withLock { $0.writers.contains { $0.observer?.isTransactionOpen == true } } }

    /// Somebody else has written the whole file anew: all that was known of it no longer holds, its tables neither.
    func forgetSchema() {
        let writers = state.withLock { $0.writers.compactMap(\.observer) }
        for writer in writers { writer.forgetSchema() }
        catchUp()
    }

    /// Waits for the commits of ours that are under way.
    func waitForCommits() async {
        catchUp()
        await withCheckedContinuation { continuation in
            let isTold = state.withLock { state in
                if state.committing > 0 { state.waiting.append(continuation) }
                return state.committing == 0
            }
            if isTold { continuation.resume() }
        }
    }

    /// Looks whether others have committed, and tells everybody if so.
    @usableFromInline
    package func catchUp() {
        guard let index, !isCurrent else { return }
        state.withLock { state in
            // A commit of our own that is under way tells when it ends.
            if state.committing == 0 { noticeOthers(&state, index.token) }
        }
    }

    /// A writer of ours begins to commit: it holds the write lock.
    func willCommit() {
        state.withLock { state in
            if let index {
                if state.committing == 0 { noticeOthers(&state, index.token) }
            } else {
                known.store(ChangeHub.underWay, ordering: .releasing)
            }
            state.committing += 1
        }
    }

    /// A writer of ours has committed.
    ///
    /// - Parameters:
    ///   - changes: What it changed.
    ///   - advancing: Whether it wrote anything.
    ///   - fills: Put what was written into caches. Called if that is known to be the last commit still.
    func didCommit(_ changes: ChangeSet, advancing: Bool, fills: [@Sendable () -> Void]) {
        endCommit { state in
            tell(changes, &state)
            guard index != nil else {
                if canServeCaches { fills.forEach { $0() } }
                return
            }
            if advancing { state.ownCommits += 1 }
            // Of several commits whose ends overlapped nobody knows which was the last.
            let isAlone = state.ownCommits == (advancing ? 1 : 0)
            if advanceAfterOwnCommits(&state), isAlone { fills.forEach { $0() } }
        }
    }

    /// A writer of ours began to commit and failed.
    func didNotCommit() {
        endCommit { _ = advanceAfterOwnCommits(&$0) }
    }

    /// Comes up to the last commit, once none of ours is under way, and tells everybody if others have committed.
    ///
    /// - Returns: Whether all commits since the last known one were ours.
    private func advanceAfterOwnCommits(_ state: inout State) -> Bool {
        guard let index, state.committing == 0 else { return false }
        let token = index.token
        guard token.commits(since: state.known) == state.ownCommits else {
            noticeOthers(&state, token)
            return false
        }
        advance(&state, to: token)
        return true
    }

    /// A writer of ours began to commit, and nobody said what became of it.
    func didPerhapsCommit() {
        endCommit { state in
            // Read before: what others commit while it is told shows at the next look.
            let token = index?.token
            tell(.anything, &state)
            if let token, state.committing == 0 { advance(&state, to: token) }
        }
    }

    private func endCommit(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            state.committing -= 1
            body(&state)
            guard state.committing == 0 else { return [CheckedContinuation<Void, Never>]() }
            if index == nil { known.store(state.known.bits, ordering: .releasing) }
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }

    private func noticeOthers(_ state: inout State, _ token: WALToken) {
        if token != state.known { tell(.anything, &state) }
        // Even if nothing moved: a commit of ours to an attached file was counted, and must not stand for one of others.
        advance(&state, to: token)
    }

    private func advance(_ state: inout State, to token: WALToken) {
        state.known = token
        state.ownCommits = 0
        known.store(token.bits, ordering: .releasing)
    }

    private func tell(_ changes: ChangeSet, _ state: inout State) {
        if case .tables = changes, state.caches.isEmpty, state.listeners.isEmpty { return }
        let changes = state.tracking.rowsKnown(to: changes)
        switch changes {
        case .anything:
            state.tracking.stamp.epoch += 1
            for cache in state.caches.values.joined() { cache.cache?.forget(.allRows) }
        case .tables(let tables):
            for (table, change) in tables {
                for cache in state.caches[table] ?? [] { cache.cache?.forget(change) }
            }
        }
        guard !changes.isEmpty else { return }
        for listener in state.listeners.values { listener.listener.note(changes) }
    }

    // MARK: - Those who want to know

    var tracking: Tracking { state.withLock { $0.tracking } }

    var trackingStamp: Tracking.Stamp { state.withLock { $0.tracking.stamp } }

    /// One more with each change that nobody knows, such as one of the schema.
    var epoch: Int { state.withLock { $0.tracking.stamp.epoch } }

    /// Tells a cache, from now on, which rows of a table to forget.
    ///
    /// - Parameters:
    ///   - cache: The cache, which the hub does not keep alive.
    ///   - table: The table.
    ///   - idColumn: The column whose values the cache knows rows by.
    package func tell(_ cache: some RowCache, of table: String, idColumn: String) {
        track(table, idColumn: idColumn)
        state.withLock { state in
            let table = table.asciiLowercased
            state.caches[table, default: []].removeAll { $0.cache == nil }
            state.caches[table, default: []].append(WeakCache(cache: cache))
        }
    }

    /// Collects, from now on, which rows of a table change.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - idColumn: The column whose values rows are known by.
    ///   - columns: The columns of which to know whether they change, and what else.
    func track(_ table: String, idColumn: String, columns: [String: ColumnInterest] = [:]) {
        state.withLock { state in
            let table = table.asciiLowercased
            let known = state.tracking.tables[table]
            var tracked = known ?? TrackedTable(idColumn: idColumn)
            tracked.add(idColumn: idColumn, columns)
            guard tracked != known else { return }
            state.tracking.tables[table] = tracked
            state.tracking.stamp.version += 1
            trackingVersion.number.store(state.tracking.stamp.version, ordering: .releasing)
        }
    }

    /// Tells a listener of each commit, until ``stop(_:watching:)`` was called as often as this.
    ///
    /// - Parameters:
    ///   - listener: The listener, which the hub keeps alive meanwhile.
    ///   - watching: Whether to look for commits of others all the time, and not only when somebody writes or asks a cache.
    package func listen(_ listener: some ChangeListener, watching: Bool) {
        if watching { lookForIndex() }
        state.withLock { state in
            var entry = state.listeners[ObjectIdentifier(listener)] ?? Listener(listener: listener)
            entry.count += 1
            entry.watching += watching ? 1 : 0
            state.listeners[ObjectIdentifier(listener)] = entry
            updateWatch(&state)
        }
    }

    /// Ends what ``listen(_:watching:)`` began.
    package func stop(_ listener: some ChangeListener, watching: Bool) {
        state.withLock { state in
            guard var entry = state.listeners[ObjectIdentifier(listener)] else { return }
            entry.count -= 1
            entry.watching -= watching ? 1 : 0
            state.listeners[ObjectIdentifier(listener)] = entry.count > 0 ? entry : nil
            updateWatch(&state)
        }
    }

    private func updateWatch(_ state: inout State) {
        let canFind = index != nil || hasLog.load(ordering: .relaxed)
        let isWanted = canFind && state.listeners.values.contains { $0.watching > 0 }
        if isWanted != (state.watch != nil) { state.watch = isWanted ? CommitWatch(hub: self) : nil }
    }

    /// How many streams listen now.
    package var listenerCount: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

    /// Whether commits of others are looked for all the time.
    package var isWatching: Bool { state.withLock { $0.watch != nil } }
}

/// A writer of ours. It is not kept alive: a commit ends with its connection.
private struct WeakWriter: Sendable {
    weak var observer: CommitObserver?
}
