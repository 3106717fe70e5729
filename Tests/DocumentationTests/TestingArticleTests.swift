import StorageKit
import Testing

/// The code of the article on testing, compiled and run.
enum Tested {
    @StorageEntity
    struct Note: Equatable {
        var id: String
        var title: String
        var isDone: Bool
    }

    enum Notebook {
        static func describe(_ schema: inout AppMigrations) {
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
        }
    }

    struct FixedClock: Clock {
        let now: Date
    }

    @Suite struct NotebookTests {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

        @Test func aNoteThatIsDoneIsNotOpen() async throws {
            defer { try? FileManager.default.removeItem(at: folder) }
            let context = try StorageKit.start(
                at: folder.appendingPathComponent("test.sqlite"), schema: Notebook.describe)
            let storage = context.facade

            try await storage.save([
                Note(id: "1", title: "Done", isDone: true), Note(id: "2", title: "Open", isDone: false),
            ])
            let open = try await storage.query(Note.self).where { !$0.isDone }.fetch()
            #expect(open.map(\.id) == ["2"])
        }
    }
}

@MainActor @Suite struct TestingArticleTests {
    typealias Notebook = Tested.Notebook
    typealias Note = Tested.Note
    typealias NoteRecord = Tested.NoteRecord
    typealias FixedClock = Tested.FixedClock

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var url: URL { folder.appendingPathComponent("test.sqlite") }

    @Test func theClockStampsWhatIsSaved() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let day = Date(timeIntervalSince1970: 86_400)
        let options = StorageKit.StartOptions(clock: FixedClock(now: day))
        let context = try StorageKit.start(at: url, options: options, schema: Notebook.describe)
        try await context.facade.save(Note(id: "1", title: "Stamped", isDone: false))
        let stamp = try await context.storage.dbActor.read { db in
            try String.fetchOne(db, sql: "SELECT updatedAt FROM notes")
        }
        #expect(stamp == "1970-01-02 00:00:00.000")
    }

    @Test func aStreamIsReadValueByValue() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try StorageKit.start(at: url, schema: Notebook.describe).facade
        var lists = storage.observeAll(Note.self, orderBy: "title").makeAsyncIterator()
        #expect(await lists.next() == [])
        try await storage.save(Note(id: "1", title: "First", isDone: false))
        #expect(await lists.next()?.map(\.title) == ["First"])
    }

    @Test func aRepositoryWorksInMemory() async throws {
        let queue = try DatabaseQueue()
        var schema = AppMigrations()
        Notebook.describe(&schema)
        try schema.run(on: queue)

        let notes = GenericRepository<Note, NoteRecord>(db: DatabaseActor(pool: queue))
        try await notes.put(Note(id: "1", title: "Kept nowhere", isDone: false))
        #expect(try await notes.get(id: "1")?.title == "Kept nowhere")
    }

    @Test func aShippedFileIsBroughtUpToDate() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shipped = folder.appendingPathComponent("version-1.sqlite")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: shipped.path)
        try await queue.write { db in
            try db.execute(sql: "CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)")
            try db.execute(sql: "INSERT INTO notes VALUES ('1', 'From version 1')")
        }
        try queue.close()

        try FileManager.default.copyItem(at: shipped, to: url)
        let context = try StorageKit.start(at: url, schema: Notebook.describe)
        #expect(try await context.facade.get(Note.self, id: "1")?.title == "From version 1")
        #expect(try await context.checkIntegrity().isIntact)

        var schema = AppMigrations()
        Notebook.describe(&schema)
        let plan = try schema.plan(on: context.storage.pool)
        #expect(plan.differences.isEmpty)
        #expect(plan.isEmpty)
    }
}
