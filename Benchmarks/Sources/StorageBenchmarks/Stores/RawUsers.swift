import Foundation
import GRDBSQLite

/// Users to statements and back, by the fastest calls that C and Swift offer.
enum RawUsers {
    static let columns = "id, name, email, age, score, isActive, createdAt, bio, avatar, updatedAt"
    static let upsertSQL = """
        INSERT INTO users (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email, age = excluded.age,
        score = excluded.score, isActive = excluded.isActive, createdAt = excluded.createdAt, bio = excluded.bio,
        avatar = excluded.avatar, updatedAt = excluded.updatedAt
        """
    static let selectByIdSQL = "SELECT \(columns) FROM users WHERE id = ?"

    /// Inserts the user, or updates its row.
    @inline(__always) static func save(_ user: User, _ statement: RawStatement) throws {
        let handle = statement.handle
        statement.reset()
        statement.bind(user.id, at: 1)
        statement.bind(user.name, at: 2)
        statement.bind(user.email, at: 3)
        sqlite3_bind_int64(handle, 4, Int64(user.age))
        sqlite3_bind_double(handle, 5, user.score)
        sqlite3_bind_int64(handle, 6, user.isActive ? 1 : 0)
        RawDate.bind(user.createdAt, handle, 7)
        if let bio = user.bio { statement.bind(bio, at: 8) } else { sqlite3_bind_null(handle, 8) }
        if let avatar = user.avatar { statement.bind(avatar, at: 9) } else { sqlite3_bind_null(handle, 9) }
        RawDate.bind(user.updatedAt, handle, 10)
        _ = try statement.step()
        statement.reset()
    }

    /// The user with an id.
    @inline(__always) static func get(_ id: String, _ statement: RawStatement) throws -> User? {
        statement.reset()
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step() ? user(statement.handle) : nil
    }

    /// All users that a statement selects.
    static func all(_ statement: RawStatement) throws -> [User] {
        statement.reset()
        defer { statement.reset() }
        var users: [User] = []
        while try statement.step() { users.append(user(statement.handle)) }
        return users
    }

    @inline(__always) private static func user(_ row: OpaquePointer) -> User {
        User(
            id: text(row, 0), name: text(row, 1), email: text(row, 2), age: Int(sqlite3_column_int64(row, 3)),
            score: sqlite3_column_double(row, 4), isActive: sqlite3_column_int64(row, 5) != 0,
            createdAt: RawDate.read(row, 6),
            bio: sqlite3_column_type(row, 7) == SQLITE_NULL ? nil : text(row, 7),
            avatar: sqlite3_column_type(row, 8) == SQLITE_NULL ? nil : data(row, 8),
            updatedAt: RawDate.read(row, 9))
    }

    @inline(__always) static func text(_ row: OpaquePointer, _ column: Int32) -> String {
        let start = sqlite3_column_text(row, column)
        let count = Int(sqlite3_column_bytes(row, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    @inline(__always) static func data(_ row: OpaquePointer, _ column: Int32) -> Data {
        let start = sqlite3_column_blob(row, column)
        let count = Int(sqlite3_column_bytes(row, column))
        return Data(UnsafeRawBufferPointer(start: start, count: count))
    }
}
