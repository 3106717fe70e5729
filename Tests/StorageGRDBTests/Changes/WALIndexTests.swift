import GRDB
import StorageKit
import StorageSQLite
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite(.timeLimit(.minutes(20))) struct WALIndexTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool
    private let index: WALIndex
    private var path: String { folder.file().path }

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
        try pool.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (0)") }
        index = try #require(WALIndex(path: folder.file().path))
    }

    private func commit() throws {
        try pool.write { try $0.execute(sql: "UPDATE t SET a = a + 1") }
    }

    @Test func eachCommitIsOneMore() throws {
        for _ in 0..<20 {
            let before = index.token
            try commit()
            #expect(index.token != before)
            #expect(index.token.commits(since: before) == 1)
        }
    }

    @Test func withoutACommitItStays() throws {
        let before = index.token
        _ = try pool.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
        try pool.writeWithoutTransaction { db in
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM t")
                return .rollback
            }
            try db.inTransaction { .commit }
        }
        #expect(index.token == before)
    }

    @Test(arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
    func aCheckpointIsNoCommit(mode: String) throws {
        try commit()
        for _ in 0..<3 {
            let before = index.token
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
            #expect(index.token == before)
            try commit()
            #expect(index.token.commits(since: before) == 1)
        }
    }

    @Test func theLogMayBeginAnewWithoutACommitGoingUnseen() throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 2") }
        for _ in 0..<50 {
            let before = index.token
            try commit()
            #expect(index.token.commits(since: before) == 1)
        }
    }

    @Test func aTransactionThatSpillsIsOneCommit() throws {
        let before = index.token
        try pool.write { db in
            try db.execute(sql: "PRAGMA cache_size = 5")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO t VALUES (randomblob(5000))") }
        }
        #expect(index.token.commits(since: before) == 1)
    }

    @Test func aCommitOfAnotherConnectionShows() throws {
        let other = try GRDB.DatabaseQueue(path: path)
        let before = index.token
        try other.write { try $0.execute(sql: "UPDATE t SET a = 5") }
        #expect(index.token.commits(since: before) == 1)
    }

    @Test func aCommitOfAnotherProcessShows() async throws {
        let child = try ChildProcess("run-sql", path)
        try await child.line("ready")
        for _ in 0..<3 {
            let before = index.token
            try child.send("UPDATE t SET a = a + 1")
            try await child.line("done")
            #expect(index.token.commits(since: before) == 1)
        }
        child.kill()
        try await child.exit()
        let before = index.token
        try commit()
        #expect(index.token.commits(since: before) == 1)
    }

    @Test(arguments: [true, false]) func theLogStaysIfTheWriterKeepsIt(isKept: Bool) throws {
        let file = folder.file("other.sqlite").path
        let writer = try GRDB.DatabasePool(path: file)
        if isKept {
            try writer.writeWithoutTransaction {
                try $0.sqliteConnection.map { try Connection(borrowing: $0).keepLog() }
            }
        }
        var actor: DatabaseActor? = DatabaseActor(pool: writer)
        try actor?.close()
        actor = nil
        #expect(FileManager.default.fileExists(atPath: file + "-wal") == isKept)
        #expect(FileManager.default.fileExists(atPath: file + "-shm") == isKept)
    }

    @Test func allIndexesOfAFileSayTheSame() throws {
        let other = try #require(WALIndex(path: path))
        for _ in 0..<3 {
            #expect(other.token == index.token)
            try commit()
        }
    }

    @Test func aFileWithoutALogHasNone() throws {
        let file = folder.file("plain.sqlite").path
        let queue = try GRDB.DatabaseQueue(path: file)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        #expect(WALIndex(path: file) == nil)
    }

    /// As where the disk failed at the first look, or another process had the log.
    @Test func itIsLookedForAgainOnceSomebodyListensToOthers() throws {
        final class Listener: ChangeListener {
            func note(_ changes: ChangeSet) {}
        }
        let queue = try GRDB.DatabaseQueue(path: folder.file("plain.sqlite").path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        let hub = ChangeHub.of(queue)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let listener = Listener()
        hub.listen(listener, watching: false)
        #expect(!hub.knowsStates && !hub.canServeCaches)
        hub.listen(listener, watching: true)
        #expect(hub.knowsStates && hub.canServeCaches && hub.isWatching)
        hub.stop(listener, watching: true)
        hub.stop(listener, watching: false)
    }

    /// As where the process had no descriptor left when a stream began, or another process repaired the log.
    @Test func whoListensHearsOfOthersOnceTheIndexCanBeOpened() async throws {
        let locked = try GRDB.DatabasePool(path: folder.file("locked.sqlite").path)
        try await locked.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        // While the whole file is locked, nobody else can look into it.
        try await locked.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; INSERT INTO t VALUES (1)")
        }
        let (hub, listener) = (ChangeHub.of(locked), NoteProbe(table: "t"))
        hub.listen(listener, watching: true)
        defer { hub.stop(listener, watching: true) }
        try #require(!hub.knowsStates && hub.isWatching)
        try await locked.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA locking_mode = NORMAL; INSERT INTO t VALUES (2)")
        }
        try await untilTrue { listener.count > 0 }
        listener.clear()
        try await locked.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
        try await untilTrue { listener.count > 0 }
    }

    @Test func aDatabaseInMemoryHasNone() {
        #expect(WALIndex(path: ":memory:") == nil)
        #expect(WALIndex(path: "") == nil)
    }

    @Test func whatIsNoDatabaseHasNone() throws {
        let file = folder.file("text")
        try Data(repeating: 65, count: 5000).write(to: file)
        #expect(WALIndex(path: file.path) == nil)
        #expect(WALIndex(path: folder.url.path) == nil)
    }
}
