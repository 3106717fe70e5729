import GRDB
import Synchronization

extension DatabaseActor {
    /// Runs a read of no table in particular.
    package func run<Value: Sendable>(_ read: TableRead<Value>) async throws -> Value {
        try await convertingErrors(during: .read) { try await readRows(mayBeBrief: read.mayBeBrief, read.body) }
    }

    /// The rows of a statement of the app's, read again after each change of a table that they are of.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - onError: Called with the errors of streams that have no handler of their own.
    package func live<Row>(_ statement: SQLStatement<Row>, onError: ErrorHandler?) -> LiveValue<[Row]> {
        live(onError: onError) { [self] in LiveStatement(db: self, statement: statement) }
    }
}

/// Reads the rows of a statement, all of them after each change.
private struct LiveStatement<Row: Sendable>: LiveReader {
    let db: DatabaseActor
    let statement: SQLStatement<Row>
    let followed = FollowedTables()
    let latest = LatestValue<[Row]>()

    var table: String? { nil }
    var sql: String { (try? statement.query.sql) ?? "" }

    func read(_ pending: LivePending) async throws -> LiveOutcome {
        guard pending.take() != .nothing else { return .nothing }
        let schema = followed.schema
        let (rows, tables) = try await db.run(statement.allWithTables())
        followed.follow(tables, schema)
        return .all(isNew: latest.become(rows), rows.count)
    }

    func isConcerned(by changes: ChangeSet) -> Bool { followed.isConcerned(by: changes) }
}

/// The tables that a live statement reads, as far as that is known.
private final class FollowedTables: Sendable {
    private let state = Mutex(State())

    private struct State {
        var tables = TablesRead(mayBeMore: true)
        /// One more each time that the tables may have become others.
        var schema = 0
    }

    /// To be called before a read begins, and handed to ``follow(_:_:)`` after it.
    var schema: Int { state.withLock { $0.schema } }

    func follow(_ tables: TablesRead, _ schema: Int) {
        state.withLock { if $0.schema == schema { $0.tables = tables } }
    }

    /// Whether a commit can have changed what the statement gives.
    func isConcerned(by changes: ChangeSet) -> Bool {
        state.withLock { state in
            switch changes {
            case .anything:
                state.tables = TablesRead(mayBeMore: true)
                state.schema += 1
                return true
            case .tables(let changed): return changed.keys.contains(where: state.tables.mayRead)
            }
        }
    }
}
