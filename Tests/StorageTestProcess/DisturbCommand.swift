import GRDB
import StorageKit
import StorageTestSupport

/// `disturb FILE`: gets in the way of another process until its input closes: holds the write lock for a while, in which it
/// increments the counter `shared`, and holds on to old states of the file. Says `ready`, and at the end `increments N`.
struct DisturbCommand {
    private let path: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 1 else { throw UsageError(message: "disturb FILE") }
        path = arguments[0]
    }

    func run() async throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(60)
        let pool = try GRDB.DatabasePool(path: path, configuration: configuration)
        say("ready")
        let work = Task.detached {
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await holdWriteLocks(pool) }
                group.addTask { try await holdReads(pool) }
                return try await group.reduce(0, +)
            }
        }
        while readLine() != nil {}
        work.cancel()
        say("increments \(try await work.value)")
    }

    private func holdWriteLocks(_ pool: GRDB.DatabasePool) async throws -> Int {
        var increments = 0
        while !Task.isCancelled {
            // What was begun is committed and counted, even if the task is cancelled meanwhile.
            try await Task.detached {
                try await pool.write { db in
                    try db.execute(sql: "UPDATE counters SET value = value + 1 WHERE id = 'shared'")
                    Thread.sleep(forTimeInterval: .random(in: 0...0.1))
                }
            }.value
            increments += 1
            try? await Task.sleep(for: .milliseconds(Int.random(in: 10...300)))
        }
        return increments
    }

    private func holdReads(_ pool: GRDB.DatabasePool) async throws -> Int {
        while !Task.isCancelled {
            try await Task.detached {
                try await pool.read { db in
                    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM albums")
                    Thread.sleep(forTimeInterval: .random(in: 0.1...0.8))
                }
            }.value
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...200)))
        }
        return 0
    }
}
