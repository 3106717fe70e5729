import Observation
import StorageKit
import Testing

/// The code of the article on observation, compiled and run; each loop ends after its first value.
enum Pinboard {
    @StorageEntity
    struct Note {
        var id: String
        var title: String
        var isDone: Bool
    }

    @MainActor final class Notebook {
        let open: LiveQuery<[Note]>
        let pinned: LiveQuery<Note?>

        init(_ storage: Storage) {
            open = LiveQuery(storage.query(Note.self).where { !$0.isDone })
            pinned = LiveQuery(Note.self, id: "1", in: storage)
        }

        var title: String {
            switch open.phase {
            case .loading: "..."
            case .ready: "\(open.value.count) open"
            case .failed(let error): "\(error)"
            }
        }
    }
}

@MainActor @Suite struct ObservationArticleTests {
    typealias Note = Pinboard.Note
    typealias NoteRecord = Pinboard.NoteRecord

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func start() async throws -> StorageKit.Context {
        let url = folder.appendingPathComponent("desk.sqlite")
        let options = StartOptions(onObservationError: { print("observation:", $0) })
        let context = try StorageKit.start(at: url, options: options) { $0.autoSchema(NoteRecord.self) }
        try await context.facade.save([
            Note(id: "1", title: "b", isDone: false), Note(id: "2", title: "a", isDone: false),
            Note(id: "3", title: "c", isDone: true),
        ])
        return context
    }

    @Test func theStreamsOfTheArticleGiveWhatItSays() async throws {
        let context = try await start()
        defer { try? FileManager.default.removeItem(at: folder) }
        let storage = context.facade
        for await note in storage.observe(Note.self, id: "1") {
            #expect(note?.title == "b")
            break
        }
        for await notes in storage.observeAll(Note.self, orderBy: "title") {
            #expect(notes.map(\.id) == ["2", "1", "3"])
            break
        }
        for await notes in storage.observeAllDistinct(Note.self) {
            #expect(notes.map(\.id) == ["1", "2", "3"])
            break
        }
        let open = storage.query(Note.self).where { !$0.isDone }.orderBy("title")
        for await notes in open.observe() {
            #expect(notes.map(\.id) == ["2", "1"])
            break
        }
        for await notes in open.limit(20).observeDistinct() {
            #expect(notes.map(\.id) == ["2", "1"])
            break
        }
        for await first in open.observeOne() {
            #expect(first?.id == "2")
            break
        }
        for await count in open.observeCount() {
            #expect(count == 2)
            break
        }
    }

    @Test func theClosureStreamsOfTheArticleGiveWhatItSays() async throws {
        let context = try await start()
        defer { try? FileManager.default.removeItem(at: folder) }
        let db = context.storage.dbActor
        for await notes in db.stream(tracking: { db in try Note.fetchAll(db) }) {
            #expect(notes.count == 3)
            break
        }
        for await notes in db.streamImmediate(tracking: { db in try Note.fetchAll(db) }) {
            #expect(notes.count == 3)
            break
        }
        for await notes in db.streamOnMainActor(tracking: { db in try Note.fetchAll(db) }) {
            #expect(notes.count == 3)
            break
        }
        for await notes in db.streamDistinctOnMainActor(tracking: { db in try Note.fetchAll(db) }) {
            #expect(notes.count == 3)
            break
        }
    }

    @Test func theViewModelOfTheArticleFollowsTheStore() async throws {
        let context = try await start()
        defer { try? FileManager.default.removeItem(at: folder) }
        let notebook = Pinboard.Notebook(context.facade)
        #expect(notebook.title == "...")
        await notebook.open.refresh()
        await notebook.pinned.refresh()
        #expect(notebook.title == "2 open")
        #expect(notebook.pinned.value?.title == "b")
    }
}

/// The loops of the article as they stand there. They have no end, so they are compiled only.
@MainActor private struct ObservationLoops {
    typealias Note = Pinboard.Note

    let show: (Note?) -> Void
    let list: ([Note]) -> Void
    let badge: (Int) -> Void

    func entities(_ storage: Storage) async {
        for await note in storage.observe(Note.self, id: "1") { show(note) }
        for await notes in storage.observeAll(Note.self, orderBy: "title") { list(notes) }
        for await notes in storage.observeAllDistinct(Note.self) { list(notes) }
    }

    func queries(_ storage: Storage) async {
        let open = storage.query(Note.self).where { !$0.isDone }.orderBy("title")
        for await notes in open.observe() { list(notes) }
        for await notes in open.limit(20).observeDistinct() { list(notes) }
        for await first in open.observeOne() { show(first) }
        for await count in open.observeCount() { badge(count) }
    }

    func closures(_ context: StorageKit.Context, count: ([Note]) -> Void) async {
        let db = context.storage.dbActor
        for await notes in db.stream(tracking: { db in try Note.fetchAll(db) }) { count(notes) }
        for await notes in db.streamOnMainActor(tracking: { db in try Note.fetchAll(db) }) { list(notes) }
        for await notes in db.streamDistinctOnMainActor(tracking: { db in try Note.fetchAll(db) }) { list(notes) }
    }
}

/// The patterns that the documents show for observation, as an app would have them.
@MainActor @Suite struct ObservationPatternTests {
    @StorageEntity
    struct Post: Equatable {
        var id: String
        var authorId: String
    }

    @Observable
    @MainActor
    final class PostStore {
        private(set) var posts: [Post] = []
        private var observationTask: Task<Void, Never>?

        func startObserving(_ storage: Storage, authorId: String) {
            observationTask = Task {
                let stream = storage.observeAll(Post.self, orderBy: "id", ascending: false)
                    .filter { $0.authorId == authorId }
                for await updatedPosts in stream {
                    self.posts = updatedPosts
                }
            }
        }

        func stopObserving() {
            observationTask?.cancel()
            observationTask = nil
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private func start() throws -> StorageKit.Context {
        try StorageKit.start(at: folder.appendingPathComponent("posts.sqlite")) { $0.autoSchema(PostRecord.self) }
    }

    @Test func aFilteredStreamHasTheEntitiesThatMeetTheCondition() async throws {
        let context = try start()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await context.facade.save([
            Post(id: "1", authorId: "a"), Post(id: "2", authorId: "b"), Post(id: "3", authorId: "a"),
        ])
        let store = PostStore()
        store.startObserving(context.facade, authorId: "a")
        let deadline = ContinuousClock.now + .seconds(900)
        while store.posts.isEmpty, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        #expect(store.posts.map(\.id) == ["3", "1"])
        store.stopObserving()
    }

    @Test func buffersAndErrorHandlersAreNamedAsDocumented() async throws {
        let context = try start()
        defer { try? FileManager.default.removeItem(at: folder) }
        let db = context.storage.dbActor
        let streams = [
            db.streamOnMainActor(bufferingPolicy: .bufferingNewest(1)) { db in
                try Post.fetchAll(db)
            },
            db.streamOnMainActor(bufferingPolicy: .bufferingOldest(10)) { db in
                try Post.fetchAll(db)
            },
            db.streamOnMainActor(bufferingPolicy: .unbounded) { db in
                try Post.fetchAll(db)
            },
            db.streamOnMainActor(onError: { error in
                print("Observation error: \(error)")
            }) { db in
                try Post.fetchAll(db)
            },
        ]
        for stream in streams {
            for await posts in stream {
                #expect(posts.isEmpty)
                break
            }
        }
    }
}

#if canImport(SwiftUI)
import SwiftUI

extension Pinboard {
    struct NoteList: View {
        @Live private var notes: [Note]

        init(storage: Storage, isDone: Bool) {
            _notes = Live(id: isDone, LiveQuery(storage.query(Note.self).where { $0.isDone == isDone }))
        }

        var body: some View {
            List(notes) { note in Text(note.title) }
        }
    }
}
#endif
