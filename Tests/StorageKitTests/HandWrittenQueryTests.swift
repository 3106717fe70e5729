import StorageKit
import StorageTestSupport
import Testing

/// Queries of an entity without the macro: its columns are found by name when a query is built.
@Suite struct HandWrittenQueryTests {
    private let store: TemporaryStore
    private var query: Query<Rower> { store.storage.query(Rower.self).orderBy(\.name) }
    private let day = Date(timeIntervalSince1970: 86_400)

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(RowerRecord.self) }
        try await store.storage.save([
            Rower(id: "1", name: "Ada", age: 41, isActive: true, seat: .bow, note: nil, joinedAt: day),
            Rower(id: "2", name: "Bo", age: 17, isActive: false, seat: .stroke, note: "left-handed", joinedAt: day + 1),
            Rower(id: "3", name: "Chen", age: 18, isActive: true, seat: .stroke, note: nil, joinedAt: day + 2),
        ])
    }

    private func names(_ query: Query<Rower>) async throws -> [String] { try await query.fetch().map(\.name) }

    @Test func aColumnHasTheTypeOfTheValueBesideIt() async throws {
        #expect(try await names(query.where { $0.name == "Ada" }) == ["Ada"])
        #expect(try await names(query.where { $0.age >= 18 }) == ["Ada", "Chen"])
        #expect(try await names(query.where { $0.joinedAt > day }) == ["Bo", "Chen"])
        #expect(try await names(query.where { $0.seat == Rower.Seat.stroke }) == ["Bo", "Chen"])
        #expect(try await names(query.where { $0.age.in([17, 41]) }) == ["Ada", "Bo"])
        #expect(try await names(query.where { $0.age.between(17...18) }) == ["Bo", "Chen"])
    }

    @Test func decimalsThatAreTextsAreComparedAsNumbers() async throws {
        for (id, name) in [("8", "10"), ("9", "9.5")] {
            try await store.storage.save(
                Rower(id: id, name: name, age: 99, isActive: true, seat: .bow, note: nil, joinedAt: day))
        }
        let oldest = query.where { $0.age == 99 }
        #expect(try await names(oldest.where { $0.name > Decimal(9) }) == ["10", "9.5"])
        #expect(try await names(oldest.where { $0.name == (Decimal(string: "9.50") ?? 0) }) == ["9.5"])
    }

    @Test func aColumnOfTextIsSearched() async throws {
        #expect(try await names(query.where { $0.name.contains("he") || $0.name.hasPrefix("A") }) == ["Ada", "Chen"])
        #expect(try await names(query.where { $0.note.hasSuffix("handed") }) == ["Bo"])
        #expect(try await names(query.where { $0.name.in(["Bo", "Chen"]) }) == ["Bo", "Chen"])
    }

    @Test func numbersOfNoTypeAreNotPutTogetherAsTexts() async throws {
        let error = await storageError { try await query.updateAll { [$0.age.set(to: $0.age + $0.age)] } }
        #expect(error?.localizedDescription.contains("'age' and 'age' hold numbers") == true)
        await #expect(throws: StorageError.self) { try await query.orderBy({ $0.age + $0.age }).fetch() }
        try await query.updateAll { [$0.age.set(to: ($0.age as Column<Int>) + $0.age)] }
        #expect(try await query.fetch().map(\.age) == [82, 34, 36])
        try await query.updateAll { [$0.name.set(to: $0.name + $0.id)] }
        #expect(try await names(query) == ["Ada1", "Bo2", "Chen3"])
    }

    @Test func aSumHasTheTypeThatIsAskedFor() async throws {
        let ages: Int = try await query.sum(\.age)
        #expect(ages == 76)
        let ofActive: Int = try await store.storage.snapshot { [query] tx in
            try query.where { $0.isActive }.sum(\.age, in: tx)
        }
        #expect(ofActive == 59)
    }

    @Test func aBoolColumnIsACondition() async throws {
        #expect(try await names(query.where { $0.isActive }) == ["Ada", "Chen"])
        #expect(try await names(query.where { !$0.isActive || $0.age > 40 }) == ["Ada", "Bo"])
    }

    @Test func aColumnIsComparedWithNil() async throws {
        #expect(try await names(query.where { $0.note == nil }) == ["Ada", "Chen"])
        #expect(try await names(query.where { $0.note != nil }) == ["Bo"])
        #expect(try await names(query.where { $0.note.isNull && $0.joinedAt.isNotNull }) == ["Ada", "Chen"])
    }

    @Test func aNameMayLeaveOutUnderscores() async throws {
        #expect(try await names(query.where { $0.joined_at == day }) == ["Ada"])
        #expect(try await names(query.where { $0.joinedAt == day }) == ["Ada"])
    }

    @Test func ordersValuesAndUpdatesTakeNamesToo() async throws {
        let all = store.storage.query(Rower.self)
        #expect(try await names(all.orderBy(\.age, .descending)) == ["Ada", "Chen", "Bo"])
        #expect(try await all.first(by: \.age)?.name == "Bo")
        let oldest: Int? = try await all.max(\.age)
        #expect(oldest == 41)
        try await all.where { $0.age < 18 }.updateAll { [$0.isActive.set(to: true), $0.age.set(to: 18)] }
        #expect(try await names(query.where { $0.isActive && $0.age == 18 }) == ["Bo", "Chen"])
    }

    @Test func anUnknownNameThrowsAndNamesTheNearest() async throws {
        for error in [
            await storageError { _ = try await query.where { $0.nmae == "Ada" }.fetch() },
            await storageError { _ = try await query.orderBy(\.nmae).fetch() },
            await storageError { _ = try await query.where { $0.name == "Ada" && $0.nmae }.count() },
            await storageError { _ = try await query.updateAll { [$0.nmae.set(to: "Ada")] } },
        ] {
            guard case .queryFailed = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
            let message = try #require(error?.localizedDescription)
            #expect(message.contains("table 'rowers' has no column 'nmae'; did you mean 'name'?"))
            #expect(message.contains("joined_at"))
        }
    }

    @Test func aColumnThatARecordWritesAndDoesNotNameIsNamedByTheError() async throws {
        let store = try TemporaryStore { $0.autoSchema(OarRecord.self) }
        let error = await storageError { try await store.storage.save(Oar(id: "1", length: 3.7)) }
        #expect("\(try #require(error))".contains("'OarRecord' of 'Oar' writes the column 'length'"))
        #expect(try await store.storage.count(Oar.self) == 0)
    }
}

private struct Oar: RegisteredEntity {
    typealias Record = OarRecord
    var id: String
    var length: Double
}

private struct OarRecord: StorageKitEntityRecord, Codable {
    typealias E = Oar
    static let databaseTableName = "oars"
    static let schemaColumns = [ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true)]

    var id: String
    var length: Double

    func asEntity() -> Oar { Oar(id: id, length: length) }
    static func from(_ oar: Oar, now: Date) -> OarRecord { OarRecord(id: oar.id, length: oar.length) }
}

private struct Rower: RegisteredEntity, Equatable {
    typealias Record = RowerRecord
    enum Seat: String, Codable, Sendable { case bow, stroke }
    var id: String
    var name: String
    var age: Int
    var isActive: Bool
    var seat: Seat
    var note: String?
    var joinedAt: Date
}

private struct RowerRecord: StorageKitEntityRecord, Codable {
    typealias E = Rower
    static let databaseTableName = "rowers"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: "name", type: "TEXT", notNull: true),
        ColumnSchema(name: "age", type: "INTEGER", notNull: true),
        ColumnSchema(name: "isActive", type: "BOOLEAN", notNull: true),
        ColumnSchema(name: "seat", type: "TEXT", notNull: true),
        ColumnSchema(name: "note", type: "TEXT"),
        ColumnSchema(name: "joined_at", type: "DATETIME", notNull: true),
    ]

    var id: String
    var name: String
    var age: Int
    var isActive: Bool
    var seat: Rower.Seat
    var note: String?
    var joined_at: Date

    func asEntity() -> Rower {
        Rower(id: id, name: name, age: age, isActive: isActive, seat: seat, note: note, joinedAt: joined_at)
    }

    static func from(_ entity: Rower, now: Date) -> RowerRecord {
        RowerRecord(
            id: entity.id, name: entity.name, age: entity.age, isActive: entity.isActive, seat: entity.seat,
            note: entity.note, joined_at: entity.joinedAt)
    }
}
