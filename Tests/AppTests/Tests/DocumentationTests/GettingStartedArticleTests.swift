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
    struct NotesApp: App {
        private let context = Result {
            try StorageKit.start(fileName: "notes.sqlite") { schema in
                schema.autoSchema(NoteRecord.self)
            }
        }

        var body: some Scene {
            WindowGroup {
                switch context {
                case .success(let context): NoteList(storage: context.facade)
                case .failure(let error): Text(error.localizedDescription)
                }
            }
        }
    }

    struct NoteList: View {
        @Live private var notes: [Note]

        init(storage: Storage) {
            _notes = Live(LiveQuery(Note.self, in: storage, orderBy: "title"))
        }

        var body: some View {
            List(notes) { note in Text(note.title) }
        }
    }
}

// Against the stubs alone: the tests are built without Xcode too, which is what has the macro's plugin.
#if canImport(PreviewsMacros)
private typealias Note = Notebook.Note
private typealias NoteRecord = Notebook.NoteRecord
private typealias NoteList = Notebook.NoteList

#Preview {
    if let storage = try? StorageKit.startInMemory(schema: { $0.autoSchema(NoteRecord.self) }).facade {
        NoteList(storage: storage)
            .task { try? await storage.save(Note(id: "1", title: "Water the plants")) }
    }
}
#endif
#endif
