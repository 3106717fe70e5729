import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
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

    @Test func theBufferingPolicySaysWhichValuesWait() async throws {
        let last = Mutex(-1)
        let observation = GRDB.ValueObservation.tracking { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM testusers") ?? 0
        }.handleEvents(didReceiveValue: { count in last.withLock { $0 = count } })
        let stream = ObservationBridge.stream(
            observation, in: store.context.storage.pool, bufferingPolicy: .bufferingOldest(1))
        // Nobody reads while these come, of which the first is kept.
        for count in 0...3 {
            if count > 0 { try await store.storage.save(TestUser("\(count)")) }
            try await untilTrue { last.withLock { $0 } == count }
        }
        var values = stream.makeAsyncIterator()
        #expect(await values.next() == 0)
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
