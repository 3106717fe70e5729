import StorageKit
import StorageTestSupport
import Testing

/// What a monitor hears of a store.
@Suite struct MonitorTests {
    private static func describe(_ schema: inout AppMigrations) {
        schema.addKVCache()
        schema.autoSchema(TestUserRecord.self)
    }

    @Test func aSlowStatementIsToldWithItsPlanAndWithoutValues() async throws {
        let (monitor, slow) = SlowStatements.make()
        let store = try TemporaryStore(options: { $0.monitor = monitor }, schema: Self.describe)
        try await store.storage.save([TestUser("1", name: "secret"), TestUser("2")])
        _ = try await store.storage.query(TestUser.self).where { $0.name == "secret" }.fetch()
        let statement = try await slow.first { $0.sql.contains("FROM \"testusers\"") }
        #expect(statement.sql.contains("= ?"))
        #expect(!statement.description.contains("secret"))
        #expect(statement.plan == ["SCAN testusers"])
        #expect(statement.description.hasSuffix("[SCAN testusers]"))
    }

    @Test func thePlanIsThatOfTheSchemaAsItIs() async throws {
        let (monitor, slow) = SlowStatements.make()
        let store = try TemporaryStore(options: { $0.monitor = monitor }, schema: Self.describe)
        let query = store.storage.query(TestUser.self).where { $0.name == "x" }
        _ = try await query.fetch()
        #expect(try await slow.first { $0.sql.contains("\"name\" = ?") }.plan == ["SCAN testusers"])
        try await store.db.write { try $0.execute(sql: "CREATE INDEX by_name ON testusers (name)") }
        _ = try await query.fetch()
        let plan = try await slow.first { $0.sql.contains("\"name\" = ?") }.plan
        #expect(plan.first?.hasPrefix("SEARCH testusers USING INDEX by_name") == true, "\(plan)")
    }

    @Test func aLineThatStandardErrorDoesNotTakeIsLost() async throws {
        let process = try ChildProcess("monitor")
        _ = try await process.line("told")
        #expect(try await process.exit() == .code(0))
    }

    @Test func aBatchIsNoSlowStatement() async throws {
        let events = EventLog(slowStatementThreshold: .milliseconds(50))
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: Self.describe)
        let time = try await ContinuousClock().measure {
            try await store.storage.save((0..<20_000).map { TestUser("\($0)") })
        }
        let slow = events.events.compactMap {
            if case .slowStatement(let it) = $0, it.sql.contains("RETURNING") { it } else { nil }
        }
        // A thread may stand still in any statement. One that was told with all rows would have nearly all of the time.
        #expect(slow.allSatisfy { $0.duration < time / 2 })
    }

    @Test func aGetPastGRDBIsToldToo() async throws {
        let (monitor, slow) = SlowStatements.make()
        let store = try TemporaryStore(
            options: {
                $0.monitor = monitor
                $0.memoryCapacity = 0
            }, schema: { $0.autoSchema(TestUserRecord.self) })
        try await store.storage.save(TestUser("1"))
        _ = try await store.storage.get(TestUser.self, id: "1")
        let statement = try await slow.first { $0.sql.contains("WHERE \"id\" = ?") && $0.sql.hasPrefix("SELECT") }
        #expect(statement.plan.first?.hasPrefix("SEARCH testusers USING INDEX") == true, "\(statement)")
    }

    @Test func readingPlansIsNotToldInItsTurn() async throws {
        let events = EventLog(slowStatementThreshold: .zero)
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: { $0.autoSchema(TestUserRecord.self) })
        func told(_ text: String) -> Int { events.events.count { "\($0)".contains(text) } }
        for reads in 1...20 {
            _ = try await store.storage.query(TestUser.self).fetch()
            try await untilTrue { told("[SCAN testusers]") == reads }
        }
        // One for each of these reads, and those of the start.
        #expect(told("BEGIN") < 30)
        #expect(told("EXPLAIN") == 0)
    }

    @Test func whatAPlanTriesOnACopyIsNotTold() async throws {
        let events = EventLog(slowStatementThreshold: .zero)
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: { $0.autoSchema(TestUserRecord.self) })
        var schema = AppMigrations()
        schema.autoSchema(TestUserRecord.self)
        schema.migration("seven") { try $0.execute(sql: "UPDATE testusers SET age = 7") }
        #expect(try schema.plan(on: store.context.storage.pool).operations.count == 1)
        for _ in 1...20 { _ = try await store.storage.query(TestUser.self).fetch() }
        try await untilTrue { events.events.count { "\($0)".contains("[SCAN testusers]") } >= 20 }
        #expect(!events.events.contains { "\($0)".contains("age = 7") })
    }

    @Test func whatQueriesRunBesideTheirStatementsIsNotTold() async throws {
        let events = EventLog(slowStatementThreshold: .zero)
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: { $0.autoSchema(TestUserRecord.self) })
        try await untilTrue { events.events.contains { "\($0)".contains("testusers") } }
        let query = store.storage.query(TestUser.self).where { $0.age > 71 }
        for _ in 1...20 { _ = try await query.fetch() }
        try await untilTrue { events.events.count { "\($0)".contains("SCAN testusers") } >= 20 }
        #expect(!events.events.contains { "\($0)".contains("SELECT 1 UNION ALL") })
    }

    @Test func quickStatementsAreNotTold() async throws {
        let events = EventLog(slowStatementThreshold: .seconds(3600))
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: Self.describe)
        try await store.storage.save(TestUser("1"))
        _ = try await store.storage.all(TestUser.self)
        try await store.context.close()
        #expect(!events.events.contains { if case .slowStatement = $0 { true } else { false } })
    }

    @Test(arguments: [600, 1]) func theTimeThatALoopOverAStreamTakesIsNotItsStatements(rows: Int) async throws {
        let (monitor, slow) = SlowStatements.make()
        let store = try TemporaryStore(
            options: { $0.monitor = monitor }, schema: { $0.autoSchema(TestUserRecord.self) })
        try await store.storage.save((1...600).map { TestUser("\($0)") })
        let (clock, pause) = (ContinuousClock(), Duration.milliseconds(400))
        var seen = 0
        let start = clock.now
        for try await _ in store.storage.query(TestUser.self).where({ $0.age > -3 }).stream() {
            seen += 1
            if seen == 1 { try await clock.sleep(for: pause) }
            if seen == rows { break }
        }
        let statement = try await slow.first { $0.sql.contains("\"age\" > ?") }
        #expect(statement.duration <= clock.now - start - pause)
    }

    @Test func theSettingsOfThePoolStayBesideAMonitor() async throws {
        let (monitor, _) = SlowStatements.make()
        let store = try TemporaryStore(
            options: {
                $0.monitor = monitor
                $0.pool = PoolOptions(configure: {
                    $0.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = 77") }
                })
            }, schema: Self.describe)
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "PRAGMA cache_size") } == 77)
    }

    @Test func thePlanOfAPragmaBehindACommentIsNotAskedFor() async throws {
        let (monitor, slow) = SlowStatements.make()
        let store = try TemporaryStore(options: { $0.monitor = monitor }, schema: Self.describe)
        // To prepare it, even to explain it, sets it.
        try await store.db.write { try $0.execute(sql: "/* more */ PRAGMA cache_size = 77") }
        _ = try await slow.first { $0.sql.contains("cache_size = 77") }
        #expect(try await store.db.read { try Int.fetchOne($0, sql: "PRAGMA cache_size") } != 77)
    }

    @Test func aMonitorDoesNotKeepTheStore() async throws {
        let (monitor, _) = SlowStatements.make()
        weak let door = try {
            let store = try TemporaryStore(options: { $0.monitor = monitor }, schema: Self.describe)
            return store.db
        }()
        // What a start leaves to do in the background may have it for a moment.
        try await untilTrue { door == nil }
    }

    @Test func whatAStartDoesIsTold() throws {
        let events = EventLog()
        let folder = try TemporaryFolder()
        _ = try TemporaryStore(folder: folder, options: { $0.monitor = events }, schema: Self.describe)
        let lines = events.events.compactMap { if case .migration(let line) = $0 { line } else { nil } }
        #expect(lines.contains { $0.contains("testusers") }, "\(lines)")
        #expect(events.events.allSatisfy { !$0.isProblem })
    }

    @Test func anErrorThatAStreamLivesThroughIsTold() async throws {
        let (heard, hear) = AsyncStream.makeStream(of: StorageEvent.self)
        let monitor = ForwardingMonitor { hear.yield($0) }
        let store = try TemporaryStore(options: { $0.monitor = monitor }, schema: Self.describe)
        let events = StreamProbe(heard)
        let users = StreamProbe(store.storage.observeAll(TestUser.self))
        #expect(try await users.next().isEmpty)
        try await store.db.write { try $0.execute(sql: "ALTER TABLE testusers RENAME TO gone") }
        let event = try await events.first { if case .streamError = $0 { true } else { false } }
        #expect(event.isProblem)
        #expect(event.description.hasPrefix("stream failed: "))
    }

    @Test func anErrorOfACacheIsToldBesideItsHandler() async throws {
        let events = EventLog()
        let errors = ErrorLog()
        let store = try TemporaryStore(
            options: {
                $0.monitor = events
                $0.memoryCapacity = 0
                $0.onCacheError = errors.handler
            }, schema: Self.describe)
        try await store.storage.save(TestUser("1"))
        try await store.db.write { try $0.execute(sql: "DROP TABLE kv_cache") }
        _ = try await store.storage.get(TestUser.self, id: "1")
        await store.context.stores.settle()
        #expect(!errors.cases.isEmpty)
        #expect(events.events.count { if case .cacheError = $0 { true } else { false } } == errors.cases.count)
    }

    @Test func theNumbersOfTheCachesAreToldWhenAskedFor() async throws {
        let events = EventLog()
        let store = try TemporaryStore(options: { $0.monitor = events }, schema: Self.describe)
        try await store.storage.save(TestUser("1"))
        _ = try await store.storage.get(TestUser.self, id: "1")
        await store.context.reportCacheStatistics()
        let statistics = events.events.compactMap { if case .cacheStatistics(let all) = $0 { all } else { nil } }
        #expect(statistics.map(\.memory.hits) == [1])
        #expect(events.events.last?.description.hasPrefix("caches: memory 1 hits, 0 misses") == true)
    }
}

/// A monitor of all statements, and a probe of what it hears.
private enum SlowStatements {
    static func make() -> (any StorageMonitor, StreamProbe<SlowStatement>) {
        let (stream, input) = AsyncStream.makeStream(of: SlowStatement.self)
        let monitor = ForwardingMonitor(slowStatementThreshold: .zero) { event in
            if case .slowStatement(let statement) = event { input.yield(statement) }
        }
        return (monitor, StreamProbe(stream))
    }
}

private struct ForwardingMonitor: StorageMonitor {
    var slowStatementThreshold: Duration?
    let forward: @Sendable (StorageEvent) -> Void

    func record(_ event: StorageEvent) { forward(event) }
}
