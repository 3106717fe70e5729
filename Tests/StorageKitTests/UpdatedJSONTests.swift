import StorageKit
import StorageTestSupport
import Testing

/// `updateAll` sets columns of JSON as a save would.
@Suite struct UpdatedJSONTests {
    private func store(_ configure: (inout StorageKit.StartOptions) -> Void = { _ in }) async throws -> TemporaryStore {
        let store = try TemporaryStore(options: configure) { $0.autoSchema(PinboardRecord.self) }
        try await store.storage.save([Pinboard("1"), Pinboard("2", note: "kept")])
        return store
    }

    @Test func aValueOfManyPartsIsSetAndReadsBackEqual() async throws {
        let store = try await store()
        let query = store.storage.query(Pinboard.self).where { $0.id == "1" }
        let pin = Pinboard.Pin(title: "é \"quoted\"", due: Date(timeIntervalSince1970: 0.5))
        let count = try await query.updateAll {
            [$0.tags.set(to: ["a", "b"]), $0.pin.set(to: pin), $0.note.set(to: "now"), $0.counts.set(to: ["x": 1])]
        }
        #expect(count == 1)
        let expected = Pinboard("1", tags: ["a", "b"], pin: pin, note: "now", counts: ["x": 1])
        #expect(try await store.storage.get(Pinboard.self, id: "1") == expected)
        #expect(try await store.storage.get(Pinboard.self, id: "2") == Pinboard("2", note: "kept"))
    }

    @Test func nilIsNULLAndNotTheNullOfJSON() async throws {
        let store = try await store()
        let pin = Pinboard.Pin(title: "old", due: Date(timeIntervalSince1970: 1))
        let all = store.storage.query(Pinboard.self)
        try await all.updateAll { [$0.pin.set(to: pin)] }
        #expect(try await all.where { $0.pin.isNotNull }.count() == 2)
        try await all.updateAll { [$0.pin.set(to: nil), $0.note.set(to: nil)] }
        #expect(try await all.where { $0.pin.isNull && $0.note.isNull }.count() == 2)
    }

    @Test func theCodersOfTheStoreWriteIt() async throws {
        let store = try await store {
            $0.configureEncoder = { $0.dateEncodingStrategy = .secondsSince1970 }
            $0.configureDecoder = { $0.dateDecodingStrategy = .secondsSince1970 }
        }
        let pin = Pinboard.Pin(title: "t", due: Date(timeIntervalSince1970: 3))
        try await store.storage.query(Pinboard.self).updateAll { [$0.pin.set(to: pin)] }
        let texts = try await store.db.read { try String.fetchAll($0, sql: "SELECT DISTINCT pin FROM pinboards") }
        #expect(texts == [#"{"due":3,"title":"t"}"#])
    }

    /// SQLite compares the letters of a key.
    @Test func aKeyWithASlashIsFoundWhateverTheAppsEncoderDoes() async throws {
        let store = try TemporaryStore(options: { $0.configureEncoder = { $0.outputFormatting = .sortedKeys } }) {
            $0.autoSchema(SlashedRecord.self)
        }
        try await store.storage.save(Slashed(id: 1, part: Slashed.Part(type: "a")))
        let all = store.storage.query(Slashed.self)
        #expect(try await all.where { $0.part.type == "a" }.count() == 1)
        try await all.updateAll { [$0.part.type.set(to: "b")] }
        #expect(try await all.fetch().map(\.part.type) == ["b"])
    }

    /// Foundation writes a `Decimal` that is no number as `NaN`, which nobody could read.
    @Test func aDecimalThatIsNoNumberIsRefusedInJSON() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        let none = Priced(id: 1, price: Priced.Price(amount: Decimal(1) / Decimal(0), currency: "NaN"))
        await #expect(throws: StorageError.self) { try await store.storage.save(none) }
        try await store.storage.save(Priced(id: 2, price: Priced.Price(amount: 1, currency: "NaN")))
        #expect(try await store.storage.all(Priced.self).map(\.id) == [2])
    }

    @Test func aColumnThatHoldsNoJSONIsNamed() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        try await store.storage.save(Priced(id: 1, price: Priced.Price(amount: 1, currency: "EUR")))
        try await store.db.write { try $0.execute(sql: "UPDATE priceds SET price = '{broken'") }
        let error = await storageError {
            _ = try await store.storage.query(Priced.self).updateAll { [$0.price.currency.set(to: "CHF")] }
        }
        #expect(error?.localizedDescription.contains("column 'price' of a row holds no JSON") == true)
    }

    @Test func aValueWithoutJSONFormIsRefusedByName() async throws {
        let store = try await store()
        let error = await storageError {
            _ = try await store.storage.query(Pinboard.self).updateAll { [$0.weights.set(to: [1, .nan])] }
        }
        guard case .queryFailed = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("column 'weights' cannot be set") == true)
        #expect(try await store.storage.get(Pinboard.self, id: "1")?.weights == [])
    }
}

@StorageEntity
struct Pinboard {
    struct Pin: Codable, Sendable, Equatable {
        var title: String
        var due: Date
    }

    var id: String
    var tags: [String]
    var pin: Pin?
    @StorageJSON var note: String?
    @StorageJSON var counts: [String: Int]
    var weights: [Double] = []

    init(_ id: String, tags: [String] = [], pin: Pin? = nil, note: String? = nil, counts: [String: Int] = [:]) {
        self.id = id
        self.tags = tags
        self.pin = pin
        self.note = note
        self.counts = counts
    }
}

@StorageEntity(table: "slashed") private struct Slashed {
    struct Part: Codable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey { case type = "content/type" }

        var type: String
    }

    var id: Int
    @StorageJSON var part: Part
}

@StorageEntity
struct Priced {
    struct Price: Codable, Sendable, Equatable {
        var amount: Decimal
        var currency: String
    }

    var id: Int
    @StorageJSON var price: Price
}
