import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

/// Writers that do not wait for each other: each counts up a row of its own, and no read may fall behind the count that
/// was committed when it began.
@Suite(.timeLimit(.minutes(20))) struct InterleavedCommitTests {
    private final class Counts: Sendable {
        let committed = Mutex<[String: Int]>([:])
        let isDone = Atomic<Bool>(false)

        func at(_ id: String) -> Int { committed.withLock { $0[id] ?? 0 } }
    }

    @Test func aCommitOfAnotherIsNeverTakenForOneOfOurs() async throws {
        let commits = programCount(short: 200, quick: 400, full: 20_000)
        let first = try TemporaryStore { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        let second = try TemporaryStore(folder: first.folder) { schema in
            schema.addKVCache()
            schema.autoSchema(TestUserRecord.self)
        }
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(20)
        let stranger = try GRDB.DatabaseQueue(path: first.url.path, configuration: configuration)
        let ids = ["first", "second", "stranger"]
        try await first.storage.save(ids.map { TestUser($0) })
        let counts = Counts()

        let problems = try await withThrowingTaskGroup(of: [String].self) { group in
            for (id, store) in [("first", first), ("second", second)] {
                group.addTask {
                    for age in 1...commits {
                        try await store.storage.save(TestUser(id, age: age))
                        counts.committed.withLock { $0[id] = age }
                    }
                    return []
                }
            }
            group.addTask {
                for age in 1...commits {
                    try await stranger.write { db in
                        try db.execute(sql: "UPDATE testusers SET age = ? WHERE id = 'stranger'", arguments: [age])
                    }
                    counts.committed.withLock { $0["stranger"] = age }
                }
                counts.isDone.store(true, ordering: .releasing)
                return []
            }
            for store in [first, second] {
                group.addTask {
                    var problems: [String] = []
                    while !counts.isDone.load(ordering: .acquiring) {
                        // A read from memory never suspends, and would keep the writers from running.
                        await Task.yield()
                        for id in ids {
                            let committed = counts.at(id)
                            let age = try await store.storage.get(TestUser.self, id: id)?.age ?? 0
                            if age < committed, problems.count < 5 {
                                problems.append("\(id): \(age) after \(committed)")
                            }
                        }
                    }
                    return problems
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(problems == [])
    }
}
