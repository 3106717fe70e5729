import Persistence
import StorageTestSupport

/// A database on a file in a folder of its own.
struct Shelf: Sendable {
    let folder: TemporaryFolder
    let database: SQLiteDatabase

    /// - Parameter sql: What to run first.
    init(
        _ sql: String = "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)", sync: Bool = true,
        busyTimeout: Duration = .seconds(5)
    ) async throws {
        folder = try TemporaryFolder()
        database = try await SQLiteDatabase(path: folder.file().path, busyTimeout: busyTimeout)
        if !sync { try await database.execute("PRAGMA synchronous = OFF") }
        try await database.execute(sql)
    }

    func titles() async throws -> [SQLiteValue] {
        try await database.titles()
    }
}

extension SQLiteDatabase {
    func titles() async throws -> [SQLiteValue] {
        try await rows("SELECT title FROM books ORDER BY id").map { $0.values[0] }
    }

    func add(_ title: String) async throws {
        try await execute("INSERT INTO books (title) VALUES (?)", [.text(title)])
    }
}

/// The `SQLiteError` that a call throws; nil if it throws none or another.
func sqliteError(_ body: () async throws -> Void) async -> SQLiteError? {
    await thrownError(body) as? SQLiteError
}
