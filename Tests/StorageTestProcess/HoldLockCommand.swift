import GRDB
import StorageKit

/// `hold-lock FILE write|exclusive`: takes the lock, says `locked`, and lets go when its input closes.
struct HoldLockCommand {
    private let path: String
    private let isExclusive: Bool

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, ["write", "exclusive"].contains(arguments[1]) else {
            throw UsageError(message: "hold-lock FILE write|exclusive")
        }
        path = arguments[0]
        isExclusive = arguments[1] == "exclusive"
    }

    func run() throws {
        var configuration = GRDB.Configuration()
        if isExclusive {
            // Set before the first access, it keeps others out of a file with a write-ahead log too.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        }
        let queue = try GRDB.DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            try db.execute(sql: isExclusive ? "BEGIN EXCLUSIVE" : "BEGIN IMMEDIATE")
            say("locked")
            while readLine() != nil {}
            try db.execute(sql: "ROLLBACK")
        }
        say("released")
    }
}
