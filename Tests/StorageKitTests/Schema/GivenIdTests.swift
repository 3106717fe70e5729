import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Entities whose ids SQLite gives.
@Suite struct GivenIdTests {
    @StorageEntity
    struct LogLine {
        var id: Int64?
        var text: String
    }

    @StorageEntity
    struct Page {
        let id: Int?
        var text: String
        @StorageVersion var version = 0
        @StorageReference(LogLine.self) var lineId: Int64?
    }

    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(LogLineRecord.self, PageRecord.self)
        }
    }

    // MARK: Writes

    @Test func anInsertReturnsTheEntityWithItsId() async throws {
        let line = try await storage.insert(LogLine(id: nil, text: "begun"))
        let id = try #require(line.id)
        #expect(line == LogLine(id: id, text: "begun"))
        #expect(try await storage.insert(LogLine(text: "ended")).id == id + 1)
        #expect(try await storage.all(LogLine.self).map(\.text) == ["begun", "ended"])
    }

    @Test func anIdThatIsChosenIsKept() async throws {
        #expect(try await storage.insert(LogLine(id: 7, text: "a")).id == 7)
        #expect(try await storage.insert(LogLine(text: "b")).id == 8)
        await #expect(throws: StorageError.self) { try await storage.insert(LogLine(id: 7, text: "c")) }
        #expect(try await storage.count(LogLine.self) == 2)
    }

    @Test func aSaveInsertsWhatHasNoIdAndUpdatesWhatHasOne() async throws {
        var line = try await storage.save(LogLine(text: "a"))
        line.text = "b"
        #expect(try await storage.save(line) == line)
        #expect(try await storage.all(LogLine.self) == [line])
    }

    @Test func severalThatAreSavedComeBackWithTheirIds() async throws {
        let lines = try await storage.save([LogLine(text: "a"), LogLine(id: 7, text: "b"), LogLine(text: "c")])
        #expect(lines.map(\.id) == [1, 7, 8])
        let more = try await storage.transaction { tx in try tx.save([LogLine(text: "d")]) + tx.save(lines) }
        #expect(more.map(\.id) == [9, 1, 7, 8])
        #expect(try await storage.count(LogLine.self) == 4)
    }

    @Test func aVersionIsCountedBesideAnIdThatIsGiven() async throws {
        var page = try await storage.save(Page(id: nil, text: "a"))
        #expect(page.version == 1)
        page.text = "b"
        let later = try await storage.save(page)
        #expect(later.id == page.id && later.version == 2)
        await #expect(throws: StorageError.self) { try await storage.save(page) }
        #expect(try await storage.all(Page.self) == [later])
    }

    @Test func whatHasNoIdIsNewWhateverItsVersion() async throws {
        let page = try await storage.save(Page(id: nil, text: "a", version: 3))
        let copies = try await storage.save([Page(id: nil, text: "b", version: 3)])
        #expect(page.version == 1 && copies.map(\.version) == [1])
        #expect(try await storage.all(Page.self) == [page] + copies)
        try await storage.delete(Page(id: nil, text: "a", version: 3))
        #expect(try await storage.count(Page.self) == 2)
    }

    @Test func manyAreInsertedInTheirOrder() async throws {
        let lines = try await storage.insert((1...3).map { LogLine(text: "\($0)") })
        let first = try #require(lines[0].id)
        #expect(lines.map(\.id) == [first, first + 1, first + 2])
        #expect(try await storage.all(LogLine.self) == lines)
        #expect(try await storage.insert([LogLine]()) == [])
    }

    @Test func ofManyThatAreInsertedAllAreThereOrNone() async throws {
        let taken = try await storage.insert(LogLine(text: "a"))
        await #expect(throws: StorageError.self) { try await storage.insert([LogLine(text: "b"), taken]) }
        #expect(try await storage.all(LogLine.self) == [taken])
    }

    @Test func manyAreSavedWithAndWithoutIds() async throws {
        let line = try await storage.insert(LogLine(id: 5, text: "a"))
        try await storage.save([LogLine(text: "b"), LogLine(id: line.id, text: "c"), LogLine(text: "d")])
        let lines = try await storage.all(LogLine.self)
        #expect(lines.map(\.id) == [5, 6, 7])
        #expect(lines.map(\.text) == ["c", "b", "d"])
    }

    @Test func aTransactionReturnsTheIdsToo() async throws {
        let lines = try await storage.transaction { tx in
            let first = try tx.insert(LogLine(text: "a"))
            let second = try tx.save(LogLine(text: "b"))
            let others = try tx.insert([LogLine(text: "c"), LogLine(text: "d")])
            #expect(try tx.get(LogLine.self, id: first.id) == first)
            return [first, second] + others
        }
        #expect(lines.allSatisfy { $0.id != nil })
        #expect(try await storage.all(LogLine.self) == lines)
    }

    @Test func aRepositoryReturnsTheIdsInATransactionToo() async throws {
        let lines = storage.repository(LogLine.self)
        let (one, many) = try await storage.transaction { tx in
            (try lines.insert(LogLine(text: "a"), in: tx), try lines.insert([LogLine(text: "b")], in: tx))
        }
        #expect(try await lines.getAll() == [one] + many)
        try await lines.put(LogLine(text: "c"))
        #expect(try await lines.countAll() == 3)
    }

    @Test func insertsThatWaitForEachOtherHaveIdsOfTheirOwn() async throws {
        let lines = try await withThrowingTaskGroup(of: LogLine.self) { group in
            for number in 0..<100 {
                group.addTask { try await storage.insert(LogLine(text: "\(number)")) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let byId = lines.sorted { $0.id ?? 0 < $1.id ?? 0 }
        #expect(try await storage.all(LogLine.self) == byId)
        #expect(Set(lines.map(\.id)).count == 100)
    }

    @Test func whatATriggerKeepsOutHasNoId() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE muted (n);
                    CREATE TRIGGER mute BEFORE INSERT ON loglines WHEN new.text = '' BEGIN
                        INSERT INTO muted VALUES (1);
                        SELECT RAISE(IGNORE);
                    END
                    """)
        }
        try await storage.insert(LogLine(text: "a"))
        await #expect(throws: StorageError.self) { try await storage.insert(LogLine(text: "")) }
        try await storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.insert(LogLine(text: "")) }
        }
        #expect(try await storage.count(LogLine.self) == 1)
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM muted") } == 0)
    }

    private func storeOfItsOwn(idType: String) throws -> TemporaryStore {
        try TemporaryStore { schema in
            schema.migration("own") { db in
                try db.execute(sql: "CREATE TABLE loglines (id \(idType), text TEXT NOT NULL, updatedAt DATETIME)")
            }
        }
    }

    @Test(arguments: ["INT PRIMARY KEY", "INTEGER UNIQUE"])
    func aTableThatGivesNoIdsTakesNoRowWithoutOne(idType: String) async throws {
        let store = try storeOfItsOwn(idType: idType)
        let error = await storageError { _ = try await store.storage.insert(LogLine(text: "a")) }
        guard case .invalidConfiguration = error else { return #expect(Bool(false), "\(error as Any)") }
        await #expect(throws: StorageError.self) { try await store.storage.insert([LogLine(text: "b")]) }
        try await store.storage.transaction { tx in
            #expect(throws: StorageError.self) { try tx.insert(LogLine(text: "c")) }
        }
        let lines = store.storage.repository(LogLine.self)
        await #expect(throws: StorageError.self) { try await lines.put(LogLine(text: "a")) }
        await #expect(throws: StorageError.self) {
            try await lines.putAll([LogLine(id: 1, text: "a"), LogLine(text: "b")])
        }
        await #expect(throws: StorageError.self) {
            try await store.storage.save(LogLine(text: "a"), onConflict: .update(\.id))
        }
        #expect(try await store.storage.insert(LogLine(id: 7, text: "d")).id == 7)
        #expect(try await store.storage.count(LogLine.self) == 1)
    }

    typealias LineId = Int64?

    @StorageEntity
    struct Hidden {
        var id: LineId
    }

    @Test func anIdThatIsAnOptionalBehindAnotherNameIsRefusedAtTheStart() throws {
        let error = try #require(throws: StorageError.self) { try TemporaryStore { $0.autoSchema(HiddenRecord.self) } }
        guard case .invalidConfiguration(let message) = error else { throw error }
        #expect(message == "the id of 'Hidden' is an optional behind another name; write it as 'Int64?' or 'Int?'")
    }

    @Test func aTableOfTheAppsOwnGivesIdsToo() async throws {
        let store = try storeOfItsOwn(idType: "integer PRIMARY KEY")
        #expect(try await store.storage.insert(LogLine(text: "a")).id == 1)
        #expect(try await store.storage.all(LogLine.self) == [LogLine(id: 1, text: "a")])
    }

    // MARK: Nil

    @Test func nilFindsNothing() async throws {
        let line = try await storage.insert(LogLine(text: "a"))
        #expect(try await storage.get(LogLine.self, id: nil) == nil)
        try await storage.delete(LogLine.self, id: nil)
        try await storage.delete(LogLine(text: "a"))
        #expect(try await storage.modify(LogLine.self, id: nil) { $0.text = "b" } == nil)
        #expect(try await storage.all(LogLine.self) == [line])
        #expect(try await StreamProbe(storage.observe(LogLine.self, id: nil)).next() == nil)
    }

    @Test func anUpdateWithoutIdFindsNoRow() async throws {
        try await storage.insert(LogLine(text: "a"))
        let error = await #expect(throws: StorageError.self) { try await storage.update(LogLine(text: "b")) }
        guard case .entityNotFound(_, "nil") = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    // MARK: Reads

    @Test func anEntityIsFoundByItsIdInAllForms() async throws {
        let line = try await storage.insert(LogLine(id: 5, text: "a"))
        #expect(try await storage.get(LogLine.self, id: 5) == line)
        #expect(try await storage.get(LogLine.self, id: "5") == line)
        #expect(try await storage.get(LogLine.self, id: "x") == nil)
        #expect(try await storage.query(LogLine.self).where { $0.id == 5 }.fetch() == [line])
        #expect(try await storage.query(LogLine.self).where { $0.id.in([4, 5]) }.count() == 1)
        #expect(try await storage.loadParent(LogLine.self, id: line.id) == line)
        let page = try await storage.insert(Page(id: nil, text: "p", lineId: line.id))
        #expect(try await storage.loadChildren(Page.self, where: "lineId", equals: "5") == [page])
    }

    @Test func whatWasInsertedIsInMemoryUnderItsId() async throws {
        let line = try await storage.insert(LogLine(text: "a"))
        let before = await store.context.cacheStatistics().memory.hits
        #expect(try await storage.get(LogLine.self, id: line.id) == line)
        #expect(await store.context.cacheStatistics().memory.hits == before + 1)
        try await storage.delete(LogLine.self, id: line.id)
        #expect(try await storage.get(LogLine.self, id: line.id) == nil)
    }

    @Test func anEntityIsChangedAndDeletedByItsId() async throws {
        let line = try await storage.insert(LogLine(text: "a"))
        #expect(try await storage.modify(LogLine.self, id: line.id) { $0.text = "b" }?.text == "b")
        #expect(try await storage.get(LogLine.self, id: line.id)?.text == "b")
        try await storage.delete(LogLine(id: line.id, text: "whatever"))
        #expect(try await storage.count(LogLine.self) == 0)
    }

    @Test func pagesAndCursorsGoFromIdToId() async throws {
        let lines = try await storage.insert((1...5).map { LogLine(text: "\($0 % 2)") })
        #expect(try await storage.page(LogLine.self, limit: 2, offset: 2).items == Array(lines[2...3]))
        let query = storage.query(LogLine.self).orderBy(\.text)
        let found = try await allPages { try await query.page(after: $0, limit: 2) }
        #expect(found.joined().map(\.id) == [1, 3, 0, 2, 4].map { lines[$0].id })
    }

    @Test @MainActor func anEntityIsObservedByItsId() async throws {
        var line = try await storage.insert(LogLine(text: "a"))
        let row = StreamProbe(storage.observe(LogLine.self, id: line.id))
        let list = StreamProbe(storage.query(LogLine.self).observe())
        #expect(try await row.next() == line)
        #expect(try await list.next() == [line])
        line.text = "b"
        try await storage.save(line)
        #expect(try await row.next() == line)
        #expect(try await list.next() == [line])
        let other = try await storage.insert(LogLine(text: "c"))
        #expect(try await list.next() == [line, other])
        try await storage.delete(LogLine.self, id: line.id)
        #expect(try await row.next() == nil)
    }

    @Test func anEntityWithoutIdIsReadFromJSON() throws {
        #expect(try JSONDecoder().decode(LogLine.self, from: Data(#"{"text":"a"}"#.utf8)) == LogLine(text: "a"))
    }
}
