import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@StorageEntity(table: "papers") private struct Paper {
    var id: Int
    var text: String
}

@StorageEntity(table: "bookmarks") private struct Bookmark {
    var id: Int
    var paperId: Int
    var page: Int
}

/// FTS5 may search for long without a step that could be counted, so that nothing would stop it on a thread that tasks share.
@Suite struct SearchedListTests {
    private let store: TemporaryStore
    private let reads = Reads()
    private var bookmarks: Query<Bookmark> { store.storage.query(Bookmark.self).orderBy(\.id) }
    private var searched: Query<Bookmark> {
        let papers = store.storage.query(Paper.self).matching("old OR new").select(\.id)
        return bookmarks.where { $0.paperId.in(papers) }
    }

    /// Notes on which connections bookmarks are read.
    private final class Reads: Sendable {
        private let connections = Mutex<Set<Connection>>([])

        enum Connection { case ofTheCallersThread, withAThreadOfItsOwn }

        func listen(to db: Database) {
            let connection: Connection = "\(db)".contains("reader") ? .withAThreadOfItsOwn : .ofTheCallersThread
            db.trace(options: .statement) { [self] event in
                if "\(event)".contains("FROM \"bookmarks\"") {
                    _ = connections.withLock { $0.insert(connection) }
                }
            }
        }

        func clear() { connections.withLock { $0 = [] } }
        var all: Set<Connection> { connections.withLock { $0 } }
    }

    init() async throws {
        store = try TemporaryStore(
            options: { [reads] options in
                options.pool.configure = { $0.prepareDatabase { reads.listen(to: $0) } }
            },
            schema: {
                $0.autoSchema(PaperRecord.self, BookmarkRecord.self)
                $0.addFullTextSearch(table: "papers", columns: ["text"])
            })
        try await store.storage.save([Paper(id: 1, text: "old"), Paper(id: 2, text: "new")])
        try await store.storage.save((1...6).map { Bookmark(id: $0, paperId: $0 % 2 + 1, page: 0) })
    }

    /// Where rows of a list are read after a save of one.
    private func connections(for query: Query<Bookmark>) async throws -> Set<Reads.Connection> {
        let probe = StreamProbe(query.observe())
        _ = try await probe.next()
        reads.clear()
        try await store.storage.save(Bookmark(id: 2, paperId: 1, page: 7))
        #expect(try await probe.next().contains { $0.page == 7 })
        return reads.all
    }

    /// The same of a window.
    @MainActor private func connections(forWindowOf query: Query<Bookmark>) async throws -> Set<Reads.Connection> {
        let window = LiveWindow(query, pageSize: 10, maximumPages: 3)
        await window.settle()
        reads.clear()
        try await store.storage.save(Bookmark(id: 2, paperId: 1, page: 7))
        await window.settle()
        #expect(window.items.contains { $0.page == 7 })
        return reads.all
    }

    @Test func changedRowsOfAListThatSearchesAreNotReadOnAThreadThatTasksShare() async throws {
        #expect(try await connections(for: searched) == [.withAThreadOfItsOwn])
    }

    @Test func changedRowsOfAWindowThatSearchesAreNotReadOnAThreadThatTasksShare() async throws {
        #expect(try await connections(forWindowOf: searched) == [.withAThreadOfItsOwn])
    }
}
