import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Writes to the disk cache that nobody waits for.
@Suite(.timeLimit(.minutes(20))) struct CacheQueueTests {
    @Test func whatACancellationInterruptsPastGRDBIsDoneAllTheSame() async throws {
        let store = try TemporaryStore { $0.addKVCache() }
        let calls = Calls()
        let work = Task { [db = store.db] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await db.finishing {
                let call = calls.count.withLock { count in
                    count += 1
                    return count
                }
                // As SQLite says it where a statement is stepped past GRDB.
                if call == 1 { throw GRDB.DatabaseError(resultCode: .SQLITE_INTERRUPT) }
                return call
            }
        }
        #expect(try await work.value == 2)
    }

    @Test func whoWaitsForWhatIsPendingDoesNotWaitForAllThatComesAfter() async throws {
        let store = try TemporaryStore { $0.addKVCache() }
        let queue = CacheQueue(db: store.db, config: store.context.config)
        defer { queue.close() }
        let asked = Mutex<Set<Int>>([])
        // Each write is followed by another one.
        @Sendable func write(_ number: Int) {
            queue.writeLater(
                "\(number)",
                CacheQueue.Write(
                    isFill: true, expiry: nil,
                    isDue: { _ in
                        _ = asked.withLock { $0.insert(number) }
                        write(number + 1)
                        return false
                    }, run: { _ in }))
        }
        write(0)
        await queue.settle()
        #expect(asked.withLock { $0.contains(0) })
    }

    @Test func whatIsGatheredWhileOthersAreWrittenIsWaitedForToo() async throws {
        let store = try TemporaryStore { $0.addKVCache() }
        let queue = CacheQueue(db: store.db, config: store.context.config)
        let (writer, rest) = (store.db.writer, Rest())
        let written = Mutex<[String]>([])
        @Sendable func write(_ key: String) {
            queue.writeLater(
                key,
                CacheQueue.Write(
                    isFill: true, expiry: nil, isDue: { _ in true }, run: { _ in written.withLock { $0.append(key) } }))
        }
        async let held: Void = store.db.withWriter { _ in rest.enter() }
        await rest.begun()
        write("first")
        try await untilTrue { writer.waitingCount == 1 }
        write("second")
        async let settled: Void = queue.settle()
        rest.leave()
        _ = try await (held, settled)
        #expect(written.withLock { $0 } == ["first", "second"])
    }
}

private final class Calls: Sendable { let count = Mutex(0) }
