import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// A list that is brought up to date row by row is what the table was at one moment, and no mixture of two.
@Suite struct OneMomentTests {
    private let store: TemporaryStore
    private let second: TemporaryStore
    private let stranger: GRDB.DatabaseQueue
    /// Of one connection, on the same file.
    private let queue: DatabaseActor

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        second = try TemporaryStore(folder: store.folder) { _ in }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(20)
        stranger = try GRDB.DatabaseQueue(path: store.url.path, configuration: configuration)
        queue = DatabaseActor(pool: try GRDB.DatabaseQueue(path: store.url.path, configuration: configuration))
        try await store.storage.save((0..<8).map { TestUser("\($0)", age: 100) })
    }

    @Test(arguments: [false, true])
    func noListEverShowsHalfATransfer(withStranger: Bool) async throws {
        let query = store.storage.query(TestUser.self)
        let lists = [
            query.observe(bufferingPolicy: .unbounded),
            query.orderBy("age", .descending).observe(bufferingPolicy: .unbounded),
            second.storage.query(TestUser.self).orderBy("id").limit(8).observe(bufferingPolicy: .unbounded),
            GenericRepository<TestUser, TestUserRecord>(db: queue).liveAll(orderBy: nil, ascending: true)
                .stream(bufferingPolicy: .unbounded),
        ]
        let checks = lists.map { list in
            Task {
                var count = 0
                for await users in list {
                    guard users.reduce(0, { $0 + $1.age }) == 800 else { return "\(users.map(\.age))" }
                    count += 1
                    if users.contains(where: { $0.name == "last" }) { break }
                }
                return count > 1 ? "" : "nothing was seen"
            }
        }
        var writers: [any GRDB.DatabaseWriter] = [store.context.storage.pool, second.context.storage.pool]
        if withStranger { writers.append(stranger) }
        let seed = SeededGenerator().seed
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(index))
                    for _ in 0..<programCount(short: 350, quick: 700, full: 20_000) {
                        try await Self.transfer(writer, &random)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET name = 'last' WHERE id = '0'") }
        for (index, check) in checks.enumerated() {
            let problem = await check.value
            #expect(problem.isEmpty, "list \(index): \(problem), STORAGEKIT_SEED=\(seed)")
        }
    }

    /// Few rows, so that a row of one transfer is likely one of the next.
    private static func transfer(_ writer: any GRDB.DatabaseWriter, _ random: inout SeededGenerator) async throws {
        let ids = (0..<2).map { _ in "\(Int.random(in: 0..<8, using: &random))" }
        let amount = Int.random(in: 1...9, using: &random)
        try await writer.write { db in
            let sql = "UPDATE testusers SET age = age + ? WHERE id = ?"
            try db.execute(sql: sql, arguments: [amount, ids[0]])
            try db.execute(sql: sql, arguments: [-amount, ids[1]])
        }
    }
}
