import StorageKit
import Testing

/// The code of the article for those who come from Core Data, compiled and run.
enum Binder {
    @StorageEntity
    struct Folder {
        var id: UUID
        var name: String
        @StorageHasMany(foreignKey: "folderId") var notes: [Note]
    }

    @StorageEntity
    struct Note {
        var id: UUID
        var title: String
        var isDone = false
        @StorageReference(Folder.self, onDelete: .cascade) var folderId: UUID
    }
}

@Suite struct ComingFromCoreDataArticleTests {
    typealias Folder = Binder.Folder
    typealias FolderRecord = Binder.FolderRecord
    typealias Note = Binder.Note
    typealias NoteRecord = Binder.NoteRecord

    @Test func theArticleDoesWhatItShows() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let storage = try start(at: place.appendingPathComponent("binder.sqlite"))
        let folder = Folder(id: UUID(), name: "Garden")
        try await storage.save(folder)

        var note = Note(id: UUID(), title: "Water the plants", folderId: folder.id)
        try await storage.save(note)
        let word = "plant"
        let notes = try await storage.query(Note.self)
            .where { !$0.isDone && $0.title.contains(word, ignoringCase: true) }
            .orderBy(\.title)
            .fetch()
        #expect(notes == [note])

        let inGarden = storage.query(Note.self).where { $0.folder.name == "Garden" }
        let long = storage.query(Folder.self).where { $0.notes.exists { !$0.isDone } && $0.notes.count() > 3 }
        let filled = try await storage.query(Folder.self).including(\.notes).fetch()
        #expect(try await inGarden.fetch() == [note])
        #expect(try await long.fetch() == [])
        #expect(filled.map(\.notes) == [[note]])

        note.isDone = true
        try await storage.save(note)
        #expect(try await storage.get(Note.self, id: note.id) == note)

        try await storage.delete(folder)
        #expect(try await storage.count(Note.self) == 0)
    }

    @Test func theDataMovesInPieces() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let storage = try start(at: place.appendingPathComponent("binder.sqlite"))
        let folders = [Folder(id: UUID(), name: "Garden")]
        let old = (1...5_001).map { Note(id: UUID(), title: "\($0)", folderId: folders[0].id) }

        try await storage.save(folders)
        for start in stride(from: 0, to: old.count, by: 5_000) {
            let piece = old[start..<min(start + 5_000, old.count)]
            try await storage.save(
                piece.map { Note(id: $0.id, title: $0.title, isDone: $0.isDone, folderId: $0.folderId) })
        }
        #expect(try await storage.count(Note.self) == 5_001)
    }

    private func start(at url: URL) throws -> Storage {
        let context = try StorageKit.start(at: url) { schema in
            schema.autoSchema(FolderRecord.self, NoteRecord.self)
            schema.migration("2026-01-15_titles") { db in
                try db.execute(sql: "UPDATE notes SET title = trim(title)")
            }
        }
        return context.facade
    }

    // Without an end.
    private func observe(_ storage: Storage, show: ([Note]) -> Void) async {
        for await notes in storage.query(Note.self).where({ !$0.isDone }).orderBy(\.title).observe() { show(notes) }
    }
}
