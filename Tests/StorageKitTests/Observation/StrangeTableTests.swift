import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Tables whose rows a stream cannot follow one by one: it reads them all again, and is right.
@Suite struct StrangeTableTests {
    private static let columns = "name TEXT, age INTEGER, email TEXT, isActive BOOLEAN, updatedAt DATETIME"
    private static let values = "'', 1, NULL, 1, '2026-01-01 00:00:00.000'"

    private func store(_ sql: String) throws -> TemporaryStore {
        try TemporaryStore { schema in
            schema.migration("made by hand") { try $0.execute(sql: sql) }
        }
    }

    @Test func theRowsOfAViewAreObserved() async throws {
        let store = try store(
            """
            CREATE TABLE base (id TEXT PRIMARY KEY, \(Self.columns));
            CREATE VIEW testusers AS SELECT * FROM base
            """)
        let list = StreamProbe(store.storage.observeAll(TestUser.self))
        let row = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await list.next().isEmpty)
        #expect(try await row.next() == nil)
        try await store.db.write { try $0.execute(sql: "INSERT INTO base VALUES ('1', \(Self.values))") }
        _ = try await list.first { $0.map(\.id) == ["1"] }
        _ = try await row.first { $0?.age == 1 }
    }

    @Test func anIdInAnotherCaseIsTheSameRow() async throws {
        let store = try store("CREATE TABLE testusers (id TEXT PRIMARY KEY COLLATE NOCASE, \(Self.columns))")
        let row = StreamProbe(store.storage.observe(TestUser.self, id: "ADA"))
        let list = StreamProbe(store.storage.observeAll(TestUser.self))
        #expect(try await row.next() == nil)
        _ = try await list.next()
        try await store.db.write { try $0.execute(sql: "INSERT INTO testusers VALUES ('ada', \(Self.values))") }
        _ = try await row.first { $0?.id == "ada" }
        _ = try await list.first { $0.count == 1 }
        try await store.storage.save(TestUser("Ada", age: 7))
        _ = try await row.first { $0?.age == 7 }
        _ = try await list.first { $0.first?.age == 7 }
    }

    @Test func anOrderThatIgnoresCaseIsKept() async throws {
        let columns = Self.columns.replacingOccurrences(of: "name TEXT", with: "name TEXT COLLATE NOCASE")
        let store = try store("CREATE TABLE testusers (id TEXT PRIMARY KEY, \(columns))")
        try await store.storage.save([TestUser("1", name: "b"), TestUser("2", name: "C")])
        let list = StreamProbe(store.storage.observeAll(TestUser.self, orderBy: "name"))
        #expect(try await list.next().map(\.name) == ["b", "C"])
        try await store.storage.save(TestUser("3", name: "a"))
        #expect(try await list.next().map(\.name) == ["a", "b", "C"])
    }

    @Test func aTableWithoutRowidsIsObserved() async throws {
        let store = try store("CREATE TABLE testusers (id TEXT PRIMARY KEY, \(Self.columns)) WITHOUT ROWID")
        let list = StreamProbe(store.storage.query(TestUser.self).orderBy("age").observe())
        _ = try await list.next()
        for id in ["c", "a", "b"] { try await store.storage.save(TestUser(id)) }
        _ = try await list.first { $0.map(\.id) == ["a", "b", "c"] }
    }

    @Test func aColumnNamedRowidIsNoRowid() async throws {
        let store = try store(
            "CREATE TABLE testusers (id TEXT PRIMARY KEY, \(Self.columns), rowid TEXT DEFAULT 'x', oid TEXT)")
        let list = StreamProbe(store.storage.query(TestUser.self).orderBy("age").observe())
        _ = try await list.next()
        for id in ["c", "a", "b"] { try await store.storage.save(TestUser(id)) }
        let last = try await list.first { $0.count == 3 }
        #expect(last == (try await store.storage.query(TestUser.self).orderBy("age").fetch()))
        #expect(last.map(\.id) == ["c", "a", "b"])
    }

    @Test func textsOfTwoBytesALetterStandAsSQLiteSortsThem() async throws {
        let folder = try TemporaryFolder()
        let queue = try GRDB.DatabaseQueue(path: folder.file().path)
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA encoding = 'UTF-16le'")
            try db.execute(sql: "CREATE TABLE testusers (id TEXT PRIMARY KEY, \(Self.columns))")
        }
        try queue.close()
        let store = try TemporaryStore(folder: folder) { _ in }
        try await store.storage.save([TestUser("1", name: "a"), TestUser("2", name: "b")])
        let query = store.storage.query(TestUser.self).orderBy("name")
        let list = StreamProbe(query.observe())
        #expect(try await list.next().map(\.name) == ["a", "b"])
        try await store.storage.save(TestUser("3", name: "\u{100}"))
        #expect(try await list.next() == (try await query.fetch()))
    }

    @Test func anIdThatSeveralRowsHaveIsObserved() async throws {
        let store = try store("CREATE TABLE testusers (id TEXT, \(Self.columns))")
        let list = StreamProbe(store.storage.query(TestUser.self).observe())
        #expect(try await list.next().isEmpty)
        func run(_ sql: String) async throws { try await store.db.write { try $0.execute(sql: sql) } }
        try await run("INSERT INTO testusers VALUES ('1', \(Self.values))")
        #expect(try await list.next().map(\.age) == [1])
        try await run("INSERT INTO testusers VALUES ('1', \(Self.values))")
        #expect(try await list.next().map(\.age) == [1, 1])
        try await run("UPDATE testusers SET age = 2")
        #expect(try await list.next().map(\.age) == [2, 2])
        try await run("DELETE FROM testusers WHERE rowid = 1")
        #expect(try await list.next().map(\.age) == [2])
    }

    @Test func aDatabaseInMemoryIsObserved() async throws {
        let queue = try DatabaseQueue(configuration: PoolOptions().configuration())
        let db = DatabaseActor(pool: queue)
        try await db.write { try TestUserRecord.createTable(in: $0) }
        let users = GenericRepository<TestUser, TestUserRecord>(db: db)
        let list = StreamProbe(users.observeAll(orderBy: "age"))
        let row = StreamProbe(users.observe(id: "2"))
        _ = try await (list.next(), row.next())
        for (id, age) in [("1", 5), ("2", 4), ("3", 6)] { try await users.put(TestUser(id, age: age)) }
        _ = try await list.first { $0.map(\.id) == ["2", "1", "3"] }
        #expect(try await row.first { $0 != nil }?.age == 4)
    }

    /// SQLite's hook says NULL of a column that was added to a row, which then holds the default.
    @Test func rowsThatAreOlderThanAColumnAreFollowed() async throws {
        let store = try store(
            """
            CREATE TABLE testusers (id TEXT PRIMARY KEY, name TEXT, email TEXT, isActive BOOLEAN, updatedAt DATETIME);
            INSERT INTO testusers SELECT value, '', NULL, 1, '2026-01-01 00:00:00.000' FROM json_each('["a", "b", "c"]');
            ALTER TABLE testusers ADD COLUMN age INTEGER DEFAULT 5
            """)
        let users = store.storage.query(TestUser.self)
        let groups = StreamProbe(users.group(by: \.age).orderBy(\.age).select { $0.count() }.observe())
        let count = StreamProbe(users.where { $0.age == 5 }.observeCount())
        #expect(try await groups.next() == [3])
        #expect(try await count.next() == 3)
        try await store.storage.save(TestUser("a", age: 7))
        _ = try await groups.first { $0 == [2, 1] }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = NULL WHERE id = 'b'") }
        _ = try await count.first { $0 == 1 }
    }

    // MARK: - Texts that are not UTF-8

    private func storeOfBrokenTexts() async throws -> TemporaryStore {
        let store = try store("CREATE TABLE testusers (id TEXT PRIMARY KEY, \(Self.columns))")
        try await store.storage.save(TestUser("a", name: "a"))
        try await insert("'b'", name: "CAST(x'FA31' AS TEXT)", into: store)
        try await insert("'c'", name: "CAST(x'FA32' AS TEXT)", into: store)
        return store
    }

    private func insert(_ id: String, name: String, into store: TemporaryStore) async throws {
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO testusers VALUES (\(id), \(name), 1, NULL, 1, CURRENT_TIMESTAMP)")
        }
    }

    @Test func noPageGoesOnBehindATextThatIsNoUTF8() async throws {
        let store = try await storeOfBrokenTexts()
        let query = store.storage.query(TestUser.self).orderBy(\.name)
        let error = await storageError { _ = try await query.page(limit: 2) }
        #expect("\(error as Any)".contains("no page goes on behind a row that is sorted by a text which is not UTF-8"))
        #expect(try await query.page(limit: 1).items.map(\.id) == ["a"])
        #expect(try await query.page(limit: 3).items.map(\.id) == ["a", "b", "c"])
    }

    @Test func rowsAndGroupsWithTextsThatAreNoUTF8AreObserved() async throws {
        let store = try await storeOfBrokenTexts()
        let users = store.storage.query(TestUser.self)
        let groups = StreamProbe(users.group(by: \.name).orderBy { $0.max(\.id) }.select { $0.sum(\.age) }.observe())
        let list = StreamProbe(users.orderBy(\.age).observe())
        #expect(try await groups.next() == [0, 1, 1])
        #expect(try await list.next().count == 3)
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 5 WHERE id = 'b'") }
        _ = try await groups.first { $0 == [0, 5, 1] }
        try await insert("CAST(x'FA33' AS TEXT)", name: "'d'", into: store)
        _ = try await list.first { $0.count == 4 }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 9 WHERE name = 'd'") }
        _ = try await list.first { $0.last?.age == 9 && $0.count == 4 }
    }
}
