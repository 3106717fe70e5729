import GRDB
import GRDBSQLite
import StorageKit
import Synchronization

/// Counts the work of SQLite in steps of a hundred instructions, and dies at one of them.
enum StepCounter {
    private static let count = Atomic<Int>(0)
    private static let last = Atomic<Int>(.max)

    static var steps: Int { count.load(ordering: .relaxed) }

    static func install(on db: GRDB.Database, killAfter: Int?) {
        if let killAfter { last.store(killAfter, ordering: .relaxed) }
        sqlite3_progress_handler(
            db.sqliteConnection, 100,
            { _ in
                if StepCounter.count.add(1, ordering: .relaxed).newValue >= StepCounter.last.load(ordering: .relaxed) {
                    kill(getpid(), SIGKILL)
                }
                return 0
            }, nil)
    }
}
