import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Copies that are put back.
@Suite struct RestoreTests {
    private let store: GuardedStore
    private let copy: StoreBackup
    /// All that the copy has.
    private let old: DatabaseDump

    init() async throws {
        store = try GuardedStore()
        try await store.make()
        old = try DatabaseDump(of: store.file)
        let context = try store.start(2)
        try await context.facade.save(TestUser("new"))
        try await context.close()
        copy = try #require(try store.copies().first)
    }

    private var restore: StoreRestore { StoreRestore(copy: copy.url, store: store.file) }

    private func reason(_ error: (any Error)?) -> RestoreError.Reason? {
        ((error as? StorageError)?.startCause as? RestoreError)?.reason
    }

    @Test func aCopyThatIsPutBackIsTheStore() async throws {
        try await StorageKit.restore(copy)
        #expect(try DatabaseDump(of: store.file) == old)
        #expect(try DatabaseDump(of: copy.url) == old)
    }

    @Test func aCopyThatAnAppHasMadeIsPutBack() async throws {
        let url = store.file.deletingLastPathComponent().appendingPathComponent("of Sunday.sqlite")
        let context = try store.start(2)
        try await context.backup(to: url)
        try await context.facade.save(TestUser("newer"))
        try await context.close()
        let copied = try DatabaseDump(of: url)
        let kept = try #require(try await StorageKit.restore(url, to: store.file))
        #expect(try DatabaseDump(of: store.file) == copied)
        #expect(try store.copies().first == kept)
    }

    @Test func whatWasThereIsKeptAndCanBePutBackToo() async throws {
        let present = try DatabaseDump(of: store.file)
        let kept = try #require(try await StorageKit.restore(copy))
        #expect(try store.copies() == [kept, copy])
        #expect(kept.to == nil)
        #expect(kept.from.hasPrefix("1-"))
        #expect(try DatabaseDump(of: kept.url) == present)
        try await StorageKit.restore(kept)
        #expect(try DatabaseDump(of: store.file) == present)
    }

    @Test func aRestoreThatIsCancelledMakesNoFile() async throws {
        try FileManager.default.removeItem(at: store.file)
        #expect(throws: CancellationError.self) { try restore.run(now: Date()) { throw CancellationError() } }
        #expect(!FileManager.default.fileExists(atPath: store.file.path))
        try await StorageKit.restore(copy)
        #expect(try DatabaseDump(of: store.file) == old)
    }

    @Test func theNextStartMigratesItOnceMore() async throws {
        try await StorageKit.restore(copy)
        let context = try store.start(2)
        #expect(try await context.facade.count(TestUser.self) == 3)
        #expect(try await context.storage.dbActor.read { try $0.tableExists("table1") })
        #expect(try store.copies().count == 2)
    }

    @Test func openStoresSeeItInTheirCachesAndStreams() async throws {
        let context = try store.start(2)
        let second = try store.start(2)
        try await context.facade.save(TestUser("0", name: "Grace"))
        #expect(try await context.facade.get(TestUser.self, id: "new") != nil)
        #expect(try await second.facade.get(TestUser.self, id: "0")?.name == "Grace")
        let row = StreamProbe(context.facade.observe(TestUser.self, id: "0"))
        let count = StreamProbe(second.facade.query(TestUser.self).observeCount())
        #expect(try await row.next()?.name == "Grace")
        #expect(try await count.next() == 4)

        try await StorageKit.restore(copy)
        #expect(try await context.facade.get(TestUser.self, id: "new") == nil)
        #expect(try await context.facade.get(TestUser.self, id: "0")?.name == "Ada")
        #expect(try await second.facade.get(TestUser.self, id: "0")?.name == "Ada")
        _ = try await row.first { $0?.name == "Ada" }
        _ = try await count.first { $0 == 3 }
        // They go on.
        try await context.facade.save(TestUser("later"))
        _ = try await count.first { $0 == 4 }
        #expect(try await context.checkIntegrity().isIntact)
    }

    @Test func theDiskCacheIsThatOfTheCopy() async throws {
        func open() throws -> StorageKit.Context {
            try StorageKit.start(at: store.file) { schema in
                schema.addKVCache()
                GuardedStore.describe(&schema, 2)
            }
        }
        let context = try open()
        try await context.facade.save(TestUser("0", name: "Grace"))
        #expect(try await context.facade.get(TestUser.self, id: "0")?.name == "Grace")
        try await StorageKit.restore(copy)
        #expect(try await context.facade.get(TestUser.self, id: "0")?.name == "Ada")
        let again = try open()
        #expect(try await again.facade.get(TestUser.self, id: "0")?.name == "Ada")
    }

    @Test func aStoreInAnotherProcessSeesIt() async throws {
        let other = try ChildProcess("count-users", store.file.path)
        try await other.line("count 4")
        try await StorageKit.restore(copy)
        try await other.line("count 3")
    }

    @Test func aReaderKeepsTheStateThatItBeganWith() async throws {
        let context = try store.start(2)
        let pool = try #require(context.storage.pool as? GRDB.DatabasePool)
        let snapshot = try pool.makeSnapshot()
        try await StorageKit.restore(copy)
        #expect(try await snapshot.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM testusers") } == 4)
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM testusers") } == 3)
    }

    @Test func copiesOfOneMomentAreOneBesideTheOther() throws {
        let now = Date()
        let kept = try (0..<3).map { _ in try #require(try restore.run(now: now)) }
        #expect(try store.copies() == kept.reversed() + [copy])
    }

    @Test func theConnectionThatWritesKnowsTheSchemaOfTheCopy() async throws {
        let db = try store.start(2).storage.dbActor
        #expect(try await db.write { try $0.tableExists("table1") })
        try await StorageKit.restore(copy)
        #expect(try await !db.write { try $0.tableExists("table1") })
    }

    @Test func aStoreWhoseFileIsGoneIsMade() async throws {
        try FileManager.default.removeItem(at: store.file)
        #expect(try await StorageKit.restore(copy) == nil)
        #expect(try DatabaseDump(of: store.file) == old)
    }

    @Test func aStoreWhoseFolderIsGoneIsMadeWithIt() async throws {
        let place = store.folder.url.appendingPathComponent("a/b/store.sqlite")
        #expect(try await StorageKit.restore(copy.url, to: place) == nil)
        #expect(try DatabaseDump(of: place) == old)
    }

    @Test func whoHasAFileOpenThatIsGoneSharesNoLogWithTheOneThatIsMade() async throws {
        let former = try store.start(2)
        try await former.facade.save(TestUser("former"))
        try FileManager.default.removeItem(at: store.file)
        #expect(try await StorageKit.restore(copy) == nil)
        #expect(!FileManager.default.fileExists(atPath: store.file.path + "-shm"))
        let context = try store.start(2)
        for number in 0..<20 {
            try await former.facade.save(TestUser("former \(number)"))
            try await context.facade.save(TestUser("later \(number)"))
        }
        #expect(try await context.facade.count(TestUser.self) == 23)
        #expect(try await context.checkIntegrity().isIntact)
    }

    /// As another program left it. What is there is read, to be kept, while the file is locked.
    @Test func aStoreThatHasNoLogIsPutBackToo() async throws {
        try store.run("PRAGMA journal_mode = DELETE")
        #expect(try await StorageKit.restore(copy) != nil)
        #expect(try DatabaseDump(of: store.file) == old)
    }

    // MARK: - What is refused

    private func expectRefusal(_ isExpected: (RestoreError.Reason) -> Bool) async throws {
        let before = try DatabaseDump(of: store.file)
        let copies = try store.copies().map(\.url)
        let error = await thrownError { try await StorageKit.restore(copy) }
        let reason = reason(error)
        #expect(reason.map(isExpected) == true, "\(String(describing: error))")
        #expect(try DatabaseDump(of: store.file) == before)
        #expect(try store.copies().map(\.url) == copies)
    }

    @Test func aDamagedCopyIsNotPutBack() async throws {
        var bytes = try Data(contentsOf: copy.url)
        let page = try #require(bytes.range(of: Data("Ada".utf8))).lowerBound / 4096 * 4096
        bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: copy.url)
        try await expectRefusal { if case .isDamaged = $0 { true } else { false } }
    }

    @Test(arguments: ["no database at all", ""]) func aFileThatIsNoDatabaseIsNotPutBack(text: String) async throws {
        try Data(text.utf8).write(to: copy.url)
        try await expectRefusal { if case .isDamaged = $0 { true } else { false } }
    }

    @Test func aCopyThatIsGoneIsNamed() async throws {
        try FileManager.default.removeItem(at: copy.url)
        try await expectRefusal { if case .isMissing = $0 { true } else { false } }
    }

    @Test func anAddressWithThePathOfAFileIsNoPlaceOfOne() async throws {
        let present = try DatabaseDump(of: store.file)
        let address = try #require(URL(string: "https://a.invalid\(store.file.path)"))
        let ofCopy = try #require(URL(string: "https://a.invalid\(copy.url.path)"))
        let calls: [() async throws -> Void] = [
            { _ = try await StorageKit.restore(ofCopy, to: store.file) },
            { _ = try await StorageKit.restore(copy.url, to: address) },
            { _ = try StorageKit.backups(of: address) },
        ]
        for (index, call) in calls.enumerated() {
            let error = await storageError(call)
            guard case .invalidConfiguration = error else {
                Issue.record("unexpected of \(index): \(String(describing: error))")
                continue
            }
        }
        #expect(try DatabaseDump(of: store.file) == present)
    }

    @Test func aCopyOfAnotherPageSizeIsRefused() async throws {
        let queue = try GRDB.DatabaseQueue(path: copy.url.path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 8192; VACUUM") }
        try queue.close()
        try await expectRefusal { if case .otherPageSize = $0 { true } else { false } }
    }

    @Test func aCopyOfAnotherEncodingIsRefused() async throws {
        try FileManager.default.removeItem(at: store.file)
        try store.run("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)")
        try await expectRefusal { if case .otherEncoding = $0 { true } else { false } }
    }

    @Test func whatIsPutBackIsNotCancelledAnyMore() throws {
        // One call before the copy of what is there, one before what is put back, and one behind each.
        for call in 1...4 {
            var calls = 0
            let (present, copies) = (try DatabaseDump(of: store.file), try store.copies())
            let error = thrown {
                _ = try restore.run(now: Date()) {
                    calls += 1
                    if calls == call { throw CancellationError() }
                }
            }
            #expect(try DatabaseDump(of: store.file) == (error == nil ? old : present))
            // Only where something was put back there is another that keeps what was there.
            #expect(try store.copies().count == copies.count + (error == nil ? 1 : 0))
        }
    }

    @Test func aTransactionThatThisProcessHasOpenIsInTheWay() async throws {
        let options = StartOptions(pool: PoolOptions(configure: { $0.allowsUnsafeTransactions = true }))
        let context = try StorageKit.start(at: store.file, options: options) { GuardedStore.describe(&$0, 2) }
        let pool = context.storage.pool
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; UPDATE testusers SET age = 1")
        }
        let error = await thrownError { try await StorageKit.restore(copy) }
        guard case .isInUse(byThisProcess: true) = reason(error) else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        try await pool.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await StorageKit.restore(copy)
        #expect(try await context.facade.count(TestUser.self) == 3)
    }

    @Test func aTransactionOfAnotherProcessIsInTheWay() async throws {
        let other = try ChildProcess("hold-lock", store.file.path, "write")
        try await other.line("locked")
        let error = await thrownError { try await StorageKit.restore(copy) }
        guard case .isInUse(byThisProcess: false) = reason(error) else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(try store.copies() == [copy])
    }

    @Test(arguments: [false, true]) func aStoreThatIsNoDatabaseIsLeftAsItIs(isCutOff: Bool) async throws {
        let bytes = isCutOff ? try Data(contentsOf: store.file).prefix(5000) : Data(repeating: 0x41, count: 8192)
        try bytes.write(to: store.file)
        let error = await thrownError { try await StorageKit.restore(copy) }
        guard case .storeIsNoDatabase = reason(error) else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: store.file) == bytes)
    }

    @Test func aTaskThatIsCancelledPutsNothingBack() async throws {
        let before = try DatabaseDump(of: store.file)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await thrownError { try await StorageKit.restore(copy) }
        }
        #expect(await task.value is CancellationError)
        #expect(try DatabaseDump(of: store.file) == before)
        #expect(try store.copies() == [copy])
    }

    private func thrown(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
