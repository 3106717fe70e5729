import StorageKit
import StorageTestSupport
import Testing

/// Files of the past, loaded from SQL and opened with today's schema.
@Suite struct SchemaFixtureTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

    private func start(_ fixture: String, _ schema: (inout AppMigrations) -> Void) throws -> StorageKit.Context {
        let sql = try String(contentsOf: Self.fixtures.appendingPathComponent("\(fixture).sql"), encoding: .utf8)
        let queue = try DatabaseQueue(path: folder.file().path)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
        return try StorageKit.start(at: folder.file(), options: .init(clock: clock), schema: schema)
    }

    private func describeStore(_ schema: inout AppMigrations) {
        schema.addKVCache()
        schema.autoSchema(KeepsakeRecord.self)
        schema.migration("2026-01-01_keepsakes_text") { try $0.execute(sql: "UPDATE keepsakes SET text = 'again'") }
    }

    // MARK: store-1

    @Test func everyTypeOfColumnReadsBackAsItWasSaved() async throws {
        let context = try start("store-1", describeStore)
        #expect(try await context.facade.all(Keepsake.self) == Keepsake.ofStore1)
    }

    @Test func whatTodaysCodeWritesIsWhatTheFileHolds() async throws {
        let old = try start("store-1", describeStore)
        let before = try await old.storage.dbActor.read { try DatabaseDump($0) }
        try await old.facade.save(Keepsake.ofStore1)
        let after = try await old.storage.dbActor.read { try DatabaseDump($0) }
        #expect(after == before, "\(after.firstDifference(from: before))")
    }

    @Test func aFileThatIsUpToDateGetsANoteAndTheRecordsOfItsModelAndIsNotChanged() async throws {
        let context = try start("store-1", describeStore)
        let notes = try await context.storage.dbActor.write { db in
            try db.execute(
                sql: """
                    DELETE FROM grdb_migrations
                    WHERE identifier LIKE 'storage_schema_%'
                    """)
            return db.changesCount
        }
        // The note, the model and its columns.
        #expect(notes == 3)
        try context.storage.pool.close()
        let found = try DatabaseDump(of: folder.file())
        let again = try TemporaryFolder()
        let queue = try DatabaseQueue(path: again.file().path)
        let sql = try String(contentsOf: Self.fixtures.appendingPathComponent("store-1.sql"), encoding: .utf8)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
        let fixture = try DatabaseDump(of: again.file())
        #expect(found == fixture, "\(found.firstDifference(from: fixture))")
    }

    @Test func aFreshFileHasTheTablesOfTheFixture() async throws {
        let old = try start("store-1", describeStore)
        let fresh = try StorageKit.start(at: folder.file("fresh.sqlite"), options: .init(clock: clock)) { schema in
            describeStore(&schema)
        }
        #expect(try await schema(of: fresh) == schema(of: old))
    }

    private func schema(of context: StorageKit.Context) async throws -> [String] {
        try await context.storage.dbActor.read { db in
            try Row.fetchAll(
                db, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name <> 'keepsakes_text' ORDER BY name"
            ).map { $0[0] }
        }
    }

    @StorageEntity(table: "keepsakes")
    struct Shrunk {
        var id: String
        var text: String
        var mood: Keepsake.Mood
    }

    @Test func aModelThatHasLostPropertiesSavesIntoTheFile() async throws {
        let context = try start("store-1") { $0.autoSchema(ShrunkRecord.self) }
        try await context.facade.save(Shrunk(id: "new", text: "new", mood: .wild))
        try await context.facade.save(Shrunk(id: "full", text: "changed", mood: .calm))
        let found = try await context.storage.dbActor.read { db in
            try Row.fetchAll(db, sql: "SELECT id || ' ' || ifnull(\"integer\", '-') FROM keepsakes ORDER BY id")
                .map { $0[0] as String }
        }
        #expect(found == ["full -9223372036854775808", "new -", "sparse 0"])
    }

    // MARK: model-1

    @Test func rowsOfAnEarlierModelKeepTheirValuesAndGetTheDocumentedOnes() async throws {
        let context = try start("model-1") { $0.autoSchema(Keepsake.Grown.KeepsakeRecord.self) }
        let found = try await context.facade.all(Keepsake.Grown.Keepsake.self)
        #expect(
            found == [
                grown("first", text: "it's ümlaut", spot: .init(city: "Rome", floor: 3), note: ""),
                grown("second", text: "", spot: .init(city: "", floor: nil), note: nil),
            ])
    }

    private func grown(_ id: String, text: String, spot: Keepsake.Spot, note: String?) -> Keepsake.Grown.Keepsake {
        Keepsake.Grown.Keepsake(
            id: id, text: text, spot: spot, note: note, integer: 0, real: 0, bool: false, date: clock.now,
            data: Data(), decimal: 0, tags: [], mood: .calm, seen: nil)
    }

    // MARK: adopted

    @StorageEntity(table: "customers")
    struct Customer {
        var id: Int
        var name: String
        var age: Int?
        var member: Bool
        var joined: Date?
        var phone: String?
        var points: Int
    }

    @StorageEntity(table: "orders")
    struct Order {
        var id: String
        var customer: Int
        var total: Double
        var weight: Double?
    }

    private func adopt() throws -> StorageKit.Context {
        try start("adopted") { $0.autoSchema(CustomerRecord.self, OrderRecord.self) }
    }

    @Test func rowsOfAnAdoptedFileReadBack() async throws {
        let store = try adopt().facade
        let joined = Date(timeIntervalSince1970: 1_575_964_800)
        #expect(
            try await store.all(Customer.self) == [
                Customer(id: 1, name: "Ada", age: 36, member: true, joined: joined, phone: nil, points: 0),
                Customer(id: 7, name: "Grace", age: nil, member: false, joined: nil, phone: nil, points: 0),
            ])
        #expect(
            try await store.all(Order.self) == [
                Order(id: "a-1", customer: 1, total: 12.5, weight: 0.25),
                Order(id: "a-2", customer: 1, total: 3, weight: nil),
                Order(id: "b-1", customer: 7, total: 0, weight: 1e100),
            ])
    }

    @Test func rowsOfAnAdoptedFileCountAsSavedAtTheTimeOfTheMigration() async throws {
        let record = try await adopt().storage.dbActor.read { try CustomerRecord.fetchOne($0) }
        #expect(record?.updatedAt == clock.now)
    }

    @Test func triggersViewsAndForeignKeysOfAnAdoptedFileStayAtWork() async throws {
        let context = try adopt()
        try await context.facade.save(Order(id: "c-1", customer: 7, total: 2, weight: nil))
        try await context.facade.delete(Customer.self, id: 1)
        let (audit, totals, orders) = try await context.storage.dbActor.read { db in
            (
                try Row.fetchAll(db, sql: "SELECT line FROM audit").map { $0[0] as String },
                try Row.fetchAll(db, sql: "SELECT name || ' ' || total FROM totals").map { $0[0] as String },
                try Row.fetchAll(db, sql: "SELECT id FROM orders ORDER BY id").map { $0[0] as String }
            )
        }
        #expect(audit == ["order c-1"])
        // The column was NUMERIC, and is REAL as the property is.
        #expect(totals == ["Grace 2.0"])
        #expect(orders == ["b-1", "c-1"])
    }

    @Test func constraintsOfAnAdoptedFileStayInForce() async throws {
        let store = try adopt().facade
        await #expect(throws: StorageError.self) {
            try await store.save(Order(id: "d-1", customer: 99, total: 2, weight: nil))
        }
        await #expect(throws: StorageError.self) {
            try await store.save(Order(id: "d-1", customer: 1, total: -2, weight: nil))
        }
        #expect(try await store.count(Order.self) == 3)
    }
}
