import GRDB
import StorageSQLite
import Synchronization

/// Watches the transactions of one writer connection for the hub. All but ``isTransactionOpen`` is used on the
/// connection's thread only.
final class CommitObserver: TransactionObserver, @unchecked Sendable {
    // A hub has a connection of its own to the file, which is not to stay open for as long as an app keeps its pool.
    private weak var hub: ChangeHub?
    private let newestTracking: ChangeHub.TrackingVersion
    private let collector: ChangeCollector
    private let monitor: (any StorageMonitor)?
    private var connection: Connection?
    /// Whether SQLite tells of each row; otherwise GRDB tells of tables.
    private var seesRows = false
    /// The tables that statements said they would change, where GRDB tells of them.
    private var announced: Set<String> = []
    /// Whether the commit has begun.
    private var isCommitting = false
    /// Whether a commit began before and nobody said what became of it.
    private var isDoubtful = false
    /// What the connection had done when its last transaction ended.
    private var work = Work()
    /// Whether changed rows tell that something was written, since there are no pages.
    private let countsRows: Bool
    /// The state of the database before the commit that has begun, if that can be told.
    private var stateBefore: WALToken?
    private var schemaVersion: Int?
    /// The hub's stamp when the collector's columns were looked up; of an epoch that never was until they are.
    private var resolved = ChangeHub.Tracking.Stamp(version: 0, epoch: -1)
    // Not weak: once an object has had a weak reference, whoever retains it takes the slow way, and GRDB does so many times for a
    // statement. The connection is there whenever it is asked for: the connection itself calls, or a transaction on it.
    private unowned var database: Database?
    private weak var writer: (any DatabaseWriter)?
    /// Whether the open transaction leaves the schema alone, as StorageKit's own do.
    private var leavesSchema = false
    /// Whether the closure of a transaction runs.
    private var refusesCommits = false
    /// Whether that transaction has ended before its closure has, even if another began.
    private(set) var hasEnded = false
    /// The rows that the open transaction saves and caches may have.
    private var savedRows: [SavedRow] = []

    private struct Work: Equatable {
        var pages: Int32 = 0
        /// Of a store in memory, those of attached and temporary tables included.
        var rows = 0
    }

    /// A row that a transaction saves, to be put into a cache.
    struct SavedRow {
        /// The lowercased name of its table.
        let table: String
        let id: StoredValue
        /// Called once it is committed, if nobody committed after it and nothing but the save changed the row.
        let fill: @Sendable () -> Void
    }

    /// - Parameter monitor: Hears of the rows of each commit, if it asks for them.
    init(hub: ChangeHub, monitor: (any StorageMonitor)? = nil) {
        self.hub = hub
        newestTracking = hub.trackingVersion
        countsRows = hub.isInMemory
        let limit = monitor?.committedRowLimit ?? 0
        self.monitor = limit > 0 ? monitor : nil
        collector = ChangeCollector(log: limit > 0 ? ChangedRowLog(limit: limit) : nil)
    }

    /// - Parameter wanted: Whether to use SQLite's preupdate hook, if there is one.
    func attach(to writer: any DatabaseWriter, seesRows wanted: Bool = true) {
        self.writer = writer
        hub?.add(self)
        writer.add(transactionObserver: self, extent: .databaseLifetime)
        writer.unsafeReentrantWrite { db in
            database = db
            connection = db.borrowedConnection
            work = workDone
            seesRows = wanted && collector.attach(to: db)
            schemaVersion = try? db.schemaCookie()
        }
    }

    deinit {
        if isCommitting { hub?.didPerhapsCommit() }
    }

    /// Whether a transaction of the connection has changed rows that it has not committed yet.
    var isTransactionOpen: Bool { collector.isTransactionOpen }

    /// Runs a transaction of StorageKit's own, which leaves the schema alone, from before its beginning to its end.
    func withoutSchemaChanges<T>(_ transaction: () throws -> T) rethrows -> T {
        // SQLite may roll it back without a word to observers: what was said must not hold for the next.
        defer {
            endUnreported()
            leavesSchema = false
            savedRows = []
        }
        prepareForTransaction()
        leavesSchema = true
        return try transaction()
    }

    /// Runs the closure of a transaction, which is not to end it: a commit of its own is turned into a rollback.
    ///
    /// - Parameter transaction: Begins the transaction and ends it. It calls ``allowCommit(leavesSchema:)`` before it commits.
    func guardingTransaction<T>(_ transaction: () throws -> T) rethrows -> T {
        prepareForTransaction()
        refusesCommits = true
        hasEnded = false
        defer {
            endUnreported()
            refusesCommits = false
            leavesSchema = false
        }
        return try transaction()
    }

    /// No transaction is open: what is left is of one whose end nobody told, as when SQLite rolled it back by itself.
    func prepareForTransaction() {
        // Who looks for a commit's end stands behind this transaction, however long that takes, and all who wait for it do too.
        endUnreported()
        _ = collector.take()
        savedRows = []
        if seesRows { resolveNewColumns() }
    }

    /// Lets the transaction be committed.
    ///
    /// - Parameter leavesSchema: Whether nothing ran in it that may have changed the schema, which then need not be looked at.
    func allowCommit(leavesSchema: Bool) {
        refusesCommits = false
        self.leavesSchema = leavesSchema
    }

    /// Has a row put into a cache once it is committed. To be called before that.
    func fillOnceCommitted(_ row: SavedRow) {
        savedRows.append(row)
    }

    /// Runs a write that undoes itself if it throws. What it was to put into caches is then forgotten too.
    func forgettingSavesOnError<T>(_ body: () throws -> T) rethrows -> T {
        let count = savedRows.count
        do {
            return try body()
        } catch {
            // None are left where the transaction has ended with it.
            savedRows.removeLast(max(0, savedRows.count - count))
            throw error
        }
    }

    // MARK: - Changes

    /// Called before each statement that changes rows, and while one that deletes some is prepared: there no other may be.
    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        guard !seesRows else {
            if !kind.isDeletion { resolveNewColumns() }
            return false
        }
        // Changes of tables without rowids are announced here and nowhere else.
        announced.insert(kind.tableName)
        return true
    }

    /// Called where SQLite does not tell of rows.
    func databaseDidChange(with event: DatabaseEvent) {
        collector.add(table: event.tableName)
    }

    // MARK: - Transactions

    func databaseWillCommit() throws {
        guard !refusesCommits else {
            hasEnded = true
            throw StorageError.transactionFailed(underlying: EndedTransactionError())
        }
        // Of a statement of the app's that is not read to its end GRDB does not say that it commits when it is reset. Transactions of
        // StorageKit's own look for that when they end.
        if !leavesSchema { writer?.asyncWriteWithoutTransaction { [weak self] _ in self?.endUnreported() } }
        guard !isCommitting else {
            isDoubtful = true
            return
        }
        isCommitting = true
        guard let hub else { return }
        stateBefore = hub.token
        hub.willCommit()
    }

    func databaseDidCommit(_ db: Database) {
        let fills = savedRows.filter { collector.hasChangedOnce($0.id, of: $0.table) }.map(\.fill)
        announced.forEach(collector.add)
        let rows = takeRows()
        let tables = collector.take()
        let (isCommitting, isDoubtful, leavesSchema) = (isCommitting, isDoubtful, leavesSchema)
        let written = finish()
        guard isCommitting, let hub else { return }
        defer { if let rows { monitor?.record(.commit(rows)) } }
        guard !isDoubtful else { return hub.didPerhapsCommit() }
        let stamp = hub.trackingStamp
        let isSchemaKnown = leavesSchema && resolved.epoch == stamp.epoch
        let isSameSchema = isSchemaKnown || checkSchema(in: db)
        let isExplained = !tables.isEmpty || !written
        // What was saved by columns of another schema is read anew.
        hub.didCommit(
            isSameSchema && isExplained ? .tables(tables) : .anything, advancing: written,
            fills: isSameSchema ? fills : [])
        if !isSameSchema || resolved != stamp { resolveColumns(hub.tracking, in: db, epoch: stamp.epoch) }
    }

    func databaseDidRollback(_ db: Database) {
        hasEnded = true
        _ = collector.take()
        let wasCommitting = isCommitting
        _ = finish()
        if wasCommitting { hub?.didNotCommit() }
    }

    /// Has GRDB look at the tables again, once the connection's thread is free.
    func forgetSchema() {
        writer?.asyncWriteWithoutTransaction { db in
            if db.sqliteConnection != nil { db.clearSchemaCache() }
        }
    }

    /// Ends a commit of which GRDB does not say how it ended: one that failed and that SQLite rolled back, or that a statement made
    /// when it was reset.
    private func endUnreported() {
        guard isCommitting, let database, !database.isInsideTransaction else { return }
        guard database.sqliteConnection != nil else {
            // Closed meanwhile: it has ended, and there are no pages to count.
            isCommitting = false
            hub?.didPerhapsCommit()
            return
        }
        let rows = takeRows()
        _ = collector.take()
        // Pages are counted before SQLite writes them, which may fail. The log's index moves once they are written.
        let before = stateBefore
        let isDone = finish() || hub?.isPrivate == true
        if before.map({ hub?.token != $0 }) ?? isDone, let rows { monitor?.record(.commit(rows)) }
        hub?.didPerhapsCommit()
    }

    private func takeRows() -> CommittedRows? { connection.flatMap { try? collector.log?.take($0) } }

    private var workDone: Work {
        guard let connection else { return Work() }
        return Work(pages: connection.pagesWritten, rows: countsRows ? connection.totalChangeCount : 0)
    }

    /// - Returns: Whether anything was written since the transaction before ended.
    private func finish() -> Bool {
        isCommitting = false
        isDoubtful = false
        leavesSchema = false
        savedRows = []
        announced = []
        stateBefore = nil
        let before = work
        work = workDone
        return work != before
    }

    /// Whether the schema is still the one that the columns were looked up in.
    private func checkSchema(in db: Database) -> Bool {
        let version = try? db.schemaCookie()
        defer { schemaVersion = version }
        return version != nil && version == schemaVersion
    }

    /// Looks up the columns of tables that somebody wants to know the rows of since the last commit, so that the first
    /// commit after that need not count as a change of all rows. In another schema than the known one it does.
    private func resolveNewColumns() {
        guard newestTracking.number.load(ordering: .acquiring) != resolved.version else { return }
        guard let hub, let database, (try? database.schemaCookie()) == schemaVersion else { return }
        resolveColumns(hub.tracking, in: database, epoch: resolved.epoch)
    }

    /// - Parameter epoch: That of before the commit was told of. The next commit looks again if it is another by now, or if this fails.
    private func resolveColumns(_ tracking: ChangeHub.Tracking, in db: Database, epoch: Int) {
        let isResolved = (try? collector.resolve(tracking.tables, in: db)) != nil
        resolved = ChangeHub.Tracking.Stamp(version: tracking.stamp.version, epoch: isResolved ? epoch : -1)
    }
}

extension Database {
    /// A number that each change of the schema increments, whoever makes it.
    func schemaCookie() throws -> Int? {
        try firstRow("PRAGMA main.schema_version", []) { try $0.next() }
    }
}

extension DatabaseEventKind {
    fileprivate var isDeletion: Bool {
        if case .delete = self { true } else { false }
    }

    fileprivate var tableName: String {
        switch self {
        case .insert(let table), .delete(let table), .update(let table, _): table
        }
    }
}
