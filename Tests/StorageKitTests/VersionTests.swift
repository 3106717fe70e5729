import GRDB
import StorageGRDB
import StorageKit
import StorageTestSupport
import Testing

/// The column of `@StorageVersion`, and what sets it.
@Suite struct VersionTests {
    @StorageEntity
    struct Page {
        var id: Int
        var text: String
        @StorageVersion var version: Int
    }

    @StorageEntity
    struct Leaf {
        var id: Int
        var text: String
        @StorageVersion private var count = 0

        init(id: Int, text: String) {
            self.id = id
            self.text = text
        }

        func counted() -> Int { count }
    }

    /// Keeps no time of the last save beside what it says itself.
    @StorageEntity
    struct Sheet {
        var id: Int
        var text: String
        @StorageVersion var updatedAt: Int
    }

    enum V1 {
        @StorageEntity(table: "pages")
        struct Page {
            var id: Int
            var text: String
        }
    }

    enum V2 {
        @StorageEntity(table: "pages")
        struct Page {
            var id: Int
            var text: String
            @StorageVersion var version = 0
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ schema: (inout AppMigrations) -> Void) throws -> TemporaryStore {
        try TemporaryStore(folder: folder, schema: schema)
    }

    /// Three pages that were written one to three times.
    private func storeWithPages() async throws -> TemporaryStore {
        let store = try store { $0.autoSchema(PageRecord.self) }
        try await store.db.write { db in
            for id in 1...3 {
                try PageRecord(id: id, text: "p\(id)", version: id, updatedAt: .distantPast).insert(db)
            }
        }
        return store
    }

    // MARK: The entity

    @Test func theVersionIsReadAndWrittenWhateverThePropertyIsCalled() {
        var leaf = Leaf(id: 1, text: "a")
        #expect(leaf._version == 0)
        leaf._version = 7
        #expect(leaf.counted() == 7)
        #expect(Leaf._versionColumn == "count")
        #expect(Page(id: 1, text: "a", version: 3)._version == 3)
        #expect(V2.Page(id: 1, text: "a").version == 0)
        #expect(Page(id: 1, text: "a", version: 3) != Page(id: 1, text: "a", version: 4))
    }

    @Test func anEntityWithoutOneIsNotVersioned() {
        #expect(!(V1.Page.self is any VersionedEntity.Type))
    }

    @Test func anEntityIsSavedAndReadAsAny() async throws {
        let store = try store { $0.autoSchema(LeafRecord.self) }
        try await store.storage.save(Leaf(id: 1, text: "a"))
        #expect(try await store.storage.get(Leaf.self, id: 1)?.text == "a")
    }

    @Test func aStoredVersionIsReadAndQueried() async throws {
        let store = try await storeWithPages()
        #expect(try await store.storage.get(Page.self, id: 2) == Page(id: 2, text: "p2", version: 2))
        let often = store.storage.query(Page.self).where { $0.version >= 2 }.orderBy(\.version, .descending)
        #expect(try await often.fetch().map(\.id) == [3, 2])
    }

    // MARK: The column

    @Test func aNewTableHasNoDefault() async throws {
        let store = try store { $0.autoSchema(V2.PageRecord.self) }
        let column = try await store.db.read { db in try db.columns(in: "pages").first { $0.name == "version" } }
        #expect(column?.type == "INTEGER")
        #expect(column?.isNotNull == true)
        #expect(column?.defaultValueSQL == nil)
    }

    @Test(arguments: [0, 2]) func rowsThatWereThereHaveVersionOneWhateverThePropertyBeginsAt(rows: Int) async throws {
        let old = try store { $0.autoSchema(V1.PageRecord.self) }
        try await old.storage.save((0..<rows).map { V1.Page(id: $0, text: "p\($0)") })
        let store = try store { $0.autoSchema(V2.PageRecord.self) }
        #expect(try await store.storage.all(V2.Page.self).map(\.version) == Array(repeating: 1, count: rows))
        // An older version of the app inserts rows that leave it out.
        try await old.storage.save(V1.Page(id: 9, text: "later"))
        #expect(try await store.storage.get(V2.Page.self, id: 9)?.version == 1)
    }

    @Test func soHaveThoseOfAPropertyWithoutADefault() async throws {
        let old = try store { $0.autoSchema(V1.PageRecord.self) }
        try await old.storage.save(V1.Page(id: 1, text: "a"))
        let store = try store { $0.autoSchema(PageRecord.self) }
        #expect(try await store.storage.get(Page.self, id: 1)?.version == 1)
    }

    /// The column took NULL while a model did not know it.
    @Test func rowsThatGotNoVersionMeanwhileHaveVersionOne() async throws {
        try await storeWithPages().context.close()
        let old = try store { $0.autoSchema(V1.PageRecord.self) }
        try await old.storage.save(V1.Page(id: 9, text: "later"))
        try await old.context.close()
        let store = try store { $0.autoSchema(PageRecord.self) }
        #expect(try await store.storage.query(Page.self).orderBy(\.id).fetch().map(\.version) == [1, 2, 3, 1])
    }

    // MARK: updateAll

    @Test func severalThatAreSavedComeBackWithTheirNewVersions() async throws {
        let store = try await storeWithPages()
        let storage = store.storage
        var pages = try await storage.query(Page.self).orderBy(\.id).fetch()
        pages.append(Page(id: 4, text: "p4", version: 0))
        pages = try await storage.save(pages)
        #expect(pages.map(\.version) == [2, 3, 4, 1])
        pages = try await storage.transaction { [pages] tx in try tx.save(pages) }
        #expect(pages.map(\.version) == [3, 4, 5, 2])
        #expect(try await storage.query(Page.self).orderBy(\.id).fetch().map(\.version) == [3, 4, 5, 2])
        pages[3].version = 1
        await #expect(throws: StorageError.self) { try await storage.save(pages) }
        #expect(try await storage.query(Page.self).orderBy(\.id).fetch().map(\.version) == [3, 4, 5, 2])
    }

    @Test func anUpdateOfAllCountsUp() async throws {
        let store = try await storeWithPages()
        let all = store.storage.query(Page.self)
        #expect(try await all.where { $0.id >= 2 }.updateAll { [$0.text.set(to: "x")] } == 2)
        #expect(try await all.orderBy(\.id).fetch().map(\.version) == [1, 3, 4])
        #expect(try await all.orderBy(\.id, .descending).limit(1).updateAll { [$0.text.set(to: "y")] } == 1)
        #expect(try await all.orderBy(\.id).fetch().map(\.version) == [1, 3, 5])
        // Nothing is written.
        #expect(try await all.updateAll { _ in [] } == 3)
        #expect(try await all.orderBy(\.id).fetch().map(\.version) == [1, 3, 5])
    }

    @Test func theVersionMayHaveTheNameOfTheStamp() async throws {
        let store = try store { $0.autoSchema(SheetRecord.self) }
        try await store.db.write { try SheetRecord(id: 1, text: "a", updatedAt: 4).insert($0) }
        #expect(try await store.storage.query(Sheet.self).updateAll { [$0.text.set(to: "b")] } == 1)
        #expect(try await store.storage.get(Sheet.self, id: 1) == Sheet(id: 1, text: "b", updatedAt: 5))
    }

    @Test func anUpdateOfAllCannotSetTheVersion() async throws {
        let store = try await storeWithPages()
        let all = store.storage.query(Page.self)
        let error = await storageError {
            _ = try await all.updateAll { [$0.text.set(to: "x"), $0.version.set(to: 1)] }
        }
        guard case .queryFailed = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("column 'version' cannot be set: each write counts") == true)
        #expect(try await all.orderBy(\.id).fetch().map(\.version) == [1, 2, 3])
        #expect(try await all.orderBy(\.id).fetch().map(\.text) == ["p1", "p2", "p3"])
    }

    @Test func itsSQLCountsBehindTheColumnsThatAreSet() throws {
        let assignments = [Page.storageColumns.text.set(to: "x")]
        let table = RecordTable(PageRecord.self)
        var plan = QueryPlan(table.source)
        plan.add((Page.storageColumns.id == 1).node)
        let now = Date(timeIntervalSince1970: 0)
        let query = try plan.updateSQL(assignments.checked(in: table, now: now), counting: "version")
        #expect(
            query.sql == #"UPDATE "pages" SET "text" = ?, "updatedAt" = ?, "version" = "version" + 1 WHERE "id" = ?"#)
        #expect(try query.arguments == [.text("x"), now.storedValue(), .integer(1)])
    }
}
