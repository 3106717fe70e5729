import GRDB
import GRDBSQLite
import StorageKit
import Synchronization

/// Counts the rows that SQLite hands out on all connections of a store, by statement tracing.
final class RowTrace: Sendable {
    private let read = Mutex<[String: Int]>([:])

    /// Traces the connections of a pool.
    var pool: PoolOptions {
        PoolOptions(configure: { [self] configuration in
            configuration.prepareDatabase { [self] db in
                let context = Unmanaged.passUnretained(self).toOpaque()
                sqlite3_trace_v2(
                    db.sqliteConnection, UInt32(SQLITE_TRACE_ROW),
                    { _, context, statement, _ in
                        guard let context, let statement, let sql = sqlite3_sql(OpaquePointer(statement)) else {
                            return 0
                        }
                        Unmanaged<RowTrace>.fromOpaque(context).takeUnretainedValue().note(String(cString: sql))
                        return 0
                    }, context)
            }
        })
    }

    private func note(_ sql: String) {
        read.withLock { $0[sql, default: 0] += 1 }
    }

    func clear() {
        read.withLock { $0 = [:] }
    }

    /// How many rows of a table SELECTs have read.
    func rows(of table: String) -> Int {
        read.withLock { $0 }.filter { $0.key.hasPrefix("SELECT") && $0.key.contains("FROM \"\(table)\"") }
            .reduce(0) { $0 + $1.value }
    }
}
