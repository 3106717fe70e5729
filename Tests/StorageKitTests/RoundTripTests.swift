import StorageKit
import StorageTestSupport
import Testing

@Suite struct RoundTripTests {
    @Test func whateverIsSavedReadsBackEqual() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        var saved: [UUID: EveryType] = [:]
        for _ in 0..<programCount(quick: 300, full: 10_000) {
            let value = EveryType.random(using: &generator)
            try await store.storage.save(value)
            saved[value.id] = value
        }
        for (id, value) in saved {
            #expect(try await store.storage.get(EveryType.self, id: id) == value, "seed \(generator.seed)")
        }
        #expect(Set(try await store.storage.all(EveryType.self).map(\.id)) == Set(saved.keys))
    }

    @Test func valuesSurviveClosingAndReopening() async throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator()
        let values = (0..<50).map { _ in EveryType.random(using: &generator) }
        try await TemporaryStore(folder: folder) { $0.autoSchema(EveryTypeRecord.self) }.storage.save(values)
        let reopened = try TemporaryStore(folder: folder) { $0.autoSchema(EveryTypeRecord.self) }
        let found = try await reopened.storage.all(EveryType.self)
        #expect(found == values.sorted { $0.id.uuidString < $1.id.uuidString }, "seed \(generator.seed)")
    }

    @Test func theGeneratedRecordReadsAndWritesThroughGRDBToo() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        let value = EveryType.random(using: &generator)
        let now = store.clock.now
        try await store.db.write { db in try EveryTypeRecord.from(value, now: now).insert(db) }
        #expect(try await store.storage.get(EveryType.self, id: value.id) == value)
        let record = try await store.db.read { db in try EveryTypeRecord.fetchOne(db) }
        #expect(record?.asEntity() == value)
        #expect(record?.updatedAt == now)
        #expect(record?.string == value.string)
    }

    @Test func notANumberIsRefusedBeforeAnythingIsWritten() async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        let good = EveryType.random(using: &generator)
        var bad = EveryType.random(using: &generator)
        bad.double = .nan
        let error = await storageError { try await store.storage.save([good, bad]) }
        guard case .entityEncodingFailed("EveryType", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("'double'") == true)
        #expect(try await store.storage.count(EveryType.self) == 0)
    }

    @Test(arguments: [
        ("int", "'twelve'", "TEXT"), ("int8", "300", "INTEGER"), ("string", "NULL", "NULL"),
        ("uuid", "'not-a-uuid'", "TEXT"), ("date", "'yesterday'", "TEXT"), ("data", "7", "INTEGER"),
        ("bool", "x'00'", "BLOB"), ("double", "'much'", "TEXT"), ("uint", "-1", "INTEGER"),
    ])
    func aRowOfTheWrongTypeNamesEntityAndColumn(column: String, value: String, found: String) async throws {
        let store = try TemporaryStore { $0.autoSchema(EveryTypeRecord.self) }
        var generator = SeededGenerator()
        let entity = EveryType.random(using: &generator)
        try await store.storage.save(entity)
        try await store.db.write { db in
            // The table refuses NULL; a copy of it without constraints does not.
            try db.execute(sql: "CREATE TABLE copy AS SELECT * FROM everytypes")
            try db.execute(sql: "UPDATE copy SET \(column) = \(value)")
            try db.execute(sql: "DROP TABLE everytypes; ALTER TABLE copy RENAME TO everytypes")
        }
        let error = await storageError { _ = try await store.storage.get(EveryType.self, id: entity.id) }
        guard case .entityDecodingFailed("EveryType", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnDecodingError)?.column == column)
        #expect((underlying as? ColumnDecodingError)?.found == found)
    }
}
