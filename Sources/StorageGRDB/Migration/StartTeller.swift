import GRDB
import StorageSQLite

/// Tells somebody how far a start is, and asks whether to stop. Used by the thread that the start runs on.
package final class StartTeller {
    private let tell: ((StartProgress) -> Void)?
    private let isCancelled: () -> Bool
    private var partsExpected = 1
    private var partsDone = 0
    private var step: StartProgress.Step?
    private var table: String?
    private var rows: (done: Int, expected: Int)?
    private var fraction = 0.0
    /// What SQLite's machine does for a row, and has done since it began with the table.
    private var work: (perRow: Int, done: Int)?

    /// - Parameters:
    ///   - tell: Called as the start goes on.
    ///   - isCancelled: Whether to stop, with the file as it was.
    package init(_ tell: ((StartProgress) -> Void)? = nil, isCancelled: @escaping () -> Bool = { false }) {
        self.tell = tell
        self.isCancelled = isCancelled
    }

    /// - Throws: `CancellationError` if the start is to stop.
    package func check() throws {
        if isCancelled() { throw CancellationError() }
    }

    /// The start is over.
    package func end() {
        (step, table, rows, fraction) = (.done, nil, nil, 1)
        report()
    }

    // MARK: - Steps

    /// So many steps are to come.
    func expect(_ parts: Int) {
        partsExpected = max(1, parts)
        partsDone = 0
    }

    /// Runs a step.
    func during<T>(_ step: StartProgress.Step, _ body: () throws -> T) throws -> T {
        try check()
        (self.step, table, rows, work) = (step, nil, nil, nil)
        report()
        let result = try body()
        partsDone += 1
        try check()
        return result
    }

    /// So many rows of a table, or pages of the file, are done.
    func told(_ done: Int, of expected: Int, table: String? = nil) throws {
        try check()
        self.table = table
        rows = (done, expected)
        report()
    }

    /// Runs statements that go through all rows of a table so many times.
    func working<T>(on table: String, _ db: Database, walks: Int = 1, _ body: () throws -> T) throws -> T {
        guard tell != nil else { return try body() }
        let count = try db.rowCount(of: table)
        let columns = try db.tableSchema(named: table)?.columns.count ?? 0
        // Each column is read, and then there is a record to make and to write.
        work = (perRow: walks * (columns + 8), done: 0)
        try told(0, of: count, table: table)
        defer { work = nil }
        let result = try body()
        try told(count, of: count, table: table)
        return result
    }

    // MARK: - Statements

    /// Has the statements of a connection stopped when the start is to stop, and progress told while they run.
    func watching<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        guard tell != nil, let connection = db.borrowedConnection else { return try body() }
        // As long as the connection is borrowed.
        connection.interrupt { [unowned self] in
            advance(by: Connection.stepsPerInterruption)
            return isCancelled()
        }
        return try withExtendedLifetime(connection, body)
    }

    private func advance(by steps: Int) {
        guard let work, let rows else { return }
        let before = self.rows?.done
        self.work?.done = work.done + steps
        // Not all, as long as it is not over.
        self.rows?.done = min((work.done + steps) / work.perRow, max(0, rows.expected - 1))
        if self.rows?.done != before { report() }
    }

    private func report() {
        guard let tell, let step else { return }
        let part = rows.map { $0.expected == 0 ? 0 : Double($0.done) / Double($0.expected) } ?? 0
        if step != .done {
            // A walk may find more to do than was expected.
            let all = (Double(partsDone) + min(1, part)) / Double(max(partsExpected, partsDone + 1))
            fraction = max(fraction, min(all, 0.999))
        }
        tell(
            StartProgress(
                step: step, table: table, rowsDone: rows?.done, rowsExpected: rows?.expected, fraction: fraction))
    }
}
