import GRDB
import StorageKit

/// `run-sql FILE`: says `ready`, then runs each line of its input as SQL, outside the library, and says `done`.
struct RunSQLCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "run-sql FILE") }
        path = arguments[0]
    }

    func run() throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try GRDB.DatabaseQueue(path: path, configuration: configuration)
        say("ready")
        while let sql = readLine() {
            try queue.inDatabase { try $0.execute(sql: sql) }
            say("done")
        }
    }
}
