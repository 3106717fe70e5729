import GRDB
import StorageKit
import StorageTestSupport

/// `run-sql FILE`: says `ready`, then runs each line of its input as SQL, outside the library, and says `done`.
struct RunSQLCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "run-sql FILE") }
        path = arguments[0]
    }

    func run() throws {
        let queue = try GRDB.DatabaseQueue(path: path, configuration: .waitingForLocks)
        say("ready")
        while let sql = readLine() {
            try queue.inDatabase { try $0.execute(sql: sql) }
            say("done")
        }
    }
}
