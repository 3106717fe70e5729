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
        let trace = StatementTrace { [self] statement in noted.withLock { $0.statements.append(statement) } }
        options.alsoPrepare { trace.listen(to: $0) }
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
}
