import GRDBSQLite

/// Stops what a connection runs once SQLite's machine has taken so many steps for it, of which a row takes some twenty.
package enum StepLimit {
    private static let stepsPerCall: Int32 = 1000
    private static let calls = 5

    /// Runs a body within the limit.
    ///
    /// - Parameters:
    ///   - connection: SQLite's connection. It has no other progress handler.
    ///   - body: Runs statements on it.
    /// - Returns: Nil if the body was stopped, whatever error that gave.
    package static func run<T>(on connection: OpaquePointer, _ body: () throws -> T) throws -> T? {
        var count = 0
        // The handler has the address for no longer than the closure lasts.
        return try withUnsafeMutablePointer(to: &count) { count in
            sqlite3_progress_handler(
                connection, stepsPerCall,
                { count in
                    guard let count = count?.assumingMemoryBound(to: Int.self) else { return 0 }
                    count.pointee += 1
                    return count.pointee >= StepLimit.calls ? 1 : 0
                }, count)
            defer { sqlite3_progress_handler(connection, 0, nil, nil) }
            do {
                return try body()
            } catch  where count.pointee >= calls {
                return nil
            }
        }
    }
}
