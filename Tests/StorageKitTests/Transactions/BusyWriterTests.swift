import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Encodes itself as the user of the task that saves it.
struct WriterStamp: Codable, Equatable, Sendable {
    @TaskLocal static var writer = "nobody"
    var user = ""

    init() {}
    init(from decoder: any Decoder) throws { user = try [String](from: decoder)[0] }
    func encode(to encoder: any Encoder) throws { try [WriterStamp.writer].encode(to: encoder) }
}

@StorageEntity(table: "stamped_logs")
struct StampedLog {
    var id: String
    var text: String
    @StorageJSON var stamp: WriterStamp = WriterStamp()
}

/// Writes that find the writer, or the file, taken.
@Suite(.timeLimit(.minutes(20))) struct BusyWriterTests {
    @Test func aSaveThatWaitsIsEncodedInTheTaskOfItsCaller() async throws {
        let store = try TemporaryStore { $0.autoSchema(StampedLogRecord.self) }
        let (begun, end) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let other = Task {
            try await store.db.write { _ in
                begun.continuation.finish()
                end.wait()
            }
        }
        for await _ in begun.stream {}
        let save = Task {
            try await WriterStamp.$writer.withValue("ada") {
                try await store.storage.save(StampedLog(id: "1", text: "a"))
            }
        }
        // Behind it in the same line.
        let next = Task { try await store.storage.save(StampedLog(id: "2", text: "b")) }
        for _ in 0..<100 { await Task.yield() }
        end.signal()
        _ = try await (other.value, save.value, next.value)
        #expect(try await store.storage.get(StampedLog.self, id: "1")?.stamp.user == "ada")
        #expect(try await store.storage.get(StampedLog.self, id: "2")?.stamp.user == "nobody")
    }

    /// The other connection lets go when it is waited for.
    @Test func withASearchAWriteWaitsForTheLocksOfOthersToo() async throws {
        let folder = try TemporaryFolder()
        let release = DispatchSemaphore(value: 0)
        let waits = Mutex(0)
        let mayWait = Mutex(false)
        let store = try TemporaryStore(
            folder: folder,
            options: {
                $0.pool = PoolOptions { configuration in
                    configuration.busyMode = .callback { tries in
                        guard mayWait.withLock(\.self) else { return false }
                        waits.withLock { $0 += 1 }
                        if tries == 0 { release.signal() }
                        usleep(1000)
                        return true
                    }
                }
            },
            schema: { schema in
                schema.autoSchema(StampedLogRecord.self)
                schema.addFullTextSearch(table: "stamped_logs", columns: ["text"])
            })
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.file().path, configuration: configuration)
        // A write that fails for a lock, and a change of the schema by somebody else.
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE x (a)") }
        let refused = await storageError { try await store.storage.save(StampedLog(id: "0", text: "a")) }
        #expect(refused != nil)
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT; BEGIN IMMEDIATE; DROP TABLE x") }
        mayWait.withLock { $0 = true }
        // On no thread that tasks share.
        Thread.detachNewThread {
            release.wait()
            try? other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        }
        try await store.storage.transaction { try $0.save(StampedLog(id: "1", text: "a")) }
        #expect(waits.withLock(\.self) > 0)
        #expect(try await store.storage.searchText(StampedLog.self, "a").map(\.entity.id) == ["1"])
    }
}
