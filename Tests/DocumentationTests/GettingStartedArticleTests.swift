import StorageKit
import Testing

/// The code of the article on getting started, compiled and run.
enum Notebook {
    @StorageEntity
    struct Note {
        var id: String
        var title: String
        var isDone = false
        var due: Date?
    }

    static func open(at url: URL) throws -> StorageKit.Context {
        try StorageKit.start(at: url) { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
        }
    }
}

@Suite struct GettingStartedArticleTests {
    typealias Note = Notebook.Note
    typealias NoteRecord = Notebook.NoteRecord

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = try Notebook.open(at: folder.appendingPathComponent("notes.sqlite")).facade

        try await storage.save(Note(id: "1", title: "Water the plants"))
        try await storage.save([Note(id: "2", title: "Buy seeds"), Note(id: "3", title: "Read", due: Date())])

        let note = try await storage.get(Note.self, id: "1")
        let notes = try await storage.all(Note.self, orderBy: "title")
        #expect(notes.map(\.id) == ["2", "3", "1"])

        let open = try await storage.query(Note.self)
            .where { !$0.isDone && $0.title.contains("plant", ignoringCase: true) }
            .orderBy(\.due, nulls: .last)
            .limit(20)
            .fetch()
        #expect(open == [note])

        if var note {
            note.isDone = true
            try await storage.save(note)
        }
        try await storage.delete(Note.self, id: "2")
        #expect(try await storage.all(Note.self).map(\.isDone) == [true, false])
    }

    // In Application Support, where no test may leave a file.
    private func start() throws -> Storage {
        let context = try StorageKit.start(fileName: "notes.sqlite") { schema in
            schema.addKVCache()
            schema.autoSchema(NoteRecord.self)
        }
        let storage = context.facade
        return storage
    }

    // Without an end.
    private func observe(_ storage: Storage) async {
        for await notes in storage.observeAll(Note.self, orderBy: "title") {
            print(notes.map(\.title))
        }
    }

    private func save(_ note: Note, to storage: Storage) async throws {
        do {
            try await storage.save(note)
        } catch let error as StorageError {
            print(error)
        }
    }
}

#if canImport(SwiftUI)
import SwiftUI

extension Notebook {
    @MainActor static let storage: Storage = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        guard let context = try? open(at: url) else { fatalError("no store at \(url.path)") }
        return context.facade
    }()

    struct NoteList: View {
        @Live(LiveQuery(Note.self, in: Notebook.storage, orderBy: "title")) private var notes

        var body: some View {
            List(notes) { note in Text(note.title) }
        }
    }
}
#endif
