import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct ObservationBridgeTests {
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func anObservationOfGRDBBecomesAStream() async throws {
        let observation = GRDB.ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM testusers") ?? 0
        }
        let probe = StreamProbe(ObservationBridge.stream(observation, in: store.context.storage.pool))
        #expect(try await probe.next() == 0)
        try await store.storage.save(TestUser("1"))
        #expect(try await probe.first { $0 == 1 } == 1)
    }

    @Test func anErrorIsReportedAndEndsTheStream() async throws {
        let errors = ErrorLog()
        let observation = GRDB.ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT x FROM nothing") }
        let stream = ObservationBridge.stream(
            observation, in: store.context.storage.pool, onError: errors.handler)
        for await _ in stream {}
        #expect(errors.cases == ["DatabaseError"])
    }
}
