import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// Ids that SQLite writes in several ways, or that two record types see in different columns.
@Suite struct StrangeIdTests {
    @Test(arguments: [1, 1.5, -0.0])
    func anEntityWithANumberForIdIsObserved(id: Double) async throws {
        let store = try TemporaryStore { $0.autoSchema(MarkRecord.self) }
        let row = StreamProbe(store.storage.observe(Mark.self, id: id))
        let list = StreamProbe(store.storage.observeAll(Mark.self))
        #expect(try await row.next() == nil)
        #expect(try await list.next().isEmpty)
        for text in ["a", "b"] {
            try await store.storage.save(Mark(id: id, text: text))
            #expect(try await row.next()?.text == text)
            #expect(try await list.next().map(\.text) == [text])
        }
        try await store.storage.delete(Mark.self, id: id)
        #expect(try await row.next() == nil)
        #expect(try await list.next().isEmpty)
    }

    @MainActor @Test func aLiveQueryFollowsAnEntityWithBytesForId() async throws {
        let store = try TemporaryStore { $0.autoSchema(SealRecord.self) }
        let seal = LiveQuery(Seal.self, id: Data([1]), in: store.storage)
        try await store.storage.save(Seal(id: Data([1])))
        await seal.refresh()
        #expect(seal.value?.id == Data([1]))
    }

    @Test func twoSpellingsOfOneDateAreTwoRows() async throws {
        let store = try TemporaryStore { $0.autoSchema(DayRecord.self) }
        let list = StreamProbe(store.storage.query(Day.self).observe())
        _ = try await list.next()
        let day = Date(timeIntervalSince1970: 86_400)
        try await store.storage.save(Day(id: day, text: "ours"))
        #expect(try await list.next().map(\.text) == ["ours"])
        let values = "'1970-01-02 00:00:00', 'theirs', CURRENT_TIMESTAMP"
        try await store.db.write { try $0.execute(sql: "INSERT INTO days (id, text, updatedAt) VALUES (\(values))") }
        #expect(try await list.next().map(\.text) == ["ours", "theirs"])
        try await store.storage.save(Day(id: day, text: "again"))
        #expect(try await list.next().map(\.text) == ["again", "theirs"])
    }

    @StorageEntity(table: "amounts")
    struct Amount: Equatable {
        var id: Decimal
        var text: String
    }

    /// A store of two rows under one number, and one more.
    private func storeOfAmounts() async throws -> TemporaryStore {
        let store = try TemporaryStore { $0.autoSchema(AmountRecord.self) }
        try await store.storage.save([Amount(id: 1.5, text: "ours"), Amount(id: 2, text: "last")])
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO amounts VALUES ('1.50', 'theirs', CURRENT_TIMESTAMP)")
        }
        return store
    }

    @Test func ofTwoSpellingsOfOneDecimalNoneIsMissingFromThePages() async throws {
        let store = try await storeOfAmounts()
        let query = store.storage.query(Amount.self).orderBy(\.id)
        let found = try await allPages { try await query.page(after: $0, limit: 1) }.joined().map(\.text)
        #expect(found == ["ours", "theirs", "last"])
    }

    @StorageSelection
    struct Label: Sendable { let text: String }

    @Test func norFromThoseOfAQueryAroundThem() async throws {
        let store = try await storeOfAmounts()
        let query = store.storage.query(Amount.self).select { Label.columns(text: $0.text) }.asQuery()
        let found = try await allPages { try await query.page(after: $0, limit: 1) }.joined().map(\.text)
        #expect(Set(found) == ["ours", "theirs", "last"])
    }

    @Test func ofTwoSpellingsOfOneDecimalEachIsFollowedInAList() async throws {
        let store = try await storeOfAmounts()
        try await store.storage.delete(Amount.self, id: 1.5)
        let list = StreamProbe(store.storage.query(Amount.self).orderBy(\.id).observe())
        #expect(try await list.next().map(\.text) == ["theirs", "last"])
        try await store.storage.save(Amount(id: 1.5, text: "again"))
        #expect(try await Set(list.next().map(\.text)) == ["theirs", "again", "last"])
        try await store.db.write { try $0.execute(sql: "UPDATE amounts SET text = 'new' WHERE id = '1.50'") }
        #expect(try await Set(list.next().map(\.text)) == ["new", "again", "last"])
    }

    @Test func aRowThatTakesVeryManyValuesInATransactionIsFollowed() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save([TestUser("a", age: 1), TestUser("b", age: 5)])
        let list = StreamProbe(store.storage.query(TestUser.self).orderBy(\.age).limit(1).observe())
        #expect(try await list.next().map(\.id) == ["a"])
        try await store.db.write { db in
            for age in 2...1500 { try db.execute(sql: "UPDATE testusers SET age = \(age) WHERE id = 'a'") }
        }
        #expect(try await list.next().map(\.id) == ["b"])
    }

    @Test func twoRecordTypesMayKnowTheRowsOfATableByDifferentColumns() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save(TestUser("1", name: "ada", age: 1))
        let users = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await users.next()?.age == 1)
        // A transaction that changes the row while nobody knows yet that it is known by its name too.
        let (written, write) = AsyncStream.makeStream(of: Void.self)
        let commit = DispatchSemaphore(value: 0)
        let pool = store.context.storage.pool
        let writing = Task {
            try await pool.write { db in
                try db.execute(sql: "UPDATE testusers SET age = 2")
                write.yield()
                commit.wait()
            }
        }
        try await StreamProbe(written).next()
        let names = GenericRepository<Named, NamedRecord>(db: store.db)
        let named = StreamProbe(names.observe(id: "ada"))
        #expect(try await named.next()?.age == 1)
        commit.signal()
        try await writing.value
        #expect(try await named.next()?.age == 2)
        #expect(try await users.next()?.age == 2)
    }
}

@StorageEntity
private struct Mark {
    var id: Double
    var text: String
}

@StorageEntity
private struct Day {
    var id: Date
    var text: String
}

@StorageEntity(table: "seals")
private struct Seal {
    var id: Data
}

/// A user, known by the name.
private struct Named: StorageKitEntity {
    var id: String
    var age: Int
}

private struct NamedRecord: StorageKitEntityRecord, Codable {
    typealias E = Named
    static let databaseTableName = "testusers"
    static let schemaColumns = [
        ColumnSchema(name: "name", type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: "age", type: "INTEGER", notNull: true),
    ]
    var name: String
    var age: Int
    func asEntity() -> Named { Named(id: name, age: age) }
    static func from(_ entity: Named, now: Date) -> NamedRecord { NamedRecord(name: entity.id, age: entity.age) }
}
