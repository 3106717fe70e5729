import GRDB
@testable import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@Suite struct StreamTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func anEntityIsEmittedAtOnceThenOnChangeAndDeletion() async throws {
        let probe = StreamProbe(storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next() == nil)
        try await storage.save(TestUser("1", name: "Ada"))
        #expect(try await probe.next()?.name == "Ada")
        try await storage.save(TestUser("1", name: "Grace"))
        #expect(try await probe.next()?.name == "Grace")
        try await storage.delete(TestUser.self, id: "1")
        #expect(try await probe.next() == nil)
    }

    @Test func aChangeOfAnotherEntityIsNotEmitted() async throws {
        try await storage.save(TestUser("1", name: "Ada"))
        let probe = StreamProbe(storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next()?.name == "Ada")
        try await storage.save(TestUser("2"))
        try await storage.save(TestUser("1", name: "Grace"))
        #expect(try await probe.next()?.name == "Grace")
    }

    @Test func anEntityIsEmittedAfterACommitOfMoreRowsThanAreListed() async throws {
        try await store.fill(1001) { TestUser("\($0)") }
        let probe = StreamProbe(storage.observe(TestUser.self, id: "7"))
        #expect(try await probe.next()?.age == 0)
        try await storage.query(TestUser.self).updateAll { [$0.age.set(to: 5)] }
        #expect(try await probe.next()?.age == 5)
    }

    /// More than are asked for at a time, and fewer than make the list be read anew.
    @Test func aListKeepsAllOfManyRowsThatOneCommitChanges() async throws {
        try await store.fill(600) { TestUser("\($0)") }
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        #expect(try await probe.next().count == 600)
        try await storage.query(TestUser.self).updateAll { [$0.age.set(to: 5)] }
        #expect(try await probe.next().filter { $0.age == 5 }.count == 600)
    }

    @Test func aListIsEmittedAtOnceThenOnEachKindOfChange() async throws {
        try await storage.save(TestUser("1", name: "b"))
        let probe = StreamProbe(storage.observeAll(TestUser.self, orderBy: "name"))
        #expect(try await probe.next().map(\.name) == ["b"])
        try await storage.save(TestUser("2", name: "a"))
        _ = try await probe.first { $0.map(\.name) == ["a", "b"] }
        try await store.db.write { db in try db.execute(sql: "UPDATE testusers SET name = 'c' WHERE id = '2'") }
        _ = try await probe.first { $0.map(\.name) == ["b", "c"] }
        try await store.context.storage.pool.write { db in try db.execute(sql: "DELETE FROM testusers") }
        _ = try await probe.first { $0.isEmpty }
    }

    @Test func aTransactionThatRollsBackEmitsNothing() async throws {
        struct Stop: Error {}
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        #expect(try await probe.next().isEmpty)
        await #expect(throws: Stop.self) {
            try await store.db.write { db in
                try db.execute(sql: "INSERT INTO testusers VALUES ('x', '', 0, NULL, 1, '2026-01-01 00:00:00.000')")
                throw Stop()
            }
        }
        try await storage.save(TestUser("1"))
        #expect(try await probe.next().map(\.id) == ["1"])
    }

    @Test func aDistinctListNeverRepeatsAValue() async throws {
        let probe = StreamProbe(storage.observeAllDistinct(TestUser.self))
        #expect(try await probe.next().isEmpty)
        try await storage.save(TestUser("1"))
        #expect(try await probe.next().map(\.id) == ["1"])
        store.clock.advance(by: 1)
        try await storage.save(TestUser("1"))
        try await storage.save(TestUser("2"))
        #expect(try await probe.next().map(\.id) == ["1", "2"])
    }

    @Test func aDistinctListThatWaitsIsComparedWithTheOneThatWasRead() async throws {
        let query = storage.query(TestUser.self)
        let live = await LiveQuery(query)
        var lists = query.observeDistinct(bufferingPolicy: .bufferingNewest(2)).makeAsyncIterator()
        #expect(await lists.next()?.map(\.age) == [])
        // While nobody reads, of three lists the first gives way to the others, and the second is the one that was read.
        for age in [1, nil, 2] {
            if let age {
                try await storage.save(TestUser("1", age: age))
            } else {
                try await storage.delete(TestUser.self, id: "1")
            }
            // Both have one source, which has told all who observe it once it has been read again.
            await live.refresh()
        }
        #expect(await lists.next()?.map(\.age) == [2])
    }

    @Test func theLastValueArrivesHoweverFastTheWrites() async throws {
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        for age in 1...200 {
            try await storage.save(TestUser("1", age: age))
        }
        _ = try await probe.first { $0.first?.age == 200 }
    }

    @Test func valuesArriveOnTheMainActor() async throws {
        try await storage.save(TestUser("1"))
        let seen = await Task { @MainActor [storage] in
            for await users in storage.observeAll(TestUser.self) {
                MainActor.assertIsolated()
                return users.count
            }
            return 0
        }.value
        #expect(seen == 1)
    }

    @Test func cancellingTheTaskEndsTheObservation() async throws {
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        _ = try await probe.next()
        #expect(store.db.changes.listenerCount == 1)
        probe.cancel()
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func droppingAStreamThatWasNeverReadEndsTheObservation() async throws {
        do {
            let stream = storage.observeAll(TestUser.self)
            #expect(store.db.changes.listenerCount == 1)
            _ = stream
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func streamsThatEndLeaveNothingBehind() async throws {
        let alive = Counter()
        for cycle in 0..<programCount(quick: 1000, full: 10_000) {
            let token = LifeToken(alive: alive)
            let closure = StreamProbe(store.db.stream { [token] _ in token.value })
            let list = StreamProbe(storage.observeAll(TestUser.self))
            let row = StreamProbe(storage.observe(TestUser.self, id: "\(cycle % 7)"))
            let distinct = StreamProbe(storage.observeAllDistinct(TestUser.self))
            // Some are read, some are not, and some are left while they are being read for the first time.
            if cycle % 3 == 0 { _ = try await (closure.next(), list.next(), row.next(), distinct.next()) }
            if cycle % 3 == 1 { try await storage.save(TestUser("\(cycle % 7)", age: cycle)) }
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
        try await untilTrue { alive.value == 0 }
        #expect(storage.repository(TestUser.self).live.observedCount == 0)
        #expect(!store.db.changes.isWatching)
    }

    @Test func whoObservesAfterASaveGetsWhatWasSaved() async throws {
        // Others observe the same, and may not have been told yet.
        let others = (0..<20).map { _ in StreamProbe(storage.observeAll(TestUser.self)) }
        for age in 1...200 {
            try await storage.save(TestUser("1", age: age))
            let probe = StreamProbe(storage.observeAll(TestUser.self))
            #expect(try await probe.next().first?.age == age)
        }
        for probe in others { _ = try await probe.first { $0.first?.age == 200 } }
    }

    @Test func aSlowConsumerDoesNotKeepAWriterWaiting() async throws {
        try await storage.save(TestUser("1"))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let consumer = Task { [storage] in
            var last = 0
            for await users in storage.observeAll(TestUser.self) {
                start.yield()
                // Until the writes are done.
                for await _ in gate {}
                last = users.first?.age ?? 0
                if last == 100 { break }
            }
            return last
        }
        try await StreamProbe(started).next()
        for age in 1...100 { try await storage.save(TestUser("1", age: age)) }
        open.finish()
        #expect(await consumer.value == 100)
    }

    @MainActor @Test func aBusyMainActorDoesNotKeepAWriterWaiting() async throws {
        let probe = StreamProbe(storage.observeAll(TestUser.self))
        _ = try await probe.next()
        // The main actor is held until all is written, by a thread that waits for no other; then it gets the last value.
        #expect(await hold(writing: store.context.storage.pool))
        _ = try await probe.first { $0.first?.age == 50 }
    }

    @MainActor private func hold(writing pool: any DatabaseWriter) async -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let row = "'1', '', 0, NULL, 1, '2026-01-01 00:00:00.000'"
            try? pool.write { try $0.execute(sql: "INSERT INTO testusers VALUES (\(row))") }
            for _ in 1...50 { try? pool.write { try $0.execute(sql: "UPDATE testusers SET age = age + 1") } }
            done.signal()
        }
        return wait(for: done)
    }

    private nonisolated func wait(for done: DispatchSemaphore) -> Bool {
        done.wait(timeout: .now() + 600) == .success
    }

    @Test(arguments: [true, false])
    func theBufferingPolicySaysWhichValuesWait(isUnbounded: Bool) async throws {
        try await storage.save(TestUser("1"))
        var seen: [Int] = []
        let stream = storage.query(TestUser.self).observe(
            bufferingPolicy: isUnbounded ? .unbounded : .bufferingOldest(1))
        // Nobody reads while these are written, each after the one before was seen.
        let other = StreamProbe(storage.query(TestUser.self).observe())
        _ = try await other.next()
        for age in 1...5 {
            try await storage.save(TestUser("1", age: age))
            _ = try await other.first { $0.first?.age == age }
        }
        for await users in stream {
            seen.append(users.first?.age ?? -1)
            if !isUnbounded || seen.last == 5 { break }
        }
        #expect(isUnbounded ? seen.suffix(5) == [1, 2, 3, 4, 5] : seen == [0])
    }

    @Test func anUnknownColumnIsReportedAndTheStreamStays() async throws {
        let errors = ErrorLog()
        let handler = errors.handler
        let strict = try TemporaryStore(folder: store.folder, options: { $0.onObservationError = handler }) { _ in }
        let probe = StreamProbe(strict.storage.observeAll(TestUser.self, orderBy: "nmae"))
        try await untilTrue { errors.cases == ["queryFailed"] }
        #expect(probe.takeAll().isEmpty)
    }

    @Test(arguments: [(-1, 0), (1, -1)])
    func aNegativeWindowIsReported(limit: Int, offset: Int) async throws {
        let errors = ErrorLog()
        let query = storage.query(TestUser.self).limit(limit).offset(offset)
        let probes = [
            StreamProbe(query.observe(onError: errors.handler).map { $0.count }),
            StreamProbe(query.observeOne(onError: errors.handler).map { $0 == nil ? 0 : 1 }),
            StreamProbe(query.observeCount(onError: errors.handler)),
        ]
        try await untilTrue { errors.cases == ["queryFailed", "queryFailed", "queryFailed"] }
        for probe in probes { #expect(probe.takeAll().isEmpty) }
    }

    @Test func anErrorThatNobodyHandlesStandsInTheSystemsLogOnce() {
        let lines = Mutex<[String]>([])
        let log = SystemLog { line in lines.withLock { $0.append(line) } }
        for name in ["nmae", "nmae", "aeg"] { log.tell(StorageError.invalidTableName(name)) }
        #expect(lines.withLock { $0.map { $0.contains("'nmae'") } } == [true, false])
        #expect(StartOptions().makeConfig().onObservationError != nil)
    }

    @Test func aStreamWithAHandlerOfItsOwnTellsThatOne() async throws {
        let (own, others) = (ErrorLog(), ErrorLog())
        let handler = others.handler
        let store = try TemporaryStore(options: { $0.onObservationError = handler }) {
            $0.autoSchema(TestUserRecord.self)
        }
        let query = store.storage.query(TestUser.self).orderBy("nmae")
        let distinct = StreamProbe(query.observeDistinct(onError: own.handler))
        let changes = StreamProbe(query.observeChanges(onError: own.handler))
        try await untilTrue { own.cases.count + others.cases.count == 2 }
        #expect(others.cases == [])
        distinct.cancel()
        changes.cancel()
    }

    @Test func aBrokenRowIsReportedAndTheStreamGoesOnOnceItIsMended() async throws {
        let errors = ErrorLog()
        try await storage.save([TestUser("1"), TestUser("2")])
        let probe = StreamProbe(storage.query(TestUser.self).orderBy("id").observe(onError: errors.handler))
        _ = try await probe.next()
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 'old' WHERE id = '2'") }
        try await untilTrue { errors.cases == ["entityDecodingFailed"] }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 9 WHERE id = '2'") }
        #expect(try await probe.next().map(\.age) == [0, 9])
    }

    @Test func anEntityThatIsBrokenIsReportedAndEmittedOnceItIsMended() async throws {
        let errors = ErrorLog()
        let handler = errors.handler
        let store = try TemporaryStore(options: { $0.onObservationError = handler }) {
            $0.autoSchema(TestUserRecord.self)
        }
        try await store.storage.save(TestUser("1"))
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next()?.age == 0)
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 'old'") }
        try await untilTrue { errors.cases == ["entityDecodingFailed"] }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 9") }
        #expect(try await probe.next()?.age == 9)
    }

    @Test func aStreamIsNotToldThatItsStoreWasClosedAndOneThatBeginsLaterIs() async throws {
        let (errors, later) = (ErrorLog(), ErrorLog())
        let stranger = try GRDB.DatabaseQueue(path: store.url.path)
        let probe = StreamProbe(storage.query(TestUser.self).observe(onError: errors.handler))
        _ = try await probe.next()
        // The connection that read may not be given back yet.
        try await untilTrue { (try? store.db.close()) != nil }
        try await stranger.write { try $0.execute(sql: "DELETE FROM testusers; CREATE TABLE other (x)") }
        // It shares the read of the first.
        let second = StreamProbe(storage.query(TestUser.self).observe(onError: later.handler))
        try await untilTrue { !later.cases.isEmpty }
        // Errors are told on the main actor, those of one read together.
        await MainActor.run {}
        #expect(Set(later.cases) == ["queryFailed"])
        #expect(errors.cases.isEmpty)
        probe.cancel()
        second.cancel()
        try await untilTrue { store.db.changes.listenerCount == 0 }
    }

    @Test func aTableThatGoesAndComesAgainIsObservedOn() async throws {
        let errors = ErrorLog()
        try await storage.save(TestUser("1"))
        let probe = StreamProbe(storage.query(TestUser.self).observe(onError: errors.handler))
        _ = try await probe.next()
        try await store.db.write { try $0.execute(sql: "ALTER TABLE testusers RENAME TO gone") }
        try await untilTrue { errors.cases.first == "queryFailed" }
        try await store.db.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO testusers") }
        #expect(try await probe.first { !$0.isEmpty }.map(\.id) == ["1"])
    }

    @Test func aCommitThatChangesTheFileAndNoRowIsReadToo() async throws {
        let probe = StreamProbe(store.db.stream { try Int.fetchOne($0, sql: "PRAGMA user_version") })
        #expect(try await probe.next() == 0)
        try await store.context.storage.pool.write { try $0.execute(sql: "PRAGMA user_version = 7") }
        #expect(try await probe.next() == 7)
    }

    @Test func aDistinctStreamOfAClosureNeverRepeatsAValue() async throws {
        let reads = Mutex(0)
        let probe = StreamProbe(
            store.db.streamDistinctOnMainActor(bufferingPolicy: .unbounded) { db -> Int in
                reads.withLock { $0 += 1 }
                return try Int.fetchOne(db, sql: "SELECT count(*) FROM testusers") ?? 0
            })
        #expect(try await probe.next() == 0)
        try await store.db.write { try $0.execute(sql: "CREATE TABLE other (x)") }
        try await untilTrue { reads.withLock { $0 } > 1 }
        try await storage.save(TestUser("1"))
        #expect(try await probe.next() == 1)
    }

    @Test(arguments: ["immediate", "main actor", "distinct"])
    func eachKindOfStreamOfAClosureReportsItsErrors(kind: String) async throws {
        let (db, errors) = (store.db, ErrorLog())
        let reads = Mutex(0)
        let value: @Sendable (Database) throws -> Int = { _ in
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            if number == 1 { throw DatabaseError(resultCode: .SQLITE_ERROR) }
            return number
        }
        let stream =
            switch kind {
            case "immediate": db.streamImmediate(onError: errors.handler, tracking: value)
            case "main actor": db.streamOnMainActor(onError: errors.handler, tracking: value)
            default: db.streamDistinctOnMainActor(onError: errors.handler, tracking: value)
            }
        let probe = StreamProbe(stream)
        try await untilTrue { reads.withLock { $0 } > 0 }
        try await storage.save(TestUser("1"))
        _ = try await probe.next()
        #expect(errors.cases == ["DatabaseError"])
    }

    @Test func anErrorIsReportedAndTheStreamGoesOn() async throws {
        let (errors, report) = AsyncStream.makeStream(of: String.self)
        let stream = store.db.stream(onError: { report.yield("\($0)") }) { db in
            try Row.fetchAll(db, sql: "SELECT * FROM later").count
        }
        let failures = StreamProbe(errors)
        let probe = StreamProbe(stream)
        #expect(try await failures.next().contains("later"))
        try await store.db.write { db in try db.execute(sql: "CREATE TABLE later (x); INSERT INTO later VALUES (1)") }
        #expect(try await probe.first { $0 == 1 } == 1)
    }
}

/// Counts the values that are alive.
private final class LifeToken: Sendable {
    let value = 1
    private let alive: Counter

    init(alive: Counter) {
        self.alive = alive
        alive.add(1)
    }

    deinit { alive.add(-1) }
}

private final class Counter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add(_ count: Int) { number.withLock { $0 += count } }
}
