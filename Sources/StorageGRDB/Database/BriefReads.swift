import GRDBSQLite
import Synchronization

/// Knows which queries take less than to change to another thread and back, so that they can run on the calling one.
final class BriefReads: Sendable {
    /// About what a change of threads costs.
    private static let limit = Duration.microseconds(100)

    private let brief = Mutex<Set<String>>([])
    /// A program that makes up its SQL is to fill no memory with it.
    private static let most = 1000

    /// Whether a query took but a moment the last time.
    func has(_ sql: String) -> Bool { brief.withLock { $0.contains(sql) } }

    /// To be told how long a query took.
    func took(_ duration: Duration, _ sql: String) {
        brief.withLock { brief in
            guard duration <= Self.limit else { return _ = brief.remove(sql) }
            if brief.count >= Self.most { brief = [] }
            brief.insert(sql)
        }
    }
}

/// Stops what a connection runs once SQLite's machine has taken so many steps for it, of which a row takes some twenty: what
/// took but a moment with other arguments may take long with these. Used by whoever has the connection.
final class StepLimit {
    private static let steps: Int32 = 1000
    private static let most = 5

    /// How often the steps have been taken.
    private var count = 0

    /// - Returns: Nil if the body was stopped, whatever error that gave.
    func run<T>(_ connection: OpaquePointer, _ body: () throws -> T) throws -> T? {
        count = 0
        let limit = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            connection, Self.steps,
            { limit in
                limit.map { Unmanaged<StepLimit>.fromOpaque($0).takeUnretainedValue().take() } == false ? 1 : 0
            }, limit)
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        do {
            return try body()
        } catch  where count >= Self.most {
            return nil
        }
    }

    /// - Returns: Whether there are more.
    private func take() -> Bool {
        count += 1
        return count < Self.most
    }
}
