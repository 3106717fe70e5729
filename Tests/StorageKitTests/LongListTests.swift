import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Parcel {
    var id: Int
    var weight: Double
    var seal: Data
    var code: UInt64
    var label: String
    var price: Decimal?
}

/// A list holds more values than a statement takes arguments, of whatever type.
@Suite struct LongListTests {
    private static let weight = 0.1 + 0.2
    private static let count = 500

    /// SQLite may have been built to take fewer arguments than a list has values.
    @Sendable private static func takeFewArguments(_ configuration: inout Configuration) {
        configuration.prepareDatabase { db in
            _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 100)
        }
    }

    private func store() async throws -> TemporaryStore {
        let store = try TemporaryStore(options: { $0.pool.configure = Self.takeFewArguments }) {
            $0.autoSchema(ParcelRecord.self)
        }
        try await store.storage.save([
            Parcel(id: 1, weight: Self.weight, seal: Data([0, 255]), code: .max, label: "a\0b", price: 1.5),
            Parcel(id: 2, weight: 0.3, seal: Data(), code: 5, label: "a", price: nil),
        ])
        return store
    }

    private func ids(_ store: TemporaryStore, _ predicate: Predicate) async throws -> [Int] {
        try await store.storage.query(Parcel.self).where { _ in predicate }.orderBy(\.id).fetch().map(\.id)
    }

    @Test func numbersWithFractionsAreFoundToTheBit() async throws {
        let weights = (0..<Self.count).map { Double($0) + 10.25 } + [Self.weight]
        #expect(try await ids(store(), Column<Double>("weight").in(weights)) == [1])
        let infinite = (0..<Self.count).map { -Double($0) - 0.5 } + [.infinity, -.infinity, .leastNonzeroMagnitude]
        #expect(try await ids(store(), Column<Double>("weight").in(infinite)) == [])
    }

    @Test func bytesAreFound() async throws {
        let seals = (0..<Self.count).map { Data("seal \($0)".utf8) }
        #expect(try await ids(store(), Column<Data>("seal").in(seals + [Data([0, 255])])) == [1])
        #expect(try await ids(store(), Column<Data>("seal").in(seals + [Data()])) == [2])
    }

    @Test func numbersOnBothSidesOfInt64AreFound() async throws {
        let codes = (0..<UInt64(Self.count)).map { UInt64.max - $0 } + [5]
        #expect(try await ids(store(), Column<UInt64>("code").in(codes)) == [1, 2])
    }

    @Test func textsWithANULAreFound() async throws {
        let labels = (0..<Self.count).map { "\($0)\0" }
        #expect(try await ids(store(), Column<String>("label").in(labels + ["a\0b"])) == [1])
        #expect(try await ids(store(), Column<String>("label").in(labels + ["", "a"])) == [2])
    }

    @Test func aNilAmongTheValuesFindsNULL() async throws {
        let prices = (0..<Self.count).map { Optional(Decimal($0) + 10) } + [nil]
        #expect(try await ids(store(), Column<Decimal?>("price").in(prices)) == [2])
    }

    @Test func aConnectionThatAnotherProgramOpenedTakesThemToo() async throws {
        let store = try await store()
        var configuration = Configuration()
        Self.takeFewArguments(&configuration)
        let queue = try DatabaseQueue(path: store.url.path, configuration: configuration)
        let repository = GenericRepository<Parcel, ParcelRecord>(db: DatabaseActor(pool: queue))
        var plan = repository.table.plan
        plan.add(Column<Double>("weight").in((0..<Self.count).map { Double($0) + 10.25 } + [Self.weight]).node)
        #expect(try await repository.run(repository.table.all(plan)).map(\.id) == [1])
    }

    @Test func ofALongChainEveryConditionCounts() async throws {
        let store = try TemporaryStore { $0.autoSchema(ParcelRecord.self) }
        try await store.storage.save(
            (1...250).map { Parcel(id: $0, weight: 0, seal: Data(), code: 0, label: "", price: nil) })
        let others = (1...250).map { Column<Int>("id") != $0 }
        #expect(try await ids(store, others.dropFirst().reduce(others[0]) { $0 && $1 }) == [])
        let each = (1...250).map { Column<Int>("id") == $0 }
        #expect(try await ids(store, each.dropFirst().reduce(each[0]) { $0 || $1 }) == Array(1...250))
    }
}
