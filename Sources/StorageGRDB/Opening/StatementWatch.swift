import GRDB
import StorageSQLite
import Synchronization

/// Tells a monitor of the statements of a store that take long, with what SQLite does for them, and of indexes that they lack.
///
/// SQLite times each statement of a connection that asks for it. The plan is read later and on another connection,
/// since nothing may be asked of one that is at work.
package final class StatementWatch: Sendable {
    private let monitor: any StorageMonitor
    private let tables: [TableSchema]
    /// The statements whose indexes were looked for, or will be.
    private let known = Mutex<Set<String>>([])
    /// One after another, so that a monitor hears of them in the order they ran, and an app that starts has not all of its
    /// readers read plans.
    private let unread: AsyncStream<String>.Continuation
    private let door = Mutex<WeakDoor>(WeakDoor())
    private let looksForIndexes = Atomic<Bool>(false)

    /// An app that writes values into its SQL has new statements without end.
    private static let knownLimit = 1000

    /// The pool keeps this watch, so the watch must not keep the pool.
    private struct WeakDoor {
        weak var actor: DatabaseActor?
    }

    /// Nil if the monitor wants no statements.
    ///
    /// - Parameters:
    ///   - monitor: Who is told.
    ///   - tables: The tables of entities, where an index can be declared.
    package init?(_ monitor: any StorageMonitor, tables: [TableSchema]) {
        guard monitor.slowStatementThreshold != nil || monitor.tellsMissingIndexes else { return nil }
        self.monitor = monitor
        self.tables = tables
        let (statements, unread) = AsyncStream.makeStream(of: String.self)
        self.unread = unread
        // Ends with the watch, which nobody but the pool keeps.
        Task { [weak self] in
            for await sql in statements { await self?.tellMissingIndexes(of: sql) }
        }
    }

    deinit {
        unread.finish()
    }

    /// Has each connection that is opened with these options timed.
    package func attach(to options: inout PoolOptions) {
        options.alsoPrepare { [self] db in
            db.trace(options: .profile) { [self] event in
                if case .profile(let statement, let seconds) = event { finished(statement, seconds) }
            }
        }
    }

    /// Where plans are read.
    package func readPlans(from actor: DatabaseActor) {
        door.withLock { $0.actor = actor }
    }

    /// From now on, indexes are looked for, if the monitor wants to hear of them. What a start does once needs none.
    package func lookForMissingIndexes() {
        looksForIndexes.store(monitor.tellsMissingIndexes, ordering: .relaxed)
    }

    private func finished(_ statement: Database.TraceEvent.Statement, _ seconds: TimeInterval) {
        var duration = Duration.seconds(seconds)
        if let threshold = monitor.slowStatementThreshold, duration >= threshold, let atWork = StatementTime.atWork {
            duration = atWork
        }
        let isSlow = monitor.slowStatementThreshold.map { duration >= $0 } ?? false
        let looksForIndexes = looksForIndexes.load(ordering: .relaxed)
        guard isSlow || looksForIndexes else { return }
        let sql = statement.sql
        guard !sql.hasPrefix("EXPLAIN"), sql != PlannedStatement.schemaSQL, sql != Database.readSchemaSQL else {
            return
        }
        if isSlow {
            // Not a child of the walk that may be at work: what the monitor asks takes its own time.
            Task.detached { [self] in
                monitor.record(.slowStatement(SlowStatement(sql: sql, duration: duration, plan: await plan(of: sql))))
            }
        }
        if looksForIndexes, isNew(sql) { unread.yield(sql) }
    }

    private func isNew(_ sql: String) -> Bool {
        known.withLock { $0.count < Self.knownLimit && $0.insert(sql).inserted }
    }

    /// Empty for what has no plan, such as `COMMIT`, and for what only the connection that ran it knows.
    private func plan(of sql: String) async -> [String] {
        (try? await read(sql) { try $0.queryPlan(of: sql) }) ?? []
    }

    private func tellMissingIndexes(of sql: String) async {
        let found = try? await read(sql) { db in
            let planned = PlannedStatement(
                sql: sql, plan: try db.queryPlan(of: sql),
                schema: try String.fetchAll(db, sql: PlannedStatement.schemaSQL))
            return (planned, db.configuration.forPrivateDatabase)
        }
        guard let (planned, configuration) = found else { return }
        let tables = tables
        let missing = try? await DatabaseQueue(configuration: configuration).write {
            try $0.missingIndexes(for: planned, on: tables)
        }
        for index in missing ?? [] { monitor.record(.missingIndex(index)) }
    }

    /// Nil once the store is closed.
    private func read<T: Sendable>(
        _ sql: String, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T? {
        // Some pragmas take effect when they are prepared, and reading this plan would run one in its turn.
        guard (try? StorageSQLite.SQLText(sql))?.isAtPragma == false,
            let pool = door.withLock({ try? $0.actor?.openPool })
        else { return nil }
        // In no transaction: its statements would be timed in turn, and have their plans read.
        return try await pool.unsafeRead { db in
            // To explain a statement, SQLite does not look whether the file still has the schema that it knows.
            try db.readSchema()
            return try body(db)
        }
    }
}
