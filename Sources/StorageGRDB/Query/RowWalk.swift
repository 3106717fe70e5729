import GRDB

/// Walks over the rows of a query, some hundred at a time or fewer large ones, all of them as they were at the first: what the
/// iterators of streams do. A copy goes on with the same walk.
public struct RowWalk<Row: Sendable>: AsyncIteratorProtocol {
    /// Reads the next rows.
    typealias Read = @Sendable (OpenRows, Database) throws -> [Row]

    /// Reads on, or begins; returns what is left, if anything is.
    private let fetch: @Sendable (OpenRows?) async throws -> ([Row], OpenRows?)
    private var hasBegun = false
    private var fetched = [Row]().makeIterator()
    private var rest: OpenRows?

    /// - Parameters:
    ///   - query: The query; asked for at the first row.
    ///   - read: Reads the next rows.
    init<R>(
        of table: RecordTable<R>, in db: DatabaseActor, _ query: @escaping @Sendable () throws -> LoweredQuery,
        read: @escaping Read
    ) {
        fetch = { rest in
            try await db.convertingErrors(during: .read, of: table) {
                let rows = try rest ?? OpenRows(query(), table.coders, in: db)
                return try await rows.read(in: db, read)
            }
        }
    }

    /// The next row, or nil behind the last.
    ///
    /// - Throws: As `fetch()` does. After an error there are no more rows.
    public mutating func next() async throws -> Row? { try await next(isolation: nil) }

    /// The next row, or nil behind the last. The caller's actor is left only where rows have to be read.
    ///
    /// - Throws: As `fetch()` does. After an error there are no more rows.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Row? {
        if let row = fetched.next() { return row }
        guard rest != nil || !hasBegun else { return nil }
        hasBegun = true
        let rows = rest
        rest = nil
        // Before the next ones are there, those that were handed over can go.
        fetched = [Row]().makeIterator()
        let read = try await fetch(rows)
        (fetched, rest) = (read.0.makeIterator(), read.1)
        return fetched.next()
    }
}

/// The rows of a query that is read little by little. Its statement stays where it is between two reads, so that SQLite finds and
/// sorts the rows once.
final class OpenRows: GuestConnection, @unchecked Sendable {
    // The statement is used in closures of the connection's queue, which come one after the other, and is let go in one of them or
    // with the last reference to this, before the connection, which nobody else has.

    private let query: LoweredQuery
    private let coders: JSONCoders
    private let reader: any DatabaseReader
    private var statement: Statement?
    private var row: RowReader?
    private var isAtEnd = false
    /// How long the statement has taken, without the time between two reads.
    private var timeAtWork = Duration.zero

    /// Takes the state that the database has now. Where it has one connection only, which others use in between, all rows are
    /// read at once.
    init(_ query: LoweredQuery, _ coders: JSONCoders, in db: DatabaseActor) throws {
        self.query = query
        self.coders = coders
        let pool = try db.openPool
        reader = try (pool as? DatabasePool)?.makeSnapshot() ?? pool
        if reader is DatabaseSnapshot { try db.closeAtEnd(self) }
    }

    deinit { close() }

    func closeWithStore() {
        try? reader.read { _ in close() }
        try? reader.close()
    }

    /// Reads the next rows, and returns itself if there are others.
    func read<Row: Sendable>(
        in store: DatabaseActor, _ body: @escaping RowWalk<Row>.Read
    ) async throws -> ([Row], OpenRows?) {
        try await reader.read { [self] db in
            do {
                // What was closed with the store is not at its end.
                _ = try store.openPool
                return (try body(self, db), isAtEnd ? nil : self)
            } catch {
                close()
                throw error
            }
        }
    }

    /// How many rows are read at once, and how many bytes in them. Where there is one connection, which others use in between, all are.
    private var most: (rows: Int, bytes: Int) { reader is DatabaseSnapshot ? (256, 1 << 18) : (.max, .max) }

    /// Hands over the next rows, as many as are read at once.
    func forEachNext(_ db: Database, _ body: (inout RowReader) throws -> Void) throws {
        guard !isAtEnd else { return }
        try atWork {
            try db.explaining(query) {
                let statement = try statement ?? begin(db)
                guard var next = row.take() else { return close() }
                var (rows, bytes) = most
                while rows > 0, bytes > 0 {
                    rows -= 1
                    bytes -= statement.handle.rowByteCount
                    try body(&next)
                    guard try statement.advance(&next) else { return close() }
                }
                row = consume next
            }
        }
    }

    private func begin(_ db: Database) throws -> Statement {
        let statement = try db.boundStatement(query, isAlone: true)
        if try statement.takeFirstStep() { row = RowReader(statement: statement.handle, coders: coders) }
        self.statement = statement
        return statement
    }

    private func close() {
        isAtEnd = true
        row = nil
        atWork { statement = nil }
    }

    /// SQLite takes the time from the first step of a statement to its end, in which the app may have done anything.
    private func atWork<T>(_ body: () throws -> T) rethrows -> T {
        let (before, start) = (timeAtWork, ContinuousClock.now)
        let time = { before + (ContinuousClock.now - start) }
        defer { timeAtWork = time() }
        return try StatementTime.measured(by: time, body)
    }
}
