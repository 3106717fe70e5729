import StorageKit
import StorageTestSupport
import Testing

private struct GadgetTag: RawRepresentable, Codable, Sendable, Equatable {
    var rawValue: String
}

private struct GadgetSettings: Codable, Sendable, Equatable {
    var theme: String?
}

private enum GadgetSize: Codable, Sendable, Equatable {
    case none
    case fixed(Int)
}

@StorageEntity
private struct Gadget: Equatable {
    var id: Int
    var wide: Int64 = Int64(5)
    var plain: Int = .init(4)
    var length: TimeInterval = TimeInterval(60)
    var named: Int = Swift.Int(9)
    var tag: GadgetTag = GadgetTag(rawValue: "new")
    var bits: Int = 1 << 4 | 1
    var isOn: Bool = true || false
    var typed: Int = 7 as Int
    var isMore: Bool = 3 > 2
    var either: Int = Bool(true) ? 6 : 7
    var parsed: Int = Int("8") ?? 0
    @StorageJSON var settings: GadgetSettings = GadgetSettings(theme: "dark")
    @StorageJSON var size: GadgetSize = .fixed(2)
    @StorageJSON var list: [Int] = [Int](repeating: 1, count: 2)
}

@StorageEntity
private struct Gauge {
    var id: Int
    var reading: Double = .nan
    var label: String = "new"
    var least: Double = -Double.infinity
    var most: Double = .infinity
    var span: ClosedRange<Int> = 1...5
}

private struct GaugePlace: Codable, Sendable, Equatable {
    var floor: Int
    var room: String?
}

@StorageEntity(table: "placed_gauges")
private struct LooseGauge {
    var id: Int
    @StorageEmbedded var place: GaugePlace?
}

@StorageEntity(table: "placed_gauges")
private struct PlacedGauge {
    var id: Int
    @StorageEmbedded var place: GaugePlace = GaugePlace(floor: 7, room: "hall")
}

/// What existing rows get in the column of a property that an entity has got.
@Suite struct PropertyDefaultTests {
    /// A row with an id alone, to whose table auto-schema adds all other columns.
    private func storeWithARow<R: StorageKitEntityRecord>(of record: R.Type) throws -> TemporaryStore {
        try TemporaryStore { schema in
            schema.migration("table") { db in
                let table = R.databaseTableName
                try db.execute(
                    sql: "CREATE TABLE \(table) (id INTEGER NOT NULL PRIMARY KEY); INSERT INTO \(table) VALUES (1)")
            }
            schema.autoSchema(record)
        }
    }

    @Test func anExistingRowGetsTheConstantThatTheSourceGives() async throws {
        let store = try storeWithARow(of: GadgetRecord.self)
        #expect(try await store.storage.get(Gadget.self, id: 1) == Gadget(id: 1))
    }

    @Test func anEmbeddedValueThatWasNilGetsTheWholeDefault() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try TemporaryStore(folder: folder) { $0.autoSchema(LooseGaugeRecord.self) }
            try await store.storage.save([
                LooseGauge(id: 1, place: nil), LooseGauge(id: 2, place: GaugePlace(floor: 1, room: nil)),
            ])
        }
        let store = try TemporaryStore(folder: folder) { $0.autoSchema(PlacedGaugeRecord.self) }
        let places = try await store.storage.all(PlacedGauge.self).map(\.place)
        #expect(places == [GaugePlace(floor: 7, room: "hall"), GaugePlace(floor: 1, room: nil)])
    }

    @Test func aConstantThatCannotBeStoredTakesNoOtherWithIt() async throws {
        let store = try storeWithARow(of: GaugeRecord.self)
        let gauge = try await store.storage.get(Gauge.self, id: 1)
        #expect(gauge?.reading == 0)
        #expect(gauge?.label == "new")
        #expect(gauge?.least == -.infinity && gauge?.most == .infinity)
        #expect(gauge?.span == 1...5)
    }
}
