import GRDB
import StorageKit
import StorageTestSupport

/// A file that is started with copies, at versions of a schema that differ by their migrations.
struct GuardedStore {
    let folder: TemporaryFolder
    var file: URL { folder.file() }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts at a version: the first has users, each further one a migration of its own.
    @discardableResult
    func start(
        _ version: Int, keeping number: Int? = 2, log: Lines? = nil,
        failing: (@Sendable (Database) throws -> Void)? = nil
    ) throws -> StorageKit.Context {
        let safety = number.map { StartSafety.backup(keeping: $0) } ?? .none
        return try StorageKit.start(at: file, options: StartOptions(safety: safety)) { schema in
            if let log { schema.setOptions(Options(logger: log.add)) }
            GuardedStore.describe(&schema, version)
            if let failing { schema.migration("failing", body: failing) }
        }
    }

    static func describe(_ schema: inout AppMigrations, _ version: Int) {
        schema.autoSchema(TestUserRecord.self)
        for number in 1..<max(2, version) where version > 1 {
            schema.migration("2026-0\(number)") { try $0.execute(sql: "CREATE TABLE table\(number) (x)") }
        }
    }

    /// Makes a file of the first version, closed, with so many users.
    func make(users: Int = 3) async throws {
        let context = try start(1, keeping: nil)
        try await context.facade.save((0..<users).map { TestUser("\($0)", name: "Ada") })
        try await context.close()
    }

    func copies() throws -> [StoreBackup] { try StorageKit.backups(of: file) }

    /// The files in the folder, but for those that SQLite keeps beside the store.
    func files() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
            .subtracting(["store.sqlite-wal", "store.sqlite-shm"])
    }

    /// Runs SQL on a connection that the library knows nothing of.
    func run(_ sql: String) throws {
        let queue = try GRDB.DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

/// What a migration throws that is to fail.
struct PlannedFailure: Error {}

extension StorageError {
    /// What a failed start or write had as its cause.
    var startCause: (any Error)? {
        switch self {
        case .migrationFailed(_, let cause), .transactionFailed(let cause): cause
        default: nil
        }
    }
}
