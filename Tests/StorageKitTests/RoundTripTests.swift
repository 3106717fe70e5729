import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct RoundTripTests {
    @Test func whateverIsSavedReadsBackEqual() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 5, full: 1000) {
            let values = (0..<100).map { _ in EveryType.random(using: &generator) }
            try await store.storage.save(values)
            let found = try await store.storage.all(EveryType.self)
            #expect(found == values.sorted { $0.id.uuidString < $1.id.uuidString }, "seed \(generator.seed)")
            try await store.storage.deleteAll(EveryType.self)
        }
    }

    @Test func oneByOneTooWhateverIsSavedReadsBackEqual() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 100, full: 10_000) {
            let value = EveryType.random(using: &generator)
            try await store.storage.save(value)
            #expect(try await store.storage.get(EveryType.self, id: value.id) == value, "seed \(generator.seed)")
        }
    }

    @Test func valuesSurviveVacuumClosingAndReopening() async throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator()
        let values = (0..<200).map { _ in EveryType.random(using: &generator) }
        try await save(values, in: folder)
        let reopened = try TemporaryStore(folder: folder) { $0.autoSchema(EveryTypeRecord.self) }
        let found = try await reopened.storage.all(EveryType.self)
        #expect(found == values.sorted { $0.id.uuidString < $1.id.uuidString }, "seed \(generator.seed)")
    }

    /// The store is gone, and its file closed, when this returns.
    private func save(_ values: [EveryType], in folder: TemporaryFolder) async throws {
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(EveryTypeRecord.self) }
        try await store.storage.save(values)
        try await store.context.storage.pool.vacuum()
    }

    @Test func theGeneratedRecordReadsAndWritesThroughGRDBToo() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        let now = store.clock.now
        for _ in 0..<programCount(quick: 50, full: 5000) {
            let value = EveryType.random(using: &generator, allowsNUL: false)
            try await store.db.write { db in try EveryTypeRecord.from(value, now: now).insert(db) }
            #expect(try await store.storage.get(EveryType.self, id: value.id) == value, "seed \(generator.seed)")
            let record = try await store.db.write { db in
                let record = try EveryTypeRecord.fetchOne(db)
                try EveryTypeRecord.deleteAll(db)
                return record
            }
            #expect(record?.asEntity() == value, "seed \(generator.seed)")
            #expect(record?.updatedAt == now)
            #expect(record?.string == value.string)
        }
    }

    @Test func textThatGRDBWouldCutIsRefusedOnItsRoad() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        let record = TestUserRecord.from(TestUser("1", name: "a\0b"), now: store.clock.now)
        let error = await storageError { try await store.db.write { db in try record.insert(db) } }
        #expect(error?.localizedDescription.contains("'name'") == true)
        #expect(try await store.storage.count(TestUser.self) == 0)
    }

    @Test func aRecordIsCodableAsItsRow() throws {
        var generator = SeededGenerator()
        var value = EveryType.random(using: &generator)
        // JSON knows no infinite numbers.
        value.double = 0.1
        value.float = 0.1
        value.cgFloat = 0.1
        value.place.point = GeoPoint(latitude: 1, longitude: 2)
        value.place.backup = nil
        value.maybeDouble = nil
        value.maybeCGFloat = nil
        value.maybePlace = nil
        value.maybePoint = nil
        let record = EveryTypeRecord.from(value, now: Date(timeIntervalSince1970: 7))
        let json = try JSONEncoder().encode(record)
        let decoded = try JSONDecoder().decode(EveryTypeRecord.self, from: json)
        #expect(decoded.asEntity() == value, "seed \(generator.seed)")
        #expect(decoded.updatedAt == record.updatedAt)
    }

    /// What is bound stands in memory of a fixed size, or SQLite copies it.
    @Test(arguments: [true, false])
    func valuesOfAllLengthsAreSavedBesideEachOther(together: Bool) async throws {
        let store = try TemporaryStore { $0.autoSchema(PieceRecord.self) }
        let lengths = [0, 1, 15, 16, 1000, 2048, 4080, 4096, 5000, 100_000]
        let pieces = lengths.flatMap { first in
            lengths.map { second in
                Piece(
                    id: "\(first) \(second)", text: String(repeating: "é", count: first / 2),
                    data: Data(repeating: 7, count: second), at: Date(timeIntervalSince1970: Double(first) + 0.25),
                    end: String(repeating: "z", count: second))
            }
        }
        if together {
            try await store.storage.save(pieces)
        } else {
            for piece in pieces { try await store.storage.save(piece) }
        }
        let found = try await store.storage.all(Piece.self)
        #expect(Set(found) == Set(pieces))
    }

    /// GRDB reads such a number so.
    @Test(arguments: [86_400, 0.5]) func aDateThatIsANumberIsSecondsSince1970(seconds: Double) async throws {
        let store = try TemporaryStore { $0.autoSchema(PieceRecord.self) }
        try await store.storage.save(Piece(id: "1", text: "", data: Data(), at: .now, end: ""))
        try await store.db.write { try $0.execute(sql: "UPDATE pieces SET at = ?", arguments: [seconds]) }
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try await store.storage.all(Piece.self).map(\.at) == [date])
        #expect(try await store.db.read { try PieceRecord.fetchOne($0)?.asEntity().at } == date)
    }

    /// A column without a type keeps it.
    @Test func aWholeNumberWithAFractionIsAnInteger() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("1") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE tallies (id INTEGER PRIMARY KEY, total, updatedAt);
                        INSERT INTO tallies VALUES (1, 7.0, '2026-01-01 00:00:00.000')
                        """)
            }
        }
        #expect(try await store.storage.all(Tally.self).map(\.total) == [7])
        #expect(try await store.db.read { try TallyRecord.fetchOne($0)?.asEntity().total } == 7)
    }

    /// SQLite puts bound values into the text of a statement after it has run.
    @Test func savedValuesCanBeTraced() async throws {
        let traced = Mutex<[String]>([])
        let store = try TemporaryStore { $0.autoSchema(PieceRecord.self) }
        let pieces = (1...3).map { Piece(id: "piece \($0)", text: "text \($0)", data: Data(), at: .now, end: "") }
        try await store.db.write { db in
            db.trace(options: .profile) { event in traced.withLock { $0.append(event.expandedDescription) } }
        }
        try await store.storage.save(pieces[0])
        try await store.storage.save(pieces)
        let upserts = traced.withLock { $0 }.filter { $0.contains("INSERT INTO") }
        #expect(pieces.allSatisfy { piece in upserts.contains { $0.contains("'\(piece.id)', '\(piece.text)'") } })
    }
}

@StorageEntity
private struct Piece: Hashable {
    var id: String
    var text: String
    var data: Data
    var at: Date
    var end: String
}

@StorageEntity(table: "tallies")
private struct Tally {
    var id: Int
    var total: Int
}
