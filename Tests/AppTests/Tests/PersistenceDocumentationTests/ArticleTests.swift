import Persistence
import Testing

/// The code of the module's article, compiled and run.
@Suite struct ArticleTests {
    struct Book: Codable, Sendable, Equatable {
        var id: Int64?
        var title: String
        var printed: Date?
        var tags: [String] = []
    }

    struct Shelf: Sendable {
        let id: UUID
    }

    @Test func theArticleDoesWhatItShows() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let database = try await SQLiteDatabase(path: url.path)
        try await database.execute(
            """
            CREATE TABLE IF NOT EXISTS books (
                id INTEGER PRIMARY KEY, title TEXT NOT NULL, printed REAL, tags TEXT NOT NULL
            )
            """)
        let schema = TableSchema<Book>.codable(table: "books", primaryKey: "id")
        let books = DAO.make(database: database, schema: schema)

        var book = try await books.create(Book(title: "Notes", tags: ["engines"]))
        book.title = "Notes on the Engine"
        let updated = try await books.update(book)
        let found = try await books.read(.integer(1))
        let notes = try await books.query("SELECT * FROM books WHERE title LIKE ?", [.text("Notes%")])
        #expect(updated == book)
        #expect(found == book)
        #expect(notes == [book])

        try await database.execute("UPDATE books SET title = upper(title); DELETE FROM books WHERE tags = '[]'")
        let rows = try await database.rows("SELECT COUNT(*) AS total FROM books")
        #expect(rows.first?.value("total") == .integer(1))

        let insert = try await database.prepare("INSERT INTO books (title, tags) VALUES (?, '[]')")
        for title in ["A", "B"] {
            try await insert.bind([.text(title)]).execute()
        }
        var titles: [String] = []
        try await database.forEachRow("SELECT * FROM books ORDER BY id") { row in
            print(try schema.decode(row).title)
            titles.append(try schema.decode(row).title)
        }
        #expect(titles == ["NOTES ON THE ENGINE", "A", "B"])

        try await database.withTransaction { db in
            let books = DAO.make(database: db, schema: schema)
            _ = try await books.create(Book(title: "One"))
            try? await db.withTransaction { inner in
                try await inner.execute("DELETE FROM books")
                throw CancellationError()
            }
            _ = try await books.create(Book(title: "Two"))
        }
        #expect(try await books.list().map(\.title) == ["NOTES ON THE ENGINE", "A", "B", "One", "Two"])
    }

    @Test func aSchemaByHandDoesWhatTheArticleShows() async throws {
        let shelves = TableSchema<Shelf>(
            table: "shelves", primaryKey: "shelf_id",
            encode: { ["shelf_id": .text($0.id.uuidString)] },
            decode: { row in
                guard case .text(let text)? = row.value("shelf_id"), let id = UUID(uuidString: text) else {
                    throw SQLiteError.decodingFailed(message: "A shelf without an id")
                }
                return Shelf(id: id)
            })
        let database = try await SQLiteDatabase.inMemory()
        try await database.execute("CREATE TABLE shelves (shelf_id TEXT PRIMARY KEY)")
        let shelf = Shelf(id: UUID())
        #expect(try await DAO.make(database: database, schema: shelves).create(shelf).id == shelf.id)
    }
}
