import GRDB
import Synchronization

/// Tells a monitor of the statements of a store that take long, with what SQLite does for them.
///
/// SQLite times each statement of a connection that asks for it. The plan is read later and on another connection,
/// since nothing may be asked of one that is at work.
package final class StatementWatch: Sendable {
    private let monitor: any StorageMonitor
    private let threshold: Duration
    private let door = Mutex<WeakDoor>(WeakDoor())

    /// The pool keeps this watch, so the watch must not keep the pool.
    private struct WeakDoor {
        weak var actor: DatabaseActor?
    }

    /// Nil if the monitor wants no statements.
    package init?(_ monitor: (any StorageMonitor)?) {
        guard let monitor, let threshold = monitor.slowStatementThreshold else { return nil }
        self.monitor = monitor
        self.threshold = threshold
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

    private func finished(_ statement: Database.TraceEvent.Statement, _ seconds: TimeInterval) {
        let duration = Duration.seconds(seconds)
        guard duration >= threshold else { return }
        let sql = statement.sql
        guard !sql.hasPrefix("EXPLAIN") else { return }
        Task { [self] in
            monitor.record(.slowStatement(SlowStatement(sql: sql, duration: duration, plan: await plan(of: sql))))
        }
    }

    /// Empty for what has no plan, such as `COMMIT`, and for what only the connection that ran it knows.
    private func plan(of sql: String) async -> [String] {
        // Some pragmas take effect when they are prepared, and reading this plan would run one in its turn.
        guard sql.prefix(6).lowercased() != "pragma", let pool = door.withLock({ try? $0.actor?.openPool })
        else { return [] }
        // In no transaction: its statements would be timed in turn, and have their plans read.
        let plan = try? await pool.unsafeRead { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            // Its values are not known here, and the plan does without them.
            statement.setUncheckedArguments(StatementArguments())
            return try String.fetchAll(statement, adapter: Self.detail)
        }
        return plan ?? []
    }

    /// The column of `EXPLAIN QUERY PLAN` that people read.
    private static let detail = SuffixRowAdapter(fromIndex: 3)
}
