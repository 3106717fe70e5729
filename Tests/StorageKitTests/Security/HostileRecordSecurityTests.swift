import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// A hand-written record whose names are as hostile as names of a table can be.
@Suite struct HostileRecordSecurityTests {
    @Test func everyRoadOfAStoreQuotesTheNamesOfARecord() async throws {
        let store = try TemporaryStore { schema in
            schema.addKVCache(tableName: "kv'; DROP TABLE victims; --")
            schema.autoSchema(OddRecord.self, TestUserRecord.self)
            schema.addFullTextSearch(table: OddRecord.databaseTableName, columns: [OddRecord.text])
            schema.migration("victims") { try $0.execute(sql: "CREATE TABLE victims (x)") }
        }
        let (storage, odds) = (store.storage, store.storage.query(Odd.self))
        let stream = StreamProbe(odds.orderBy(OddRecord.text).observe())
        #expect(try await stream.next().isEmpty)
        try await storage.save([Odd(id: "1", text: "lovelace"), Odd(id: "2", text: "'; DROP TABLE victims; --")])
        _ = try await stream.first { $0.count == 2 }
        try await storage.save(Odd(id: "1", text: "ada lovelace"))
        #expect(try await storage.get(Odd.self, id: "1")?.text == "ada lovelace")
        #expect(try await storage.all(Odd.self, orderBy: OddRecord.text).map(\.id) == ["2", "1"])
        #expect(try await storage.searchText(Odd.self, "lovelace").map(\.entity.id) == ["1"])
        let text = Column<String>(OddRecord.text)
        #expect(try await odds.where { _ in text.hasPrefix("'; DROP") }.fetch().map(\.id) == ["2"])
        #expect(try await odds.orderBy(OddRecord.text).page(limit: 1).items.map(\.id) == ["2"])
        #expect(try await odds.where { _ in text == "ada lovelace" }.updateAll { _ in [text.set(to: "x")] } == 1)
        #expect(try await odds.orderBy(OddRecord.text, .descending).limit(1).deleteAll() == 1)
        try await storage.delete(Odd.self, id: "2")
        #expect(try await storage.count(Odd.self) == 0)
        _ = try await stream.first(where: \.isEmpty)
        #expect(try await store.db.read { try $0.tableExists("victims") })
        #expect(try await store.context.checkIntegrity().isIntact)
    }

    @Test(arguments: HostileText.run) func aTableIsMadeUnderItsNameOrNotAtAll(_ name: String) async throws {
        try await expectOnlyTheTable(
            Names(table: name), isRefused: HostileText.impossibleNames.contains(name) || name.hasQuote)
    }

    @Test(arguments: HostileText.run) func aColumnIsMadeUnderItsNameOrNotAtAll(_ name: String) async throws {
        let isRefused = name.isEmpty || name.utf8.contains(0) || name.hasQuote
        try await expectOnlyTheTable(Names(column: name), isRefused: isRefused)
    }

    @Test(arguments: [
        "TEXT); DROP TABLE victims; --", "TEXT, evil TEXT", "TEXT) STRICT; CREATE TABLE evil (x", "'", "\"", "TEXT\0",
        "TEXT(1", "a;b",
        "TEXT -- ", "TEXT /*", "TEXT CHECK (x > 1)", "TEXT(1, 2, 3)", "TEXT(x)", "TEXT\u{D4E}); DROP TABLE victims; --",
    ])
    func aTypeIsWordsOrRefused(_ type: String) async throws {
        try await expectOnlyTheTable(Names(type: type), isRefused: true)
    }

    @Test(arguments: [
        "TEXT", "", "VARCHAR(20)", "DECIMAL (10, -2)", "UNSIGNED BIG INT", "double precision", "texte_accentué",
    ])
    func aTypeOfWordsAndSizesIsTaken(_ type: String) async throws {
        try await expectOnlyTheTable(Names(type: type), isRefused: false)
    }

    private func expectOnlyTheTable(_ names: Names, isRefused: Bool) async throws {
        let store = try TemporaryStore(options: { $0.pool = .withoutSync }) { schema in
            schema.migration("victims") { try $0.execute(sql: "CREATE TABLE victims (x)") }
        }
        let before = try await store.db.read { try DatabaseDump($0) }
        let error = await storageError {
            try await store.db.write { db in
                try Names.$current.withValue(names) { try NamedRecord.createTable(in: db) }
            }
        }
        guard !isRefused else {
            #expect(error != nil, "\(names)")
            #expect(try await store.db.read { try DatabaseDump($0) } == before)
            return
        }
        #expect(error == nil, "\(names)")
        let tables = try await store.db.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        #expect(tables.map { Array($0.utf8) }.contains(Array(names.table.utf8)))
        #expect(tables.count == 3)
        let columns = try await store.db.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [names.table])
        }
        #expect(columns.map { Array($0.utf8) } == ["id", names.column].map { Array($0.utf8) })
    }
}

private struct Odd: StorageKitEntity, RegisteredEntity, Equatable {
    typealias Record = OddRecord
    var id: String
    var text: String
}

private struct OddRecord: StorageKitEntityRecord {
    typealias E = Odd
    static let databaseTableName = "odd'; DROP TABLE victims; --] (`x`, e\u{301}\u{202E}"
    static let id = "id'); --"
    static let text = "te'xt, (SELECT 1)"
    static let schemaColumns = [
        ColumnSchema(name: id, type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: text, type: "TEXT", notNull: true),
    ]
    let odd: Odd

    func asEntity() -> Odd { odd }
    static func from(_ entity: Odd, now: Date) -> OddRecord { OddRecord(odd: entity) }
    init(odd: Odd) { self.odd = odd }
    init(row: Row) throws { odd = Odd(id: row[OddRecord.id], text: row[OddRecord.text]) }

    func encode(to container: inout PersistenceContainer) {
        container[OddRecord.id] = odd.id
        container[OddRecord.text] = odd.text
    }
}

/// What a record calls its table and column, for as long as a test says so.
private struct Names: Sendable {
    var table = "plain"
    var column = "text"
    var type = "TEXT"

    @TaskLocal static var current = Names()
}

private struct NamedRecord: StorageKitEntityRecord, Codable {
    typealias E = Odd
    static var databaseTableName: String { Names.current.table }
    static var schemaColumns: [ColumnSchema] {
        [
            ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
            ColumnSchema(name: Names.current.column, type: Names.current.type),
        ]
    }

    func asEntity() -> Odd { Odd(id: "", text: "") }
    static func from(_ entity: Odd, now: Date) -> NamedRecord { NamedRecord() }
}

extension String {
    fileprivate var hasQuote: Bool { utf8.contains(UInt8(ascii: "\"")) }
}
