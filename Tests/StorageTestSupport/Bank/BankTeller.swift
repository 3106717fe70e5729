package import StorageKit
import Synchronization

/// What came of a deed.
package struct BankAnswer: Codable, Sendable {
    package var task = 0
    package var deed = 0
    /// How long the journal was before the call and after it.
    package var before = 0
    package var after = 0
    /// How long it was at the beginning of the closure and at its end.
    package var begin: Int?
    package var end: Int?
    /// What was read and written, or refused.
    package var log: [String] = []
    /// `done`, or the name of what the call threw.
    package var outcome = "done"
    /// How often the closure ran.
    package var runs = 0
}

/// Carries out programs on a store.
package struct BankTeller: Sendable {
    private let context: StorageKit.Context
    private var storage: Storage { context.facade }
    /// A connection of its own, which looks how long the journal is.
    private let ruler: DatabaseQueue

    package init(_ context: StorageKit.Context, file: URL) throws {
        self.context = context
        ruler = try DatabaseQueue(path: file.path)
    }

    package func journalLength() throws -> Int {
        try ruler.read { db in try Row.fetchOne(db, sql: "SELECT max(id) FROM journal")?[0] } ?? 0
    }

    /// What the journal says from a place on, as the states after each change.
    package func states(after rows: BankRows, from place: Int) throws -> [BankRows] {
        try ruler.read { db in
            var states = [rows]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM journal WHERE id > ? ORDER BY id", arguments: [place]) {
                states.append((states.last ?? rows).applying(row))
            }
            return states
        }
    }

    /// What the tables hold.
    package func rows() throws -> BankRows {
        try ruler.read { db in
            var rows = BankRows()
            for row in try Row.fetchAll(db, sql: "SELECT * FROM accounts") {
                rows.accounts[row["id"]] = .init(row["id"], balance: row["balance"], email: row["email"])
            }
            for row in try Row.fetchAll(db, sql: "SELECT * FROM drafts") {
                rows.drafts[row["id"]] = .init(
                    row["id"], text: row["text"], slug: row["slug"], version: row["version"])
            }
            for row in try Row.fetchAll(db, sql: "SELECT * FROM receipts") {
                rows.receipts[row["id"]] = .init(row["id"], accountId: row["accountId"])
            }
            return rows
        }
    }

    // MARK: - Programs

    package func run(_ program: BankProgram) async throws -> [BankAnswer] {
        try await withThrowingTaskGroup(of: [BankAnswer].self) { group in
            for (number, items) in program.tasks.enumerated() {
                group.addTask {
                    var answers: [BankAnswer] = []
                    for (place, item) in items.enumerated() {
                        var answer = try await run(item)
                        answer.task = number
                        answer.deed = place
                        answers.append(answer)
                    }
                    return answers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func run(_ item: BankProgram.Item) async throws -> BankAnswer {
        let task = TaskBox()
        task.begin {
            var answer = BankAnswer()
            answer.before = try journalLength()
            answer = await perform(item.deed, answer) { task.cancel() }
            answer.after = try journalLength()
            return answer
        }
        if let pauses = item.cancelsAfter {
            for _ in 0..<pauses { await Task.yield() }
            task.cancel()
        }
        return try await task.value()
    }

    private func perform(
        _ deed: BankDeed, _ answer: BankAnswer, cancel: @escaping @Sendable () -> Void
    ) async -> BankAnswer {
        let notes = Mutex(answer)
        let outcome: String
        do {
            switch deed {
            case .transaction(let steps, let goesOn):
                try await transaction(steps, goesOn: goesOn, { change in notes.withLock { change(&$0) } }, cancel)
            case .snapshot(let looks):
                let storage = storage
                let (begin, log) = try await storage.snapshot { tx in
                    let handle = SnapshotHandle(tx: tx, storage: storage)
                    return (try handle.journalLength(), try looks.map { try handle.look($0) })
                }
                notes.withLock { ($0.begin, $0.log) = (begin, log) }
            case .look(let look):
                let found = try await context.look(look)
                notes.withLock { $0.log = [found] }
            case .write(let write):
                let stored = try await context.write(write)
                notes.withLock { $0.log = [stored] }
            }
            outcome = "done"
        } catch {
            outcome = Bank.name(of: error)
        }
        return notes.withLock { answer in
            answer.outcome = outcome
            return answer
        }
    }

    private func transaction(
        _ steps: [BankStep], goesOn: Bool, _ note: @escaping @Sendable ((inout BankAnswer) -> Void) -> Void,
        _ cancel: @escaping @Sendable () -> Void
    ) async throws {
        let storage = storage
        try await storage.transaction { tx in
            note { $0.runs += 1 }
            var handle = TransactionHandle(tx: tx, storage: storage)
            let begin = try handle.journalLength()
            note { $0.begin = begin }
            var log: [String] = []
            defer { note { $0.log = log } }
            try handle.run(steps, goesOn: goesOn, &log, cancel: cancel)
            let end = try handle.journalLength()
            note { $0.end = end }
        }
    }
}

/// A task that can be cancelled from within what it waits for.
private final class TaskBox: Sendable {
    private let task = Mutex<Task<BankAnswer, any Error>?>(nil)

    func begin(_ body: @escaping @Sendable () async throws -> BankAnswer) {
        task.withLock { $0 = Task { try await body() } }
    }

    func cancel() { task.withLock { $0 }?.cancel() }

    func value() async throws -> BankAnswer {
        guard let task = task.withLock({ $0 }) else { throw CancellationError() }
        return try await task.value
    }
}

extension BankRows {
    fileprivate func applying(_ change: Row) -> BankRows {
        var rows = self
        let (key, isGone): (String, Bool) = (change["key"], change["isGone"])
        switch change["entity"] as String {
        case "accounts":
            rows.accounts[key] = isGone ? nil : .init(key, balance: change["number"], email: change["text"])
        case "drafts":
            rows.drafts[key] =
                isGone
                ? nil : .init(key, text: change["text"], slug: change["other"], version: change["number"])
        default:
            let id = Int(key) ?? -1
            rows.receipts[id] = isGone ? nil : .init(id, accountId: change["text"])
        }
        return rows
    }
}
