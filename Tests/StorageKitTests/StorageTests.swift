import StorageKit
import StorageTestSupport
import Testing

@Suite struct StorageTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    @StorageEntity
    struct Post {
        var id: UUID
        var title: String
        var authorId: String
    }

    @StorageEntity
    struct Counter {
        let id: Int
        var count = 0
    }

    init() throws {
        store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self, PostRecord.self, CounterRecord.self)
        }
    }

    @Test func aSaveInsertsThenUpdatesInPlace() async throws {
        try await storage.save(TestUser("1", name: "Ada"))
        let before = try await rowid(of: "1")
        try await storage.save(TestUser("0", name: "Bo"))
        try await storage.save(TestUser("1", name: "Ada Lovelace"))
        #expect(try await storage.get(TestUser.self, id: "1")?.name == "Ada Lovelace")
        #expect(try await rowid(of: "1") == before)
        #expect(try await storage.count(TestUser.self) == 2)
    }

    @Test func anUpdateDoesNotDeleteRowsThatReferToTheEntity() async throws {
        try await store.db.write { db in
            try db.execute(
                sql: "CREATE TABLE notes (userId TEXT REFERENCES testusers(id) ON DELETE CASCADE, note TEXT)")
        }
        try await storage.save(TestUser("1", name: "Ada"))
        try await store.db.write { db in try db.execute(sql: "INSERT INTO notes VALUES ('1', 'hello')") }
        try await storage.save(TestUser("1", name: "Ada again"))
        let notes = try await store.db.read { db in try Row.fetchAll(db, sql: "SELECT * FROM notes").count }
        #expect(notes == 1)
    }

    @Test func aBatchIsSavedAsAWholeOrNotAtAll() async throws {
        try await store.db.write { db in
            try db.create(index: "unique_email", on: "testusers", columns: ["email"], unique: true)
        }
        let users = [TestUser("1", email: "a@x"), TestUser("2", email: "b@x"), TestUser("3", email: "a@x")]
        let error = await storageError { try await storage.save(users) }
        guard case .constraintViolated(let violation) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(violation.kind == .unique)
        #expect(error?.localizedDescription.contains("'testusers' has the same 'email'") == true)
        #expect(try await storage.count(TestUser.self) == 0)
        try await storage.save(Array(users.prefix(2)))
        #expect(try await storage.count(TestUser.self) == 2)
    }

    @Test func errorsCarryNoValues() async throws {
        try await store.db.write { db in
            try db.create(index: "unique_email", on: "testusers", columns: ["email"], unique: true)
        }
        try await storage.save(TestUser("1", email: "secret@example.com"))
        let error = await storageError { try await storage.save(TestUser("2", email: "secret@example.com")) }
        #expect(error != nil)
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test func ofTwoEntitiesWithOneIdInABatchTheLaterWins() async throws {
        try await storage.save([TestUser("1", name: "first"), TestUser("1", name: "second")])
        #expect(try await storage.all(TestUser.self).map(\.name) == ["second"])
    }

    @Test func anEmptyBatchDoesNothing() async throws {
        try await storage.save([TestUser]())
        #expect(try await storage.count(TestUser.self) == 0)
    }

    @Test func updatedAtIsStampedFromTheClockOncePerCall() async throws {
        try await storage.save([TestUser("1"), TestUser("2")])
        let first = store.clock.now
        store.clock.advance(by: 60)
        try await storage.save(TestUser("2"))
        let stamps = try await store.db.read { db in
            try TestUserRecord.fetchAll(db, sql: "SELECT * FROM testusers ORDER BY id").map(\.updatedAt)
        }
        #expect(stamps == [first, first.addingTimeInterval(60)])
    }

    @Test func uuidIdsWorkAsTextAndAsThemselves() async throws {
        let post = Post(id: UUID(), title: "Hello", authorId: "1")
        try await storage.save(post)
        #expect(try await storage.get(Post.self, id: post.id) == post)
        #expect(try await storage.get(Post.self, id: post.id.uuidString.lowercased()) == post)
        #expect(try await storage.get(Post.self, id: "no uuid") == nil)
        try await storage.delete(Post.self, id: "no uuid")
        try await storage.delete(Post.self, id: post.id)
        #expect(try await storage.count(Post.self) == 0)
    }

    @Test func integerIdsWorkAsTextAndAsThemselves() async throws {
        try await storage.save([Counter(id: 1, count: 10), Counter(id: -7)])
        #expect(try await storage.get(Counter.self, id: 1)?.count == 10)
        #expect(try await storage.get(Counter.self, id: "-7")?.count == 0)
        #expect(try await storage.get(Counter.self, id: "seven") == nil)
        #expect(try await storage.all(Counter.self).map(\.id) == [-7, 1])
        try await storage.delete(Counter(id: 1))
        #expect(try await storage.all(Counter.self).map(\.id) == [-7])
    }

    @Test func allSortsByIdUnlessAColumnIsNamed() async throws {
        try await storage.save([TestUser("b", name: "x"), TestUser("a", name: "z"), TestUser("c", name: "y")])
        #expect(try await storage.all(TestUser.self).map(\.id) == ["a", "b", "c"])
        #expect(try await storage.all(TestUser.self, orderBy: "name").map(\.id) == ["b", "c", "a"])
        #expect(try await storage.all(TestUser.self, orderBy: "name", ascending: false).map(\.id) == ["a", "c", "b"])
    }

    @Test(arguments: ["nmae", "name; DROP TABLE testusers", "\"name\"", ""])
    func anUnknownColumnIsAnErrorAndNeverSQL(column: String) async throws {
        try await storage.save(TestUser("1"))
        let error = await storageError { _ = try await storage.all(TestUser.self, orderBy: column) }
        guard case .queryFailed = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("'\(column)'") == true)
        #expect(await storageError { try await storage.deleteAll(TestUser.self, where: column, equals: "1") } != nil)
        #expect(try await storage.count(TestUser.self) == 1)
    }

    @Test func deletingWhatIsNotThereSucceeds() async throws {
        try await storage.delete(TestUser.self, id: "nobody")
        try await storage.delete(TestUser("nobody"))
    }

    @Test func deleteAllReturnsHowManyItDeleted() async throws {
        try await storage.save((1...5).map { TestUser("\($0)", name: $0 < 3 ? "low" : "high") })
        #expect(try await storage.deleteAll(TestUser.self, where: "name", equals: "low") == 2)
        #expect(try await storage.deleteAll(TestUser.self) == 3)
        #expect(try await storage.deleteAll(TestUser.self) == 0)
    }

    @Test func parentsAndChildrenAreLoadedByForeignKey() async throws {
        try await storage.save(TestUser("1", name: "Ada"))
        let posts = ["b", "a"].map { Post(id: UUID(), title: $0, authorId: "1") }
        try await storage.save(posts + [Post(id: UUID(), title: "other", authorId: "2")])
        let children = try await storage.loadChildren(Post.self, where: "authorId", equals: "1", orderBy: "title")
        #expect(children.map(\.title) == ["a", "b"])
        #expect(try await storage.loadParent(TestUser.self, id: children[0].authorId)?.name == "Ada")
    }

    @Test func childrenComeInTheDirectionThatIsAskedFor() async throws {
        try await storage.save([TestUser("1", name: "x"), TestUser("2", name: "x")])
        let children = try await storage.loadChildren(TestUser.self, where: "name", equals: "x", ascending: false)
        #expect(children.map(\.id) == ["2", "1"])
    }

    @Test(arguments: [(1, 3), (2, 2), (3, 1), (4, 1), (5, 1)])
    func pagesCoverEverythingOnceAndSayWhenTheyEnd(limit: Int, pages: Int) async throws {
        try await storage.save([2, 3, 1].map { TestUser("\($0)", name: "same") })
        var ids: [String] = []
        var count = 0
        var offset = 0
        while true {
            let page = try await storage.page(TestUser.self, orderBy: "name", limit: limit, offset: offset)
            ids += page.items.map(\.id)
            count += 1
            #expect(page.nextOffset == ids.count)
            guard page.hasMore else { break }
            offset = page.nextOffset
        }
        #expect(ids == ["1", "2", "3"])
        #expect(count == pages)
    }

    @Test(arguments: [(0, 0), (-1, 0), (1, -1)])
    func aPageThatCannotBeIsRefused(limit: Int, offset: Int) async {
        #expect(await storageError { _ = try await storage.page(TestUser.self, limit: limit, offset: offset) } != nil)
    }

    @Test func aPageOfTheLargestLimitDoesNotTrap() async throws {
        try await storage.save(TestUser("1"))
        let page = try await storage.page(TestUser.self, limit: .max)
        #expect(page.items.count == 1 && !page.hasMore)
    }

    @Test func aTableThatIsMissingIsNamed() async throws {
        let empty = try TemporaryStore { _ in }
        let error = await storageError { _ = try await empty.storage.get(TestUser.self, id: "1") }
        #expect(error?.localizedDescription.contains("testusers") == true)
        #expect(await storageError { try await empty.storage.save(TestUser("1")) } != nil)
    }

    @Test func allEntitiesOfATableThatIsMissingAreAStorageErrorToo() async throws {
        let empty = try TemporaryStore { _ in }
        try await empty.db.read { db in
            _ = #expect(throws: StorageError.self) { try TestUser.fetchAll(db) }
        }
    }

    @Test func repositoriesOfTheContextAndTheFacadeAreTheSameStore() async throws {
        try await storage.repository(TestUser.self).put(TestUser("1"))
        try await store.context.makeRepository(TestUser.self, record: TestUserRecord.self).put(TestUser("2"))
        #expect(try await storage.anyRepository(TestUser.self).countAll() == 2)
        let erased = store.context.repository(TestUser.self, record: TestUserRecord.self)
        #expect(try await erased.getAll().map(\.id) == ["1", "2"])
    }

    private func rowid(of id: String) async throws -> Int64? {
        try await store.db.read { db in
            try Row.fetchOne(db, sql: "SELECT rowid FROM testusers WHERE id = ?", arguments: [id])?[0]
        }
    }
}
