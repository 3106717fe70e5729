import Persistence
import Testing

/// The snippets of the module's document, compiled and run.
@Suite struct DocumentTests {
    struct User: Codable, Sendable {
        let id: Int64
        let name: String
        let createdAt: Date
    }

    struct Session: Codable, Sendable {
        let identifier: UUID
        let expiresAt: Date
    }

    struct MyType: Codable, Sendable, Equatable {
        let id: Int64
        let days: [Date]
    }

    @Test func aDAODoesWhatTheDocumentShows() async throws {
        let databaseURL = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: databaseURL) }
        let database = try await SQLiteDatabase(path: databaseURL.path)
        try await database.execute(
            """
            CREATE TABLE IF NOT EXISTS users (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                createdAt REAL NOT NULL
            )
            """
        )

        let schema = TableSchema<User>.codable(
            table: "users",
            primaryKey: "id"
        )

        let users = DAO.make(database: database, schema: schema)

        let created = try await users.create(
            User(id: 1, name: "Ada", createdAt: Date())
        )

        let fetched = try await users.read(.integer(1))
        let all = try await users.list()
        #expect(fetched?.createdAt == created.createdAt)
        #expect(all.map(\.name) == ["Ada"])

        let updated = try await users.update(
            User(id: 1, name: "Ada Lovelace", createdAt: created.createdAt)
        )
        #expect(updated.name == "Ada Lovelace")

        let results = try await users.query(
            "SELECT * FROM users WHERE name LIKE ?",
            [.text("Ada%")]
        )
        #expect(results.map(\.id) == [1])

        let rows = try await users.queryRows(
            "SELECT COUNT(*) AS total FROM users",
            []
        )
        #expect(rows.first?.value("total") == .integer(1))

        try await users.delete(.integer(1))

        try await database.withTransaction { db in
            let users = DAO.make(database: db, schema: schema)
            _ = try await users.create(User(id: 2, name: "Grace", createdAt: Date()))
            _ = try await users.create(User(id: 3, name: "Katherine", createdAt: Date()))
        }
        #expect(try await users.list().map(\.name) == ["Grace", "Katherine"])
    }

    @Test func aCustomSchemaMapsColumns() async throws {
        let schema = TableSchema<Session>(
            table: "sessions",
            primaryKey: "id",
            encode: { session in
                [
                    "id": .text(session.identifier.uuidString),
                    "expires_at": .real(session.expiresAt.timeIntervalSince1970),
                ]
            },
            decode: { row in
                guard
                    case let .text(idText)? = row.value("id"),
                    case let .real(seconds)? = row.value("expires_at"),
                    let id = UUID(uuidString: idText)
                else {
                    throw SQLiteError.decodingFailed(message: "Invalid session row")
                }
                return Session(identifier: id, expiresAt: Date(timeIntervalSince1970: seconds))
            }
        )
        let database = try await SQLiteDatabase(path: ":memory:")
        try await database.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, expires_at REAL)")
        let sessions = DAO.make(database: database, schema: schema)
        let session = Session(identifier: UUID(), expiresAt: Date(timeIntervalSince1970: 1_800_000_000.25))
        _ = try await sessions.create(session)
        let read = try await sessions.read(.text(session.identifier.uuidString))
        #expect(read?.expiresAt == session.expiresAt)

        try await database.execute("UPDATE sessions SET expires_at = NULL")
        await #expect(throws: SQLiteError.decodingFailed(message: "Invalid session row")) {
            try await sessions.list()
        }
    }

    @Test func codingOptionsDecideOnJSON() async throws {
        let options = SQLiteCodingOptions(
            jsonEncoder: {
                let encoder = JSONEncoder()
                encoder.dateEncodingStrategy = .iso8601
                return encoder
            },
            jsonDecoder: {
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                return decoder
            }
        )

        let schema = TableSchema<MyType>.codable(
            table: "my_table",
            primaryKey: "id",
            options: options
        )
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute("CREATE TABLE my_table (id INTEGER PRIMARY KEY, days TEXT)")
        let values = DAO.make(database: database, schema: schema)
        let value = MyType(id: 1, days: [Date(timeIntervalSince1970: 0)])
        #expect(try await values.create(value) == value)
        #expect(
            try await database.rows("SELECT days FROM my_table").first?.value("days")
                == .text(#"["1970-01-01T00:00:00Z"]"#))
    }

    @Test func aDAOCanBeMadeOfClosures() async throws {
        let memoryDAO = DAO<User>(
            create: { $0 },
            read: { _ in nil },
            update: { $0 },
            delete: { _ in },
            list: { [] },
            query: { _, _ in [] },
            queryRows: { _, _ in [] }
        )
        #expect(try await memoryDAO.create(User(id: 1, name: "Ada", createdAt: Date())).name == "Ada")
        #expect(try await memoryDAO.read(.integer(1)) == nil as User?)
    }
}

extension DocumentTests.User: Equatable {}
