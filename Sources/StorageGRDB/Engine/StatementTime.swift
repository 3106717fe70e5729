import Foundation

/// How long a statement has been at work, where that is not the time since it began. SQLite tells of its end on the thread that ran it.
enum StatementTime {
    // No task-local value: pushed where there is no task, as on a queue of GRDB's, it crashes in optimised code (Swift 6.3).
    private static let key = "StorageKit.StatementTime"

    /// The time of the statement that the calling thread runs.
    static var atWork: Duration? { (Thread.current.threadDictionary[key] as? Measure)?.time() }

    /// Runs a body in which statements end that have been at work for another time than SQLite says.
    ///
    /// - Parameter time: How long, asked for when one ends; nil for as long as SQLite says.
    static func measured<T>(by time: (() -> Duration)?, _ body: () throws -> T) rethrows -> T {
        let values = Thread.current.threadDictionary
        let before = values[key]
        values[key] = time.map(Measure.init)
        defer { values[key] = before }
        return try body()
    }

    private final class Measure {
        let time: () -> Duration

        init(_ time: @escaping () -> Duration) {
            self.time = time
        }
    }
}
