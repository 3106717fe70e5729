import GRDB
import StorageKit
import StorageTestSupport
import Testing

private struct Station: StorageKitEntity, RegisteredEntity {
    typealias Record = StationRecord
    var id: UUID
    var name: String
    var opened: Date?
    var height: Decimal
}

/// Written by hand, under other names than the entity's.
private struct StationRecord: StorageKitEntityRecord {
    typealias E = Station
    static let databaseTableName = "stations"
    static let schemaColumns = [
        ColumnSchema(name: "code", type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: "title", type: "TEXT", notNull: true),
        ColumnSchema(name: "opened", type: "DATETIME"),
        ColumnSchema(name: "height", type: "DECIMAL_TEXT", notNull: true, defaultValue: "'0'"),
        ColumnSchema(name: "updatedAt", type: "DATETIME", notNull: true),
    ]

    let station: Station
    let updatedAt: Date

    func asEntity() -> Station { station }

    static func from(_ entity: Station, now: Date) -> StationRecord {
        StationRecord(station: entity, updatedAt: now)
    }

    init(station: Station, updatedAt: Date) {
        self.station = station
        self.updatedAt = updatedAt
    }

    init(row: Row) throws {
        guard let id = UUID(uuidString: row["code"]) else {
            throw DatabaseError(message: "no code")
        }
        station = Station(id: id, name: row["title"], opened: row["opened"], height: row["height"])
        updatedAt = row["updatedAt"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["code"] = station.id.uuidString
        container["title"] = station.name
        container["opened"] = station.opened
        container["height"] = station.height
        container["updatedAt"] = updatedAt
    }
}

/// As GRDB itself makes one from a Codable struct: its UUID is sixteen bytes.
private struct TokenRecord: StorageKitEntityRecord, Codable {
    typealias E = Token
    static let databaseTableName = "tokens"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "BLOB", notNull: true, primaryKey: true),
        ColumnSchema(name: "made", type: "DATETIME"),
    ]
    var id: UUID
    var made: Date
    func asEntity() -> Token { Token(id: id, made: made) }
    static func from(_ entity: Token, now: Date) -> TokenRecord { TokenRecord(id: entity.id, made: entity.made) }
}

private struct Token: StorageKitEntity, RegisteredEntity {
    typealias Record = TokenRecord
    var id: UUID
    var made: Date
}

private struct Gauge: StorageKitEntity, RegisteredEntity, Equatable {
    typealias Record = GaugeRecord
    var id: String
    var low: Int
    var middle: Int
    var high: Int
    var top: Int
}

/// Reads its columns by position, and keeps the time of a save as a number.
private struct GaugeRecord: StorageKitEntityRecord {
    typealias E = Gauge
    static let databaseTableName = "gauges"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: "low", type: "INTEGER", notNull: true),
        ColumnSchema(name: "middle", type: "INTEGER", notNull: true),
        ColumnSchema(name: "high", type: "INTEGER", notNull: true),
        ColumnSchema(name: "top", type: "INTEGER", notNull: true),
        ColumnSchema(name: "updatedAt", type: "INTEGER", notNull: true),
    ]

    let gauge: Gauge
    let updatedAt: Int

    func asEntity() -> Gauge { gauge }

    static func from(_ entity: Gauge, now: Date) -> GaugeRecord {
        GaugeRecord(gauge: entity, updatedAt: Int(now.timeIntervalSince1970))
    }

    init(gauge: Gauge, updatedAt: Int) {
        self.gauge = gauge
        self.updatedAt = updatedAt
    }

    init(row: Row) throws {
        gauge = Gauge(id: row[0], low: row[1], middle: row[2], high: row[3], top: row[4])
        updatedAt = row[5]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = gauge.id
        container["low"] = gauge.low
        container["middle"] = gauge.middle
        container["high"] = gauge.high
        container["top"] = gauge.top
        container["updatedAt"] = updatedAt
    }
}

private struct TwiceRecord: StorageKitEntityRecord, Codable {
    typealias E = Station
    static let databaseTableName = "twice"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "TEXT", primaryKey: true), ColumnSchema(name: "ID", type: "TEXT"),
    ]
    var id: UUID
    func asEntity() -> Station { Station(id: id, name: "", height: 0) }
    static func from(_ entity: Station, now: Date) -> TwiceRecord { TwiceRecord(id: entity.id) }
}

private struct BareRecord: StorageKitEntityRecord, Codable {
    typealias E = Bare
    static let databaseTableName = "bare"
    static var schemaColumns: [ColumnSchema] { [] }
    var id: String
    func asEntity() -> Bare { Bare(id: id) }
    static func from(_ entity: Bare, now: Date) -> BareRecord { BareRecord(id: entity.id) }
}

private struct Bare: StorageKitEntity, RegisteredEntity {
    typealias Record = BareRecord
    var id: String
}

@Suite struct HandWrittenRecordTests {
    private func stations() async throws -> (TemporaryStore, [Station]) {
        let store = try TemporaryStore { $0.autoSchema(StationRecord.self) }
        let stations = [
            Station(id: UUID(), name: "North", opened: store.clock.now, height: 9),
            Station(id: UUID(), name: "So\0uth", opened: nil, height: 10),
        ]
        try await store.storage.save(stations[0])
        try await store.storage.save(stations)
        return (store, stations)
    }

    @Test func itIsSavedFetchedQueriedAndDeletedLikeAGeneratedOne() async throws {
        let (store, stations) = try await stations()
        let storage = store.storage
        #expect(try await storage.get(Station.self, id: stations[1].id) == stations[1])
        #expect(try await storage.get(Station.self, id: stations[1].id.uuidString) == stations[1])
        #expect(try await storage.all(Station.self, orderBy: "height") == stations)
        #expect(try await storage.query(Station.self).where { Column<Decimal>("height") > 9 }.fetch() == [stations[1]])
        #expect(try await storage.page(Station.self, orderBy: "title", limit: 1).items == [stations[0]])
        try await storage.delete(Station.self, id: stations[0].id)
        #expect(try await storage.all(Station.self) == [stations[1]])
    }

    @Test func aUUIDIsFoundInTheFormThatGRDBGivesIt() async throws {
        let store = try TemporaryStore { $0.autoSchema(TokenRecord.self) }
        let tokens = [Token(id: UUID(), made: store.clock.now), Token(id: UUID(), made: store.clock.now)]
        try await store.storage.save(tokens)
        #expect(try await store.storage.get(Token.self, id: tokens[0].id) == tokens[0])
        #expect(try await store.storage.get(Token.self, id: tokens[0].id.uuidString) == tokens[0])
        #expect(try await store.storage.get(Token.self, id: UUID()) == nil)
        try await store.storage.delete(Token.self, id: tokens[0].id)
        #expect(try await store.storage.all(Token.self) == [tokens[1]])
    }

    @Test(arguments: ["upper(code)", "lower(code)", "blob"])
    func aUUIDIsUpdatedAndDeletedInAllForms(form: String) async throws {
        let store = try TemporaryStore { $0.autoSchema(TokenRecord.self) }
        var token = Token(id: UUID(), made: store.clock.now)
        try await store.storage.save(token)
        let text = token.id.uuidString
        let id = form == "blob" ? "x'\(text.replacing("-", with: ""))'" : form.replacing("code", with: "'\(text)'")
        try await store.db.write { try $0.execute(sql: "UPDATE tokens SET id = \(id)") }
        token.made += 60
        try await store.storage.update(token)
        #expect(try await store.storage.modify(Token.self, id: token.id) { $0.made += 60 }?.made == token.made + 60)
        #expect(try await store.storage.count(Token.self) == 1)
        try await store.storage.delete(token)
        #expect(try await store.storage.count(Token.self) == 0)
    }

    @MainActor @Test func aJumpFindsARowWhoseIdIsInThatForm() async throws {
        let store = try TemporaryStore { $0.autoSchema(TokenRecord.self) }
        let token = Token(id: UUID(), made: store.clock.now)
        try await store.storage.save(token)
        let window = LiveWindow(store.storage.query(Token.self))
        #expect(await window.jump(to: token.id))
        #expect(window.items == [token])
    }

    @Test func itIsObservedLikeAGeneratedOne() async throws {
        let (store, stations) = try await stations()
        let probe = StreamProbe(store.storage.observe(Station.self, id: stations[0].id))
        #expect(try await probe.next() == stations[0])
        try await store.storage.delete(Station.self, id: stations[0].id)
        #expect(try await probe.next() == nil)
    }

    @Test func aRowItCannotReadNamesTheEntity() async throws {
        let (store, _) = try await stations()
        try await store.db.write { db in try db.execute(sql: "UPDATE stations SET code = 'x' WHERE title = 'North'") }
        let error = await storageError { _ = try await store.storage.all(Station.self) }
        guard case .entityDecodingFailed("Station", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["made", "id"])
    func aValueThatGRDBCannotReadIsToldWithItsColumn(column: String) async throws {
        let store = try TemporaryStore { $0.autoSchema(TokenRecord.self) }
        try await store.storage.save(Token(id: UUID(), made: store.clock.now))
        try await store.db.write { try $0.execute(sql: "UPDATE tokens SET \(column) = 'column: \"x\"'") }
        let error = try #require(await storageError { _ = try await store.storage.all(Token.self) })
        #expect("\(error)".contains("column '\(column)' holds a value"), "\(error)")
    }

    @Test func aTableThatHasNoKeyOfTheIdIsToldOf() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("own") { try $0.execute(sql: "CREATE TABLE tokens (id BLOB, made DATETIME)") }
        }
        let token = Token(id: UUID(), made: store.clock.now)
        let error = try #require(await storageError { try await store.storage.save(token) })
        #expect("\(error)".contains("make its column the primary key of the table"), "\(error)")
    }

    @Test func itReadsItsColumnsByPosition() async throws {
        let store = try TemporaryStore { $0.autoSchema(GaugeRecord.self) }
        let gauges = (0..<20).map { Gauge(id: "\($0 + 10)", low: $0, middle: $0 + 100, high: $0 + 200, top: $0 + 300) }
        try await store.storage.save(gauges)
        #expect(try await store.storage.all(Gauge.self) == gauges)
        #expect(try await store.storage.get(Gauge.self, id: "17") == gauges[7])
    }

    @Test func anUpdateLeavesAnUpdatedAtThatIsNoDateAlone() async throws {
        let store = try TemporaryStore { $0.autoSchema(GaugeRecord.self) }
        try await store.storage.save(Gauge(id: "1", low: 1, middle: 2, high: 3, top: 4))
        let query = store.storage.query(Gauge.self)
        #expect(try await query.updateAll { _ in [StorageGRDB.Column<Int>("low").set(to: 5)] } == 1)
        let kind = try await store.db.read { try String.fetchOne($0, sql: "SELECT typeof(updatedAt) FROM gauges") }
        #expect(kind == "integer")
        #expect(try await query.fetch().map(\.low) == [5])
    }

    @Test func twoColumnsOfOneNameAreRefused() async {
        await expectRefusal("'id' and 'ID' of 'Station'") { $0.autoSchema(TwiceRecord.self) }
    }

    /// To SQLite they are two, and to GRDB one.
    @Test func soAreTwoThatDifferByTheCaseOfALetterOutsideOfASCII() async {
        await expectRefusal("'größe' and 'GRÖßE' of 'Station'") { $0.autoSchema(UmlautRecord.self) }
    }

    private func expectRefusal(_ words: String, _ describe: (inout AppMigrations) -> Void) async {
        let error = await storageError { _ = try TemporaryStore(schema: describe) }
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains(words))
    }

    @Test func anEntityThatIsAnIdAloneIsUpdatedToo() async throws {
        let store = try TemporaryStore { $0.autoSchema(MarkRecord.self) }
        try await store.storage.save(Mark(id: "1"))
        #expect(try await store.storage.update(Mark(id: "1")).id == "1")
        #expect(try await store.storage.modify(Mark.self, id: "1") { _ in }?.id == "1")
        let error = await storageError { _ = try await store.storage.update(Mark(id: "2")) }
        guard case .entityNotFound("Mark", "2") = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    private func expectNoColumns(_ error: StorageError?, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .invalidConfiguration(let message) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(message.contains("'BareRecord' of 'Bare' has no columns"))
    }

    @Test func aRecordWithoutColumnsIsRefusedByTheStart() async throws {
        expectNoColumns(await storageError { _ = try TemporaryStore { $0.autoSchema(BareRecord.self) } })
    }

    @Test func aRecordWithoutColumnsIsRefusedWhereTheStartDoesNotKnowIt() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("own") { try $0.execute(sql: "CREATE TABLE bare (id TEXT PRIMARY KEY)") }
        }
        expectNoColumns(await storageError { try await store.storage.save(Bare(id: "1")) })
        expectNoColumns(await storageError { try await store.storage.save([Bare(id: "1"), Bare(id: "2")]) })
        expectNoColumns(await storageError { _ = try await store.storage.get(Bare.self, id: "1") })
        expectNoColumns(await storageError { _ = try await store.storage.all(Bare.self) })
        expectNoColumns(await storageError { try await store.storage.delete(Bare.self, id: "1") })
        expectNoColumns(await storageError { _ = try await store.storage.query(Bare.self).count() })
        let error = await thrownError { try await store.db.write { try BareRecord.createTable(in: $0) } }
        expectNoColumns(error as? StorageError)
    }
}

private struct UmlautRecord: StorageKitEntityRecord, Codable {
    typealias E = Station
    static let databaseTableName = "umlauts"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "TEXT", primaryKey: true), ColumnSchema(name: "größe", type: "TEXT"),
        ColumnSchema(name: "GRÖßE", type: "TEXT"),
    ]
    var id: UUID
    func asEntity() -> Station { Station(id: id, name: "", height: 0) }
    static func from(_ entity: Station, now: Date) -> UmlautRecord { UmlautRecord(id: entity.id) }
}

private struct MarkRecord: StorageKitEntityRecord, Codable {
    typealias E = Mark
    static let databaseTableName = "marks"
    static let schemaColumns = [ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true)]
    var id: String
    func asEntity() -> Mark { Mark(id: id) }
    static func from(_ entity: Mark, now: Date) -> MarkRecord { MarkRecord(id: entity.id) }
}

private struct Mark: StorageKitEntity, RegisteredEntity {
    typealias Record = MarkRecord
    var id: String
}
