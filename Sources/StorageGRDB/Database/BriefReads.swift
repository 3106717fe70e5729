import GRDBSQLite
import Synchronization

/// Knows which queries take less than to change to another thread and back, so that they can run on the calling one.
///
/// Now and then each of them changes the thread all the same, which shows how long it takes by now. And a task that does nothing
/// but queries lets others have its thread then.
final class BriefReads: Sendable {
    /// About what a change of threads costs.
    private static let limit = Duration.microseconds(100)
    /// How often a query runs on the calling thread in between.
    static let timesInBetween = 50
    /// A program that makes up its SQL is to fill no memory with it.
    private static let most = 1000

    /// How often each may still run there.
    private let left = Mutex<[String: Int]>([:])

    /// Whether a query may run on the calling thread this time.
    func take(_ sql: String) -> Bool {
        left.withLock { left in
            guard let place = left.index(forKey: sql) else { return false }
            left.values[place] -= 1
            if left.values[place] == 0 { left.remove(at: place) }
            return true
        }
    }

    /// To be told how long a query took on another thread.
    func took(_ duration: Duration, _ sql: String) {
        left.withLock { left in
            guard duration <= Self.limit else { return left[sql] = nil }
            if left.count >= Self.most { left = [:] }
            left[sql] = Self.timesInBetween
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
