public import StorageKit
import Synchronization

/// Notes the statements that a store runs, so that a test can say how many a piece of work takes. Work that runs a
/// statement for each row of another (the N+1 problem) shows at once.
///
/// ```swift
/// let log = StatementLog()
/// let store = try TemporaryStore(log: log) { $0.autoSchema(AuthorRecord.self) }
/// let statements = try await log.during { try await showAuthors(store.storage) }
/// #expect(statements.count <= 2, "\(statements)")
/// ```
///
/// Everything counts that any task runs on the store meanwhile, observations too. A store has either a log or a monitor
/// that times statements, not both.
public final class StatementLog: Sendable {
    private let noted = Mutex(Noted())

    private struct Noted {
        var statements: [NotedStatement] = []
        /// How many there were before them.
        var forgotten = 0
    }

    /// Creates an empty log.
    public init() {}

    /// Has each connection that is opened with these options noted. `TemporaryStore` does it for its log.
    ///
    /// - Parameter options: Options of a store that is not started yet.
    public func attach(to options: inout PoolOptions) {
        // Which would be noted twice.
        options.mayRestartQueries = false
        options.alsoPrepare { [self] db in
            // What a foreign key does to other rows begins in the words of the statement that runs.
            let running = Mutex<Set<String>>([])
            let transaction = Mutex<Int?>(nil)
            db.trace(options: [.statement, .profile]) { [self] event in
                switch event {
                case .statement(let statement):
                    let text = statement.expandedSQL
                    guard running.withLock({ $0.insert(text).inserted }) else { return }
                    let current = transaction.withLock { current in
                        current = db.isInsideTransaction ? current ?? .random(in: .min ... .max) : nil
                        return current
                    }
                    note(NotedStatement(sql: statement.sql, values: text.hashValue, transaction: current))
                case .profile(let statement, _):
                    _ = running.withLock { $0.remove(statement.expandedSQL) }
                }
            }
        }
    }

    /// All statements so far.
    public var statements: StatementList { StatementList(noted.withLock { $0.statements }) }

    /// The statements that begin while something is done.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the caller is on.
    ///   - body: What is done.
    /// - Throws: What `body` throws.
    public func during(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
    ) async rethrows -> StatementList {
        let before = noted.withLock { $0.forgotten + $0.statements.count }
        try await body()
        return StatementList(noted.withLock { Array($0.statements.dropFirst(max(0, before - $0.forgotten))) })
    }

    /// Forgets all statements so far.
    public func clear() {
        noted.withLock { $0 = Noted(forgotten: $0.forgotten + $0.statements.count) }
    }

    private func note(_ statement: NotedStatement) {
        noted.withLock { $0.statements.append(statement) }
    }
}

/// A statement that began.
struct NotedStatement {
    let sql: String
    /// A number for its values, which are not kept.
    let values: Int
    /// A number for the transaction that it is in; nil where it is one by itself.
    let transaction: Int?
}
