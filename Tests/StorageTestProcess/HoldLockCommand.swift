import GRDB
import StorageKit

/// `hold-lock FILE read|write|exclusive`: takes the lock, says `locked`, and lets go when its input closes. With `read` it
/// holds on to the state that the file has then.
struct HoldLockCommand {
    private let path: String
    private let lock: String
    private var isExclusive: Bool { lock == "exclusive" }

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, ["read", "write", "exclusive"].contains(arguments[1]) else {
            throw UsageError(message: "hold-lock FILE read|write|exclusive")
        }
        path = arguments[0]
        lock = arguments[1]
    }

    func run() throws {
        var configuration = GRDB.Configuration()
        if isExclusive {
            // Set before the first access, it keeps others out of a file with a write-ahead log too.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        }
        let queue = try GRDB.DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            switch lock {
            case "read": try db.execute(sql: "BEGIN; SELECT count(*) FROM sqlite_master")
            case "write": try db.execute(sql: "BEGIN IMMEDIATE")
            default: try db.execute(sql: "BEGIN EXCLUSIVE")
            }
            say("locked")
            while readLine() != nil {}
            try db.execute(sql: "ROLLBACK")
        }
        say("released")
    }
}
