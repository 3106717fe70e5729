import StorageKit
import StorageKitTesting
import Testing

/// The code of the article on testing, compiled and run.
enum Tested {
    @StorageEntity
    struct Note: Equatable {
        var id: String
        var title: String
        var isDone: Bool
    }

    @StorageEntity
    struct Author {
        var id: String
        @StorageHasMany(foreignKey: "authorId") var books: [Book]
    }

    @StorageEntity
    struct Book {
        var id: String
        @StorageReference(Author.self) var authorId: String
    }

    enum Notebook {
        static func describe(_ schema: inout AppMigrations) {
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
        }
    }

    @Suite struct NotebookTests {
        let store: TemporaryStore

        init() throws {
            store = try TemporaryStore(schema: Notebook.describe)
        }

        @Test func aNoteThatIsDoneIsNotOpen() async throws {
            try await store.storage.save([
                Note(id: "1", title: "Done", isDone: true), Note(id: "2", title: "Open", isDone: false),
            ])
            let open = try await store.storage.query(Note.self).where { !$0.isDone }.fetch()
            #expect(open.map(\.id) == ["2"])
        }
    }
}

@MainActor @Suite struct TestingArticleTests {
    typealias Notebook = Tested.Notebook
    typealias Note = Tested.Note

    @Test func theClockMovesByHand() async throws {
        let store = try TemporaryStore(schema: Notebook.describe)
        try await store.fill(100) { Note(id: "\($0)", title: "Note \($0)", isDone: $0.isMultiple(of: 2)) }
        let begin = store.clock.now
        store.clock.advance(by: 301)
        #expect(store.clock.now == begin + 301)
        #expect(try await store.storage.count(Note.self) == 100)
    }

    @Test func aStreamIsReadValueByValue() async throws {
        let store = try TemporaryStore(schema: Notebook.describe)
        let lists = StreamProbe(store.storage.observeAll(Note.self, orderBy: "title"))
        #expect(try await lists.next() == [])
        try await store.storage.save(Note(id: "1", title: "First", isDone: false))
        #expect(try await lists.next().map(\.title) == ["First"])
    }

    @Test func statementsAreCounted() async throws {
        let log = StatementLog()
        let store = try TemporaryStore(log: log, schema: Notebook.describe)
        let statements = try await log.during {
            _ = try await store.storage.query(Note.self).where { $0.title.hasPrefix("A") }.fetch()
        }
        #expect(statements.count == 1, "\(statements)")
        #expect(statements.repeated(atLeast: 2).isEmpty)
    }

    @Test func noStatementRunsForEachRow() async throws {
        typealias Author = Tested.Author
        let log = StatementLog()
        let store = try TemporaryStore(log: log) { $0.autoSchema(Tested.AuthorRecord.self, Tested.BookRecord.self) }
        try await store.fill(5) { Author(id: "\($0)") }
        try await store.fill(10) { Tested.Book(id: "\($0)", authorId: "\($0 % 5)") }
        let loaded = try await log.expectNoQueryPerRow {
            _ = try await store.storage.query(Author.self).including(\.books).fetch()
        }
        #expect(loaded.reads == 2, "\(loaded)")
    }

    @Test func aStoreMayBeInMemory() async throws {
        let context = try StorageKit.startInMemory(schema: Notebook.describe)
        try await context.facade.save(Note(id: "1", title: "Kept nowhere", isDone: false))
        #expect(try await context.facade.get(Note.self, id: "1")?.title == "Kept nowhere")
    }

    @Test func storesOfAllVersionsMigrate() throws {
        try SchemaSnapshots("Schemas", schema: Notebook.describe).check()
    }

    @Test func aShippedFileIsBroughtUpToDate() async throws {
        let folder = try TemporaryFolder()
        let shipped = folder.file("version-1.sqlite")
        let queue = try DatabaseQueue(path: shipped.path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)")
            try db.execute(sql: "INSERT INTO notes VALUES ('1', 'From version 1')")
        }
        try queue.close()

        let store = try TemporaryStore(copyOf: shipped, schema: Notebook.describe)
        #expect(try await store.storage.get(Note.self, id: "1")?.title == "From version 1")
        #expect(try await store.context.checkIntegrity().isIntact)

        var schema = AppMigrations()
        Notebook.describe(&schema)
        let plan = try schema.plan(on: store.context.storage.pool)
        #expect(plan.differences.isEmpty)
        #expect(plan.isEmpty)
    }
}
