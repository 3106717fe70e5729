import StorageKit
import StorageKitTesting
import Synchronization
import Testing

@StorageEntity
private struct Entry {
    var id: String
    var title: String
}

private final class ProblemCounter: StorageMonitor {
    let problems = Mutex<[String]>([])
    // A statement of another test that holds the processors is no problem of this one.
    let slowStatementThreshold: Duration? = .seconds(600)

    func record(_ event: StorageEvent) {
        guard event.isProblem else { return }
        problems.withLock { $0.append(event.description) }
    }
}

/// The code of the article on monitoring, compiled and run.
@Suite struct MonitoringArticleTests {
    @Test func oneLineTurnsItOn() {
        let options = StartOptions(monitor: StandardErrorMonitor())
        #expect(options.monitor?.slowStatementThreshold == .milliseconds(100))
        let strict = StandardErrorMonitor(tellsMissingIndexes: true)
        let curious = StandardErrorMonitor(tellsStreamReads: true)
        #expect(curious.tellsStreamReads && !strict.tellsStreamReads && strict.committedRowLimit == 0)
        #expect(strict.tellsMissingIndexes && options.monitor?.tellsMissingIndexes == false)
    }

    @Test func aMonitorHearsOfProblemsAlone() async throws {
        let counter = ProblemCounter()
        let store = try TemporaryStore(options: { $0.monitor = counter }) { schema in
            schema.addKVCache()
            schema.autoSchema(EntryRecord.self)
        }
        #expect(counter.problems.withLock { $0 }.isEmpty)
        try await store.db.write { try $0.execute(sql: "DROP TABLE kv_cache") }
        try await store.storage.save(Entry(id: "1", title: "first"))
        #expect(counter.problems.withLock { $0 }.allSatisfy { $0.hasPrefix("cache failed: ") })
    }

    @Test func countersBecomeRatios() async throws {
        let context = try StorageKit.startInMemory { $0.autoSchema(EntryRecord.self) }
        try await context.facade.save(Entry(id: "1", title: "first"))
        _ = try await context.facade.get(Entry.self, id: "1")
        let caches = await context.cacheStatistics()
        let ratio = Double(caches.memory.hits) / Double(max(1, caches.memory.hits + caches.memory.misses))
        #expect(ratio == 1)
    }
}
