import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// What observing costs, counted in rows that SQLite reads.
@Suite struct ReadCountTests {
    private let trace = RowTrace()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() throws {
        let pool = trace.pool
        store = try TemporaryStore(options: { $0.pool = pool }) { $0.autoSchema(TestUserRecord.self) }
    }

    @Test func aThousandObserversReadTheRowsThatChangedAndNoOthers() async throws {
        try await storage.save((0..<1200).map { TestUser("\($0)") })
        let probes = (0..<1000).map { StreamProbe(storage.observe(TestUser.self, id: "\($0)")) }
        for probe in probes { _ = try await probe.next() }
        trace.clear()
        var changed = 0
        for commit in 0..<200 {
            // Every sixth is of a row that nobody observes.
            let id = commit % 6 == 0 ? 1000 + commit : commit * 5
            try await storage.save(TestUser("\(id)", age: commit + 1))
            if id < 1000 {
                changed += 1
                _ = try await probes[id].first { $0?.age == commit + 1 }
            }
        }
        #expect(trace.rows(of: "testusers") <= changed)
        #expect(changed > 100)
    }

    @Test func observersOfTheSameThingShareOneRead() async throws {
        try await storage.save((0..<10).map { TestUser("\($0)", age: $0) })
        let query = storage.query(TestUser.self).where { $0.age >= 4 }.orderBy("age")
        let lists = (0..<50).map { _ in StreamProbe(query.observe()) }
        let distinct = (0..<50).map { _ in StreamProbe(query.observeDistinct()) }
        for probe in lists + distinct { #expect(try await probe.next().count == 6) }
        #expect(trace.rows(of: "testusers") == 6)
        trace.clear()
        try await storage.save(TestUser("0", age: 9))
        for probe in lists + distinct { #expect(try await probe.next().count == 7) }
        #expect(trace.rows(of: "testusers") == 1)
    }

    @Test func aLiveListReadsNoMoreRowsThanChanged() async throws {
        let count = programCount(quick: 5000, full: 100_000)
        try await storage.save((0..<count).map { TestUser("\($0)", name: "n\($0 % 100)", age: $0) })
        let probe = StreamProbe(storage.observeAll(TestUser.self, orderBy: "name"))
        #expect(try await probe.next().count == count)
        for commit in 0..<20 {
            trace.clear()
            try await storage.save(TestUser("\(commit * 7)", name: "m\(commit)", age: -1))
            let users = try await probe.next()
            #expect(users.first { $0.name == "m\(commit)" }?.id == "\(commit * 7)")
            #expect(trace.rows(of: "testusers") == 1)
        }
        trace.clear()
        try await storage.delete(TestUser.self, id: "0")
        #expect(try await probe.next().count == count - 1)
        #expect(trace.rows(of: "testusers") == 0)
    }

    @Test func aRowThatAQueryDoesNotFindIsNotRead() async throws {
        let probe = StreamProbe(storage.query(TestUser.self).where { $0.age >= 18 }.observe())
        #expect(try await probe.next().isEmpty)
        trace.clear()
        try await storage.save(TestUser("child", age: 3))
        try await storage.save(TestUser("adult", age: 30))
        #expect(try await probe.next().map(\.id) == ["adult"])
        #expect(trace.rows(of: "testusers") == 1)
    }

    @Test func theFirstCommitAfterTheStartIsKnownByItsRows() async throws {
        try await storage.save((0..<100).map { TestUser("\($0)") })
        // In another store on the file, nobody has asked for the rows of the table yet.
        let pool = trace.pool
        let other = try TemporaryStore(folder: store.folder, options: { $0.pool = pool }) {
            $0.autoSchema(TestUserRecord.self)
        }
        let probe = StreamProbe(other.storage.observeAll(TestUser.self))
        _ = try await probe.next()
        trace.clear()
        try await other.db.write { try $0.execute(sql: "UPDATE testusers SET age = 5 WHERE id = '7'") }
        _ = try await probe.next()
        #expect(trace.rows(of: "testusers") == 1)
    }

    @Test func aLimitIsFilledUpByOneReadOfItsRows() async throws {
        try await storage.save((0..<100).map { TestUser("\($0)", age: $0) })
        let probe = StreamProbe(storage.query(TestUser.self).orderBy("age").limit(3).observe())
        #expect(try await probe.next().map(\.age) == [0, 1, 2])
        trace.clear()
        try await storage.save(TestUser("99", age: -1))
        #expect(try await probe.next().map(\.age) == [-1, 0, 1])
        #expect(trace.rows(of: "testusers") == 1)
        trace.clear()
        try await storage.delete(TestUser.self, id: "0")
        #expect(try await probe.next().map(\.age) == [-1, 1, 2])
        #expect(trace.rows(of: "testusers") == 3)
    }
}
