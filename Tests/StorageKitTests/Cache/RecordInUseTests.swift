import StorageKit
import StorageTestSupport
import Testing

/// An entity that does not say which record it has.
private struct Freight: StorageKitEntity, Equatable {
    var id: String
    var weight: Int
}

private struct FreightRecord: StorageKitEntityRecord, Codable {
    typealias E = Freight
    static let databaseTableName = "freights"
    static let schemaColumns = [
        ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
        ColumnSchema(name: "weight", type: "INTEGER", notNull: true),
    ]

    var id: String
    var weight: Int

    func asEntity() -> Freight { Freight(id: id, weight: weight) }
    static func from(_ entity: Freight, now: Date) -> FreightRecord {
        FreightRecord(id: entity.id, weight: entity.weight)
    }
}

@Suite struct RecordInUseTests {
    @Test func theDiskCacheFindsWhatARepositoryOfARecordByHandHasSaved() async throws {
        let store = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(FreightRecord.self)
        }
        let freights = store.context.makeRepository(Freight.self, record: FreightRecord.self)
        try await freights.put(Freight(id: "1", weight: 5))
        let cache = DiskCache<Freight>(db: store.db, config: store.context.config)
        #expect(await cache.get(store.context.keys.entityKey(Freight.self, id: "1")) == Freight(id: "1", weight: 5))
    }

    @Test func twoStoresOnOneQueueInMemoryHearOfEachOther() async throws {
        let queue = try DatabaseQueue()
        var schema = AppMigrations()
        schema.autoSchema(FreightRecord.self)
        try schema.run(on: queue)
        let repositories = (1...2).map { _ in
            GenericRepository<Freight, FreightRecord>(db: DatabaseActor(pool: queue), config: StorageConfig())
        }
        try await repositories[0].put(Freight(id: "1", weight: 5))
        #expect(try await repositories[0].get(id: "1")?.weight == 5)
        let probe = StreamProbe(repositories[0].observe(id: "1"))
        #expect(try await probe.next()?.weight == 5)
        try await repositories[1].put(Freight(id: "1", weight: 7))
        #expect(try await repositories[0].get(id: "1")?.weight == 7)
        #expect(try await probe.next()?.weight == 7)
        try await queue.write { try $0.execute(sql: "UPDATE freights SET weight = 9") }
        #expect(try await repositories[0].get(id: "1")?.weight == 9)
        #expect(try await probe.next()?.weight == 9)
    }
}
