import StorageKit
import StorageKitTesting
import Testing

/// The code of the article on repositories, compiled and run.
enum Mailing {
    @StorageEntity
    struct Reader: Equatable {
        var id: String
        var name: String
        var town: String
    }
}

private typealias Reader = Mailing.Reader

private struct Newsletter: Sendable {
    let readers: AnyRepository<Reader>

    func subscribe(_ reader: Reader) async throws { try await readers.insert(reader) }
    func unsubscribe(_ id: String) async throws { try await readers.delete(id: id) }
    func inTown(_ town: String) async throws -> [Reader] {
        try await readers.getAll(where: "town", equals: town, orderBy: "name")
    }
}

private protocol ReaderStore: Sendable {
    func get(id: String) async throws -> Reader?
    func put(_ entity: Reader) async throws
}

extension AnyRepository: ReaderStore where E == Reader {}

@Suite struct RepositoriesArticleTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws { store = try TemporaryStore { $0.autoSchema(Mailing.ReaderRecord.self) } }

    @Test func aServiceHasTheReadsAndWritesOfOneEntity() async throws {
        let newsletter = Newsletter(readers: storage.anyRepository(Reader.self))
        let (ada, bob) = (Reader(id: "1", name: "Ada", town: "London"), Reader(id: "2", name: "Bob", town: "London"))
        try await newsletter.subscribe(bob)
        try await newsletter.subscribe(ada)
        #expect(try await newsletter.inTown("London") == [ada, bob])
        try await newsletter.unsubscribe("2")
        #expect(try await newsletter.inTown("London") == [ada])
    }

    @Test func aRepositoryDoesWhatTheArticleShows() async throws {
        let readers = (2...30).map { Reader(id: "\($0)", name: "Reader \($0)", town: $0 < 20 ? "Paris" : "Rome") }
        let repository = storage.repository(Reader.self)
        try await repository.put(Reader(id: "1", name: "Ada", town: "London"))
        let ada = try await repository.get(id: "1")
        #expect(ada?.name == "Ada")
        try await repository.putAll(readers)
        let first = try await repository.getPage(orderBy: "name", limit: 20)
        #expect(first.items.first == ada)
        if first.hasMore {
            let second = try await repository.getPage(orderBy: "name", limit: 20, offset: first.nextOffset)
            print(second.items.count)
            #expect(second.items.count == 10)
        }
        try await repository.deleteAll(where: "town", equals: "Paris")
        #expect(try await repository.countAll() == 12)

        let storage = storage
        try await storage.transaction { tx in
            guard var reader = try repository.get(id: "1", in: tx) else { return }
            reader.town = "Zurich"
            try repository.update(reader, in: tx)
        }
        #expect(try await repository.get(id: "1")?.town == "Zurich")
        await #expect(throws: StorageError.self) { try await repository.getAll(orderBy: "twon") }
    }

    @Test func aRepositoryStandsBehindAProtocolOfTheApp() async throws {
        let readers: any ReaderStore = storage.anyRepository(Reader.self)
        let ada = Reader(id: "1", name: "Ada", town: "London")
        try await readers.put(ada)
        #expect(try await readers.get(id: "1") == ada)
    }
}
