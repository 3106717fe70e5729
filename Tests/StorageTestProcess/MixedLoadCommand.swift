import StorageKit
import StorageTestSupport
import Synchronization

/// `mixed-load FILE SEED TASKS OPERATIONS SECONDS`: so many tasks use a store at once, until so many operations are done or
/// so many seconds are over. Says `wrong ...` for what should not be, and at the end `done` and its figures: `operations`,
/// `increments`, `cancelled`, `log` (the largest size of the write-ahead log, in bytes), `memory-early` and `memory-late`
/// (kilobytes in use after a quarter, and at the end); and when its input closes `log-after` (once it was written back).
struct MixedLoadCommand {
    private let file: URL
    private let seed: UInt64
    private let taskCount: Int
    private let limit: WorkLimit

    init(_ arguments: [String]) throws {
        let numbers = arguments.dropFirst().compactMap { UInt64($0) }
        guard arguments.count == 5, numbers.count == 4 else {
            throw UsageError(message: "mixed-load FILE SEED TASKS OPERATIONS SECONDS")
        }
        file = URL(fileURLWithPath: arguments[0])
        seed = numbers[0]
        taskCount = Int(numbers[1])
        limit = WorkLimit(operations: Int(numbers[2]), seconds: Int(numbers[3]))
    }

    func run() async throws {
        let context = try Music.start(at: file) { say("wrong report: \($0)") }
        say("ready")
        let watch = Task { try await watchLog() }
        let tasks = try await withThrowingTaskGroup(of: MixedLoadTask.self) { group in
            for number in 0..<taskCount {
                let task = MixedLoadTask(number: number, seed: seed, context: context)
                group.addTask { try await task.run(until: limit) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        watch.cancel()
        let figures = try await watch.value
        // Only the next commands are about the state of the file.
        let expected = tasks.reduce(into: MusicRows()) { $0.merge($1.rows) }
        if let mistake = try await expected.firstMistake(in: context) { say("wrong at the end: \(mistake)") }
        for task in tasks { task.mistakes.forEach { say("wrong \($0)") } }
        say("operations \(tasks.reduce(0) { $0 + $1.operations })")
        say("increments \(tasks.reduce(0) { $0 + $1.increments })")
        say("cancelled \(tasks.reduce(0) { $0 + $1.cancelled })")
        say("log \(figures.log)")
        say("memory-early \(figures.memory)")
        say("memory-late \(try residentKilobytes())")
        // Only once the other process writes no more can the log be empty, and until the disk cache tells its rows the times
        // that wait.
        while readLine() != nil {}
        let logAfter = try await context.storage.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            return logSize
        }
        say("log-after \(logAfter)")
        try await context.close()
        say("done")
    }

    private var logSize: Int {
        var status = stat()
        return stat(file.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    private func watchLog() async throws -> (log: Int, memory: Int) {
        var (log, memory) = (0, 0)
        while !Task.isCancelled {
            log = max(log, logSize)
            if memory == 0, limit.progress > 0.25 { memory = try residentKilobytes() }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return (log, memory)
    }
}

/// How long a load goes on.
final class WorkLimit: Sendable {
    private let operations: Int
    private let length: Duration
    private let begin = ContinuousClock.now
    private let done = Atomic<Int>(0)

    init(operations: Int, seconds: Int) {
        self.operations = operations
        length = .seconds(seconds)
    }

    /// From 0 to 1.
    var progress: Double {
        max(Double(done.load(ordering: .relaxed)) / Double(operations), (ContinuousClock.now - begin) / length)
    }

    /// Whether there is another operation to do.
    func next() -> Bool {
        done.add(1, ordering: .relaxed).oldValue < operations && ContinuousClock.now - begin < length
    }
}
