import StorageKit
import StorageKitTesting
import Testing

/// The README's program, compiled and run.
@Suite struct ReadmeTests {
    @StorageEntity
    struct Note {
        var id: String
        var title: String
        var isDone: Bool
    }

    @Test func theProgramDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("notes.sqlite")) { schema in
            schema.autoSchema(NoteRecord.self)
        }
        let storage = context.facade

        try await storage.save(Note(id: "1", title: "Water the plants", isDone: false))
        let open = try await storage.query(Note.self).where { !$0.isDone }.orderBy(\.title).fetch()
        #expect(open.map(\.title) == ["Water the plants"])
        for await notes in storage.observeAll(Note.self, orderBy: \.title) {
            #expect(notes == open)
            break
        }
    }

    @Test func theSecondVersionReadsWhatTheFirstWrote() async throws {
        let store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
        try await store.storage.save(Note(id: "1", title: " Water the plants ", isDone: true))
        try await store.context.close()
        let second = try TemporaryStore(folder: store.folder, schema: SecondVersion.describe)
        let note = try await second.storage.get(SecondVersion.Note.self, id: "1")
        #expect(note == SecondVersion.Note(id: "1", title: "Water the plants", isDone: true, due: nil, stars: 0))
    }

    // As they stand there: with a file in Application Support, where no test may leave one, and a loop without an end.
    private func theProgram() async throws {
        let context = try StorageKit.start(fileName: "notes.sqlite") { schema in
            schema.autoSchema(NoteRecord.self)
        }
        let storage = context.facade

        try await storage.save(Note(id: "1", title: "Water the plants", isDone: false))
        let open = try await storage.query(Note.self).where { !$0.isDone }.orderBy(\.title).fetch()
        for await notes in storage.observeAll(Note.self, orderBy: \.title) {
            print(notes.map(\.title))
        }
        #expect(open.isEmpty)
    }
}

private enum SecondVersion {
    @StorageEntity
    struct Note {
        var id: String
        var title: String
        var isDone: Bool
        var due: Date?
        var stars = 0
    }

    private func asItStandsThere() throws {
        let context = try StorageKit.start(fileName: "notes.sqlite") { schema in
            schema.autoSchema(NoteRecord.self)
            schema.migration("2026-11_trim") { db in
                try db.execute(sql: "UPDATE notes SET title = trim(title)")
            }
        }
        _ = context
    }

    static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(NoteRecord.self)
        schema.migration("2026-11_trim") { db in
            try db.execute(sql: "UPDATE notes SET title = trim(title)")
        }
    }
}
