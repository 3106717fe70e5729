import StorageKit
import StorageTestSupport
import Testing

/// What cannot be stored is refused before anything is written; what cannot be read names its column.
@Suite struct BrokenValueTests {
    private let store: TemporaryStore
    private let good: EveryType

    init() throws {
        store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        good = EveryType.random(using: &generator)
    }

    typealias Change = @Sendable (inout EveryType) -> Void

    static let unstorable: [(column: String, change: Change)] = [
        ("double", { $0.double = .nan }),
        ("float", { $0.float = .nan }),
        ("cgFloat", { $0.cgFloat = .nan }),
        ("decimal", { $0.decimal = .nan }),
        ("date", { $0.date = Date(timeIntervalSince1970: 253_402_300_800) }),
        ("date", { $0.date = Date(timeIntervalSince1970: .nan) }),
        ("maybeDate", { $0.maybeDate = Date(timeIntervalSince1970: -.infinity) }),
        ("json", { $0.json = ["a": [.double(.infinity)]] }),
        ("maybeJSON", { $0.maybeJSON = .double(.nan) }),
        ("dates", { $0.dates = [Date(timeIntervalSince1970: .nan)] }),
        ("figure", { $0.figure = .circle(radius: .infinity) }),
        ("place_point_latitude", { $0.place.point.latitude = .nan }),
        ("place_opened", { $0.place.opened = Date(timeIntervalSince1970: .nan) }),
        ("total_amount", { $0.money.amount = .nan }),
        ("url", { $0.url = URL(string: "x", relativeTo: URL(string: "https://example.com/")) ?? $0.url }),
        ("maybePoint_longitude", { $0.maybePoint = GeoPoint(latitude: 0, longitude: .nan) }),
    ]

    @Test(arguments: unstorable.indices)
    func aValueThatCannotBeStoredIsRefusedBeforeAnythingIsWritten(index: Int) async throws {
        let (column, change) = BrokenValueTests.unstorable[index]
        var bad = good
        bad.id = UUID()
        change(&bad)
        let error = await storageError { try await store.storage.save([good, bad]) }
        guard case .entityEncodingFailed("EveryType", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnEncodingError)?.column == column)
        #expect(error?.localizedDescription.contains("'\(column)'") == true)
        #expect(try await store.storage.count(EveryType.self) == 0)
    }

    @Test func aValueThatCannotBeStoredIsToldWithItsPlaceAmongSeveral() async throws {
        var bad = good
        bad.id = UUID()
        bad.double = .nan
        let saved = await storageError { try await store.storage.save([good, bad]) }
        #expect(saved?.localizedDescription.contains("(the entity at position 1, counted from 0)") == true)
        let inserted = await storageError { try await store.storage.insert([good, bad]) }
        #expect(inserted?.localizedDescription.contains("(the entity at position 1, counted from 0)") == true)
    }

    @Test func aRowThatCannotBeReadIsToldWithItsId() async throws {
        var other = good
        other.id = UUID()
        try await store.storage.save([good, other])
        try await store.db.write { [id = other.id] db in
            try db.execute(sql: "UPDATE everytypes SET int = 'twelve' WHERE id = ?", arguments: [id.uuidString])
        }
        let expected = "column 'int' of the row with id '\(other.id)'"
        let error = await storageError { _ = try await store.storage.all(EveryType.self) }
        #expect(error?.localizedDescription.contains(expected) == true)
        let rows = store.storage.query(EveryType.self).select { ($0.string, $0) }
        let ofSelection = await storageError { _ = try await rows.fetch() }
        #expect(ofSelection?.localizedDescription.contains(expected) == true)
    }

    static let unreadable: [(column: String, sql: String, found: String)] = [
        ("int", "'twelve'", "TEXT"), ("int", "1.5", "REAL"), ("int8", "300", "INTEGER"), ("string", "NULL", "NULL"),
        ("uuid", "'not-a-uuid'", "TEXT"), ("uuid", "x'0102'", "BLOB"), ("date", "'yesterday'", "TEXT"),
        ("data", "7", "INTEGER"), ("bool", "x'00'", "BLOB"), ("double", "'much'", "TEXT"), ("uint", "-1", "INTEGER"),
        ("uint64", "x'01'", "BLOB"), ("uint64", "x'0000000000000007'", "BLOB"), ("float", "1e39", "REAL"),
        ("float", "-1e300", "REAL"), ("url", "''", "TEXT"), ("decimal", "'1.2.3'", "TEXT"),
        ("decimal", "'12 apples'", "TEXT"), ("decimal", "x''", "BLOB"), ("level", "'huge'", "TEXT"),
        ("weekday", "9", "INTEGER"), ("weekday", "NULL", "NULL"), ("maybeLevel", "'huge'", "TEXT"),
        ("list", "'[1'", "TEXT"), ("list", "'{\"a\":1}'", "TEXT"), ("list", "NULL", "NULL"), ("list", "5", "INTEGER"),
        ("dates", "'[\"soon\"]'", "TEXT"), ("json", "''", "TEXT"), ("figure", "'{\"square\":{}}'", "TEXT"),
        ("maybeList", "'nope'", "TEXT"), ("place_title", "NULL", "NULL"), ("place_level", "'huge'", "TEXT"),
        ("place_tags", "'['", "TEXT"), ("place_point_latitude", "'north'", "TEXT"),
        ("maybePlace_post_code", "7", "INTEGER"), ("maybePoint_latitude", "'north'", "TEXT"),
        ("total_amount", "'much'", "TEXT"),
    ]

    @Test(arguments: unreadable.indices)
    func aRowOfTheWrongTypeNamesEntityAndColumn(index: Int) async throws {
        let (column, sql, found) = BrokenValueTests.unreadable[index]
        var entity = good
        entity.maybePoint = GeoPoint(latitude: 1, longitude: 2)
        entity.maybePlace = entity.place
        try await store.storage.save(entity)
        try await store.db.write { db in
            // The table refuses NULL and converts by its affinities; a copy of it without types does not.
            try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM everytypes")
            let columns = EveryTypeRecord.schemaColumns.map { "\"\($0.name)\"" }.joined(separator: ", ")
            try db.execute(sql: "DROP TABLE everytypes; CREATE TABLE everytypes (\(columns))")
            try db.execute(sql: "INSERT INTO everytypes SELECT * FROM copy")
            try db.execute(sql: "UPDATE everytypes SET \"\(column)\" = \(sql)")
        }
        let error = await storageError { _ = try await store.storage.get(EveryType.self, id: entity.id) }
        guard case .entityDecodingFailed("EveryType", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnDecodingError)?.column == column)
        #expect((underlying as? ColumnDecodingError)?.found == found)
        #expect(error?.localizedDescription.contains("'\(column)'") == true)
    }

    @Test(arguments: [(0, false), (1, true), (2, true), (-1, true)])
    func anyNumberButZeroIsTrue(number: Int, isTrue: Bool) async throws {
        try await store.storage.save(good)
        try await store.db.write { try $0.execute(sql: "UPDATE everytypes SET bool = ?", arguments: [number]) }
        #expect(try await store.storage.get(EveryType.self, id: good.id)?.bool == isTrue)
        #expect(try await store.storage.query(EveryType.self).select(\.bool).fetch() == [isTrue])
    }

    // MARK: Code of the app's that refuses

    struct Refusal: Error {
        var secret = "SECRET"
    }

    /// Refuses to be read or written while its flag says so.
    struct Stubborn: Codable, Sendable, Equatable {
        var refusesWriting = false
        var refusesReading = false
        var saysWhy = false

        enum CodingKeys: String, CodingKey { case refusesReading, saysWhy }

        init(refusesWriting: Bool = false, refusesReading: Bool = false, saysWhy: Bool = false) {
            self.refusesWriting = refusesWriting
            self.refusesReading = refusesReading
            self.saysWhy = saysWhy
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            refusesReading = try container.decode(Bool.self, forKey: .refusesReading)
            saysWhy = try container.decode(Bool.self, forKey: .saysWhy)
            guard refusesReading else { return }
            if saysWhy {
                throw DecodingError.dataCorruptedError(
                    forKey: .saysWhy, in: container, debugDescription: "SECRET")
            }
            throw Refusal()
        }

        func encode(to encoder: any Encoder) throws {
            if refusesWriting, saysWhy {
                throw EncodingError.invalidValue("SECRET", .init(codingPath: [], debugDescription: "SECRET"))
            }
            if refusesWriting { throw Refusal() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(refusesReading, forKey: .refusesReading)
            try container.encode(saysWhy, forKey: .saysWhy)
        }
    }

    @StorageEntity
    struct Mule {
        var id: Int
        @StorageEmbedded var flat: Stubborn
        @StorageJSON var json: Stubborn
    }

    @Test(arguments: [false, true])
    func anErrorOfTheAppsCodeNamesTheColumnAndShowsNoValue(saysWhy: Bool) async throws {
        let store = try TemporaryStore { $0.autoSchema(MuleRecord.self) }
        let fine = Stubborn()
        let writing = Stubborn(refusesWriting: true, saysWhy: saysWhy)
        let reading = Stubborn(refusesReading: true, saysWhy: saysWhy)
        for (entity, column) in [
            (Mule(id: 1, flat: writing, json: fine), "'flat'"), (Mule(id: 1, flat: fine, json: writing), "'json'"),
        ] {
            let error = await storageError { try await store.storage.save(entity) }
            guard case .entityEncodingFailed("Mule", _) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                return
            }
            #expect(error?.localizedDescription.contains(column) == true, "\(String(describing: error))")
            #expect(!String(reflecting: error).contains("SECRET"))
        }
        for (entity, column) in [
            (Mule(id: 1, flat: reading, json: fine), "'flat"), (Mule(id: 1, flat: fine, json: reading), "'json'"),
        ] {
            try await store.storage.save(entity)
            let error = await storageError { _ = try await store.storage.get(Mule.self, id: 1) }
            guard case .entityDecodingFailed("Mule", _) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                return
            }
            #expect(error?.localizedDescription.contains(column) == true, "\(String(describing: error))")
            #expect(!String(reflecting: error).contains("SECRET"))
        }
    }
}
