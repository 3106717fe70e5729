import GRDB
import GRDBSQLite
import StorageKit
import StorageSQLite
import Synchronization

/// Hears of each statement that connections begin. Those that SQLite runs within one, for a trigger, a foreign key or a virtual table,
/// are left out.
final class StatementTrace: Sendable {
    private let note: @Sendable (NotedStatement) -> Void
    private let work = Mutex(Work())

    private struct Work {
        /// The statements that have begun and not ended, by their addresses.
        var running: Set<UInt> = []
        /// The numbers of the open transactions, by the addresses of their connections.
        var transactions: [UInt: Int] = [:]
        var transactionCount = 0
    }

    init(_ note: @escaping @Sendable (NotedStatement) -> Void) {
        self.note = note
    }

    /// Has SQLite tell of the statements of a connection. GRDB's own trace does not say whose text it hands over.
    func listen(to db: Database) {
        // Unretained: the options that the connection was opened with keep this.
        sqlite3_trace_v2(
            db.sqliteConnection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
            { event, trace, statement, text in
                guard let trace, let statement else { return SQLITE_OK }
                let listener = Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue()
                if event == UInt32(SQLITE_TRACE_PROFILE) {
                    listener.ended(OpaquePointer(statement))
                } else if let text {
                    let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
                    listener.began(OpaquePointer(statement), sql)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Parameter text: The SQL of the statement. Of what it does by a trigger or a virtual table it is another text, with `-- ` before it.
    private func began(_ statement: OpaquePointer, _ text: String) {
        let sql = StatementHandle(statement).sql
        let address = UInt(bitPattern: statement)
        // What a foreign key does to other rows comes as the statement that runs, once more.
        guard text == sql, work.withLock({ $0.running.insert(address).inserted }) else { return }
        note(
            NotedStatement(
                sql: sql.trimmingCharacters(in: .whitespacesAndNewlines.union([";"])),
                values: sqlWithValues(of: statement).hashValue,
                transaction: transaction(of: sqlite3_db_handle(statement))))
    }

    private func ended(_ statement: OpaquePointer) {
        let address = UInt(bitPattern: statement)
        _ = work.withLock { $0.running.remove(address) }
    }

    private func sqlWithValues(of statement: OpaquePointer) -> String {
        guard let text = sqlite3_expanded_sql(statement) else { return "" }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    private func transaction(of connection: OpaquePointer?) -> Int? {
        let isOpen = sqlite3_get_autocommit(connection) == 0
        let address = UInt(bitPattern: connection)
        return work.withLock { work in
            if isOpen, let number = work.transactions[address] { return number }
            if isOpen { work.transactionCount += 1 }
            work.transactions[address] = isOpen ? work.transactionCount : nil
            return work.transactions[address]
        }
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
