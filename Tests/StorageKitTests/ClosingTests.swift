import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// What is open when a store is closed.
@Suite(.timeLimit(.minutes(20))) struct ClosingTests {
    private let store: TemporaryStore

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.fill(1000) { TestUser("\($0)") }
    }

    @Test func aStreamThatIsHalfReadEndsWithTheStoreAndTheFileHasAllRows() async throws {
        var rows = store.storage.query(TestUser.self).stream().makeAsyncIterator()
        _ = try await rows.next()
        try await store.storage.save(TestUser("new"))
        try await store.context.close()
        let error = await thrownError { while try await rows.next() != nil {} }
        #expect("\(String(describing: error))".contains("the store is closed"))
        #expect(try await rows.next() == nil)
        // Without what stands beside the file.
        let copy = store.folder.file("copy.sqlite")
        try FileManager.default.copyItem(at: store.url, to: copy)
        let count = try await DatabaseQueue(path: copy.path).read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM testusers")
        }
        #expect(count == 1001)
    }

    /// A statement that keeps its connection open.
    private final class Kept: @unchecked Sendable {
        var statement: GRDB.Statement?
    }

    @Test func aStoreThatCannotBeClosedGivesNothingFromMemoryEither() async throws {
        try await store.storage.save(TestUser("1"))
        #expect(try await store.storage.get(TestUser.self, id: "1") != nil)
        let kept = Kept()
        try await store.context.storage.pool.write { kept.statement = try $0.makeStatement(sql: "SELECT 1") }
        await #expect(throws: StorageError.self) { try await store.context.close() }
        await #expect(throws: StorageError.self) { try await store.storage.get(TestUser.self, id: "1") }
        kept.statement = nil
        try await store.context.close()
    }

    @Test func aDiskThatIsFullWhenAStoreIsClosedIsToldOnceAllConnectionsAreClosed() async throws {
        let folder = try TemporaryFolder()
        let child = try ChildProcess("close-on-full-disk", folder.file().path)
        #expect(try await child.exit() == .code(2))
        let failure = try #require(child.said.first { $0.hasPrefix("failed: ") }, "\(child.said)")
        #expect(failure.contains("in the log beside the file") && failure.contains("free some space"), "\(failure)")
        #expect(child.said.contains { $0.hasPrefix("then: ") && $0.contains("the store is closed") }, "\(child.said)")
        let context = try StorageKit.start(at: folder.file()) { $0.autoSchema(TestUserRecord.self) }
        #expect(try await context.facade.count(TestUser.self) == 10)
    }

    private static let openFiles = "/proc/self/fd/"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: Self.openFiles), "only Linux lists open files there"))
    func aStoreThatIsClosedAndLetGoHasNoFileOpen() async throws {
        let folder = try TemporaryFolder()
        func use() async throws {
            let context = try StorageKit.start(at: folder.file()) { $0.autoSchema(TestUserRecord.self) }
            try await context.facade.save(TestUser("1"))
            try await context.close()
        }
        for _ in 0..<50 {
            try await use()
            let open = try FileManager.default.contentsOfDirectory(atPath: Self.openFiles)
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: Self.openFiles + $0) }
            #expect(open.filter { $0.hasPrefix(folder.url.path) } == [])
        }
    }

    @Test func aFileThatIsMadeAnewSharesNoLogWithTheOneThatWasRemoved() async throws {
        // One number is not given twice while somebody has its file open.
        func indexNumber() -> UInt64? {
            var facts = stat()
            return stat(store.url.path + "-shm", &facts) == 0 ? UInt64(facts.st_ino) : nil
        }
        try await store.context.close()
        let former = try #require(indexNumber())
        try FileManager.default.removeItem(at: store.url)
        let context = try StorageKit.start(at: store.url) { $0.autoSchema(TestUserRecord.self) }
        let made = try #require(indexNumber())
        #expect(made != former)
        try await context.facade.save(TestUser("1"))
        #expect(try await context.checkIntegrity().isIntact)
    }

    @Test func whoWaitsForAConnectionIsToldThatTheStoreIsClosed() async throws {
        let end = DispatchSemaphore(value: 0)
        let begun = AsyncStream.makeStream(of: Void.self)
        let reads = (0..<40).map { _ in
            Task {
                try await store.storage.snapshot { _ in
                    begun.continuation.yield()
                    end.wait()
                    end.signal()
                }
            }
        }
        for await _ in begun.stream { break }
        let context = store.context
        let closing = Task { try await context.close() }
        // Of no entity, since the memory tier would go on answering for one.
        while await thrownError({ _ = try await store.storage.get(TestUser.self, id: "nobody") }) == nil {
            await Task.yield()
        }
        end.signal()
        for read in reads {
            let error = await thrownError { try await read.value }
            #expect(
                error == nil || "\(String(describing: error))".contains("the store is closed"),
                "\(String(describing: error))")
        }
        try await closing.value
    }

    @Test(arguments: [0, 1000]) func aStoreThatIsLetGoLeavesNoLogBehind(memoryCapacity: Int) async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let context = try StorageKit.start(
                at: folder.file(),
                options: StorageKit.StartOptions(memoryCapacity: memoryCapacity)
            ) { $0.autoSchema(TestUserRecord.self) }
            // Opens a connection that reads beside the one that writes.
            #expect(try await context.facade.get(TestUser.self, id: "1") == nil)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files == [folder.file().lastPathComponent])
    }
}
