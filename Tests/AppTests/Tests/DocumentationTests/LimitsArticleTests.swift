import StorageKit
import Testing

/// What the article on limits says of cases that no other test has.
@Suite struct LimitsArticleTests {
    enum Library {
        @StorageEntity
        struct Author {
            var id: String
            @StorageHasMany(foreignKey: "authorId") var books: [Book]
        }

        @StorageEntity
        struct Book {
            var id: String
            var authorId: String
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func start(_ pool: PoolOptions = PoolOptions()) throws -> Storage {
        let context = try StorageKit.start(
            at: folder.appendingPathComponent("library.sqlite"), options: StorageKit.StartOptions(pool: pool)
        ) { schema in
            schema.autoSchema(Library.AuthorRecord.self, Library.BookRecord.self)
        }
        return context.facade
    }

    @Test func childrenAreNeitherSavedNorDeletedWithTheirParent() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try start()
        var author = Library.Author(id: "1")
        author.books = [Library.Book(id: "1", authorId: "1")]
        try await storage.save(author)
        #expect(try await storage.count(Library.Book.self) == 0)

        try await storage.save(author.books)
        try await storage.delete(author)
        #expect(try await storage.count(Library.Book.self) == 1)
    }

    @Test func aStoreIsReadOnlyWhereTheConfigurationSaysSo() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let writing = try start()
        try await writing.save(Library.Author(id: "1"))

        let reading = try start(PoolOptions(configure: { $0.readonly = true }))
        #expect(try await reading.get(Library.Author.self, id: "1") == Library.Author(id: "1"))
        await #expect(throws: StorageError.self) { try await reading.save(Library.Author(id: "2")) }
        #expect(try await reading.count(Library.Author.self) == 1)
    }
}
