import GRDB
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "seals") private struct Seal {
    var id: Data
}

@StorageEntity(table: "lines") private struct Line {
    var id: Int64?
    var text: String?
}

/// Ids that SQLite and Swift compare in different ways, and tables that are no tables of ours.
@Suite struct CacheIdentityTests {
    private func store(_ sql: String) throws -> CachedStore {
        try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.migration("tables") { try $0.execute(sql: sql) }
        })
    }

    private func store(idType: String) throws -> CachedStore {
        try store(
            """
            CREATE TABLE testusers (id \(idType) PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT,
                isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL)
            """)
    }

    /// What `get` finds with warm tiers, and what the table alone.
    private func names(_ id: String, _ store: CachedStore) async throws -> [String?] {
        await store.settle()
        return [
            try await store.storage.get(TestUser.self, id: id)?.name,
            try await store.users.get(id: id)?.name,
            try await store.reopened().storage.get(TestUser.self, id: id)?.name,
            try await store.users.get(id: id, policy: .databaseOnly)?.name,
        ]
    }

    @Test func anIdThatIgnoresCaseNeverGivesAnOldValue() async throws {
        let store = try store(idType: "TEXT COLLATE NOCASE")
        try await store.storage.save(TestUser("ab", name: "1"))
        for id in ["ab", "AB", "aB"] { #expect(try await names(id, store) == Array(repeating: "1", count: 4)) }
        try await store.storage.save(TestUser("AB", name: "2"))
        for id in ["ab", "AB", "aB"] { #expect(try await names(id, store) == Array(repeating: "2", count: 4)) }
        try await store.run("UPDATE testusers SET name = '3'")
        for id in ["ab", "AB", "aB"] { #expect(try await names(id, store) == Array(repeating: "3", count: 4)) }
        try await store.storage.save(TestUser("aB", name: "4"))
        try await store.storage.delete(TestUser.self, id: "Ab")
        for id in ["ab", "AB", "aB"] { #expect(try await names(id, store) == Array(repeating: nil, count: 4)) }
    }

    @Test func anEntitySavedUnderAnotherCaseHasTheIdOfItsRow() async throws {
        let store = try store(idType: "TEXT COLLATE NOCASE")
        try await store.storage.save(TestUser("ab"))
        try await store.storage.save(TestUser("AB"))
        #expect(try await store.storage.get(TestUser.self, id: "AB")?.id == "ab")
    }

    @Test func idsThatSwiftTakesForOneAreTwo() async throws {
        let store = try CachedStore()
        try await store.storage.save(TestUser("\u{E9}", name: "composed"))
        #expect(try await names("e\u{301}", store) == [nil, nil, nil, nil])
        try await store.storage.save(TestUser("e\u{301}", name: "decomposed"))
        #expect(try await names("\u{E9}", store) == Array(repeating: "composed", count: 4))
        #expect(try await names("e\u{301}", store) == Array(repeating: "decomposed", count: 4))
    }

    @Test(arguments: ["\u{301}abc", "\u{1F3FB}z"]) func anIdThatBeginsWithAMarkIsFoundByItsKey(id: String) async throws
    {
        let store = try CachedStore()
        try await store.storage.save(TestUser(id))
        let context = store.store.context
        let cache = DiskCache<TestUser>(db: context.storage.dbActor, config: context.config)
        #expect(await cache.get(context.keys.entityKey(TestUser.self, id: id))?.id == id)
    }

    @Test func anIdWithoutATextIsInNoCacheOfTheFile() async throws {
        let store = try CachedStore(options: { $0.memoryCapacity = 0 }) { schema in
            schema.addKVCache()
            schema.autoSchema(SealRecord.self)
        }
        let seals = store.storage.repository(Seal.self)
        try await seals.putAll([Seal(id: Data([1])), Seal(id: Data([2]))])
        for id in 1...2 as ClosedRange<UInt8> {
            #expect(try await seals.get(id: Data([id]), policy: .localFirst(ttl: 60)) != nil)
            #expect(try await seals.get(id: Data([1]), policy: .cacheOnly) == nil)
            #expect(try await seals.get(id: Data([2]), policy: .cacheOnly) == nil)
        }
    }

    /// What was found out of its table must not be taken for what the table is.
    @Test func aSchemaThatATransactionTookBackChangesNothing() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(LineRecord.self)
        })
        try await store.run(
            """
            DROP TABLE lines;
            CREATE TABLE lines (id INTEGER PRIMARY KEY AUTOINCREMENT,
                text TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'none', updatedAt DATETIME NOT NULL)
            """)
        struct Regret: Error {}
        await #expect(throws: Regret.self) {
            try await store.storage.transaction { tx in
                try tx.database.execute(
                    sql: """
                        DROP TABLE lines;
                        CREATE TABLE lines (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, updatedAt DATETIME NOT NULL)
                        """)
                try tx.insert(Line(id: nil))
                throw Regret()
            }
        }
        try await store.storage.save(Line(id: 1))
        #expect(try await store.storage.get(Line.self, id: 1)?.text == "none")
    }

    @Test func idsThatSwiftTakesForOneHaveTwoEntries() async throws {
        let store = try CachedStore()
        for id in ["\u{E9}", "\u{E9}", "e\u{301}"] { try await store.storage.save(TestUser(id)) }
        #expect(try await store.fetch(Int.self, "SELECT COUNT(*) FROM kv_cache") == [2])
    }

    @Test func spellingsThatTheTypeOfAnIdTakesForOneAreTwo() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(WordRecord.self)
        })
        for id in ["Ab", "ab"] {
            try await store.run("INSERT INTO words VALUES ('\(id)', 'is \(id)', '2026-01-01 00:00:00.000')")
        }
        for id in ["Ab", "ab", "Ab"] {
            #expect(try await store.storage.get(Word.self, id: id)?.meaning == "is \(id)")
        }
    }

    @Test(arguments: ["", " ", "'", "a\0b", "a\0c", "👩‍🚀", "%", "1", "01", "1.0", "NULL"])
    func anyTextIsAnId(id: String) async throws {
        let store = try CachedStore()
        for other in ["", "a", "a\0", "1"] where other != id { try await store.storage.save(TestUser(other)) }
        try await store.storage.save(TestUser(id, name: "x"))
        #expect(try await names(id, store) == Array(repeating: "x", count: 4))
        try await store.run("UPDATE testusers SET name = 'y'")
        #expect(try await names(id, store) == Array(repeating: "y", count: 4))
    }

    @Test func aColumnThatTurnsIdsIntoNumbersIsNotCached() async throws {
        let store = try store(idType: "INTEGER")
        try await store.storage.save(TestUser("01", name: "1"))
        try await store.storage.save(TestUser("1", name: "2"))
        let found = try await [
            thrownError { _ = try await store.storage.get(TestUser.self, id: "01") } == nil,
            store.users.get(id: "01", policy: .cacheOnly) == nil,
        ]
        #expect(found[1])
    }

    @Test func aViewIsReadEachTime() async throws {
        let store = try store(
            """
            CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL);
            INSERT INTO people VALUES ('1', 'a');
            CREATE VIEW testusers AS SELECT id, name, 0 AS age, NULL AS email, 1 AS isActive, '' AS updatedAt FROM people
            """)
        for name in ["b", "c"] {
            try await store.run("UPDATE people SET name = '\(name)'")
            #expect(try await names("1", store) == Array(repeating: name, count: 4))
        }
        #expect(await store.store.context.cacheStatistics().disk.count == 0)
    }

    @Test func aGeneratedColumnBeforeTheIdDoesNotMislead() async throws {
        let store = try store(
            """
            CREATE TABLE testusers (twice TEXT AS (name || name) VIRTUAL, name TEXT NOT NULL, id TEXT PRIMARY KEY,
                age INTEGER NOT NULL, email TEXT, isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL)
            """)
        try await store.storage.save(TestUser("1", name: "a"))
        #expect(try await names("1", store) == Array(repeating: "a", count: 4))
        try await store.run("UPDATE testusers SET name = 'b'")
        #expect(try await names("1", store) == Array(repeating: "b", count: 4))
    }

    @Test func aTableWithoutRowidsIsCachedLikeAnyOther() async throws {
        let store = try store(
            """
            CREATE TABLE testusers (name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT, id TEXT PRIMARY KEY,
                isActive BOOLEAN NOT NULL, updatedAt DATETIME NOT NULL) WITHOUT ROWID
            """)
        try await store.storage.save(TestUser("1", name: "a"))
        #expect(try await store.place() == CachedStore.memory)
        for name in ["b", "c"] {
            try await store.run("UPDATE testusers SET name = '\(name)'")
            #expect(try await names("1", store) == Array(repeating: name, count: 4))
        }
    }

    @Test func aTableWithCapitalsInItsNameIsNeverOld() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(CardRecord.self)
        })
        try await store.storage.save(Card(id: "1", text: "a"))
        #expect(try await store.storage.get(Card.self, id: "1")?.text == "a")
        for text in ["b", "c"] {
            try await store.run("UPDATE cards SET text = '\(text)'")
            #expect(try await store.storage.get(Card.self, id: "1")?.text == text)
        }
    }

    @Test func aHandWrittenRecordThatKeepsBytesIsNeverOld() async throws {
        let store = try CachedStore(schema: { schema in
            schema.addKVCache()
            schema.autoSchema(SeatRecord.self)
        })
        let id = UUID()
        try await store.storage.save(Seat(id: id, row: 1))
        #expect(try await store.storage.get(Seat.self, id: id)?.row == 1)
        for row in 2..<5 {
            try await store.run("UPDATE seats SET row = \(row)")
            #expect(try await store.storage.get(Seat.self, id: id)?.row == row)
            await store.settle()
            #expect(try await store.storage.get(Seat.self, id: id)?.row == row)
        }
        try await store.storage.delete(Seat.self, id: id)
        #expect(try await store.storage.get(Seat.self, id: id) == nil)
    }

    @Test func aQueueInMemoryHasItsCaches() async throws {
        let queue = try GRDB.DatabaseQueue()
        var migrations = AppMigrations()
        migrations.addKVCache()
        migrations.autoSchema(TestUserRecord.self)
        let config = StorageConfig(clock: ManualClock())
        try migrations.run(on: queue, config: config)
        let users = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: queue), config: config)
        try await users.put(TestUser("1", name: "a"))
        #expect(try await users.get(id: "1", policy: .cacheOnly)?.name == "a")
        try await queue.write { try $0.execute(sql: "UPDATE testusers SET name = 'b'") }
        #expect(try await users.get(id: "1", policy: .localFirst(ttl: 1))?.name == "b")
        try await users.delete(id: "1")
        #expect(try await users.get(id: "1") == nil)
    }

    @Test func aWriterOfHiddenTypeIsOneOfItsFile() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        let writer = GRDB.AnyDatabaseWriter(try GRDB.DatabasePool(path: store.url.path))
        let users = GenericRepository<TestUser, TestUserRecord>(db: DatabaseActor(pool: writer))
        try await users.put(TestUser("1", name: "a"))
        #expect(try await users.get(id: "1")?.name == "a")
        let stranger = try GRDB.DatabaseQueue(path: store.url.path)
        try await stranger.write { try $0.execute(sql: "UPDATE testusers SET name = 'b'") }
        #expect(try await users.get(id: "1")?.name == "b")
    }
}

@StorageEntity(table: "Cards")
private struct Card {
    var id: String
    var text: String
}

@StorageEntity
private struct Word {
    var id: LowercasedText
    var meaning: String
}

/// A text that has one spelling in Swift, whatever a row has.
private struct LowercasedText: RawRepresentable, Hashable, Codable, Sendable {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue.lowercased()
    }
}

private struct Seat: StorageKitEntity, RegisteredEntity {
    typealias Record = SeatRecord
    var id: UUID
    var row: Int
}

/// As GRDB itself makes one from a Codable struct: its UUID is sixteen bytes.
private struct SeatRecord: StorageKitEntityRecord, Codable {
    typealias E = Seat
    static let databaseTableName = "seats"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "BLOB", notNull: true, primaryKey: true),
        ColumnSchema(name: "row", type: "INTEGER"),
    ]
    var id: UUID
    var row: Int
    func asEntity() -> Seat { Seat(id: id, row: row) }
    static func from(_ entity: Seat, now: Date) -> SeatRecord { SeatRecord(id: entity.id, row: entity.row) }
}
