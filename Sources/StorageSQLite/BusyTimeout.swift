import GRDBSQLite

/// How long a connection's statements wait for the locks of others.
package struct BusyTimeout: Sendable {
    private let milliseconds: Int32

    /// What the connection waits now, be it set by a call or a pragma.
    package init(of connection: OpaquePointer) throws(SQLiteFailure) {
        let value = try Connection(borrowing: connection).value("PRAGMA busy_timeout")
        if case .integer(let number) = value { milliseconds = Int32(clamping: number) } else { milliseconds = 0 }
    }

    /// Runs a body whose statements wait for nobody, and then lets the connection wait as before.
    package func suspended<T>(on connection: OpaquePointer, _ body: () throws -> T) rethrows -> T {
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, milliseconds) }
        return try body()
    }
}
