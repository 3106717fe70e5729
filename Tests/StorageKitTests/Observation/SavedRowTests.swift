import StorageKit
import StorageTestSupport
import Testing

/// What a save writes is handed to whoever observes the row, and is what reading the row would give.
@Suite(.serialized) struct SavedRowTests {
    private let log = StatementLog()

    private func store(_ memoryCapacity: Int) throws -> TemporaryStore {
        try TemporaryStore(log: log, options: { $0.memoryCapacity = memoryCapacity }) {
            $0.autoSchema(TestUserRecord.self)
        }
    }

    @Test(arguments: [0, 100])
    func observedSavesAreSeldomReadAgain(memoryCapacity: Int) async throws {
        let store = try store(memoryCapacity)
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next() == nil)
        let statements = try await log.during {
            for number in 1...100 {
                try await store.storage.save(TestUser("1", age: number))
                #expect(try await probe.next()?.age == number)
            }
        }
        // A round that runs already may come before the value does.
        #expect(statements.reads < 10, "\(statements)")
    }

    @Test(arguments: [0, 100])
    func whatATriggerMakesOfASaveIsEmitted(memoryCapacity: Int) async throws {
        let store = try store(memoryCapacity)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER shout AFTER UPDATE ON testusers WHEN new.name = 'ada'
                    BEGIN UPDATE testusers SET name = 'ADA' WHERE id = new.id; END
                    """)
        }
        try await store.storage.save(TestUser("1", name: "nobody"))
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next()?.name == "nobody")
        try await store.storage.save(TestUser("1", name: "ada"))
        #expect(try await probe.next()?.name == "ADA")
    }

    @Test(arguments: [0, 100])
    func savingTheSameAgainEmitsNothing(memoryCapacity: Int) async throws {
        let store = try store(memoryCapacity)
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        #expect(try await probe.next() == nil)
        for _ in 1...50 { try await store.storage.save(TestUser("1", name: "Ada")) }
        #expect(try await probe.next()?.name == "Ada")
        for _ in 1...50 { try await store.storage.save(TestUser("1", name: "Ada")) }
        try await store.storage.save(TestUser("1", name: "Grace"))
        #expect(try await probe.next()?.name == "Grace")
    }

    @Test(arguments: [0, 100])
    func theLastOfManySavesAndStatementsIsEmitted(memoryCapacity: Int) async throws {
        let store = try store(memoryCapacity)
        try await store.storage.save(TestUser("1"))
        let probe = StreamProbe(store.storage.observe(TestUser.self, id: "1"))
        for number in 1...200 {
            try await store.storage.save(TestUser("1", age: number * 2))
            try await store.db.write { db in try db.execute(sql: "UPDATE testusers SET age = age + 1") }
        }
        _ = try await probe.first { $0?.age == 401 }
    }
}
