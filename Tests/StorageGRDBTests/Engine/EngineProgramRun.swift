import GRDB
import StorageKit
import StorageTestSupport
import Synchronization

@testable import StorageGRDB

/// Runs a program and checks what came of it.
final class EngineProgramRun: Sendable {
    let world: EngineWorld
    let program: EngineProgram
    let stores: [EngineStore]
    let stranger: GRDB.DatabaseQueue
    let child: ChildProcess?
    private let state = Mutex(State())

    private struct State {
        var time = 0
        var open: [Int: EngineAnswer] = [:]
        var answers: [EngineAnswer] = []
        /// How many tasks have calls left.
        var tasks = 0
        /// Whether all commits have ended.
        var isTold = false
    }

    init(_ program: EngineProgram, in world: EngineWorld) async {
        self.program = program
        self.world = world
        stores = await world.stores
        stranger = world.stranger
        child = world.child
    }

    var answers: [EngineAnswer] { state.withLock { $0.answers } }

    var closed: Set<Int> { Set(program.tasks.joined().filter { $0.kind == .close }.map(\.store)) }

    /// - Parameter commits: How many commits each store has told of before.
    /// - Returns: What is wrong, in words; nil if all is right.
    func run(after commits: [Int]) async throws -> String? {
        await makeCalls()
        guard await isTrueInTime({ self.state.withLock { $0.tasks == 0 } }) else {
            return "not answered: \(state.withLock { $0.open.values.map { $0 } })"
        }
        for store in stores {
            guard await isTrueInTime({ store.isIdle }) else { return "a writer is not idle" }
        }
        let hub = world.hub
        // There may be a commit of which nobody has said how it ended.
        Task {
            await hub.waitForCommits()
            state.withLock { $0.isTold = true }
        }
        guard await isTrueInTime({ self.state.withLock { $0.isTold } }) else { return "a commit does not end" }
        // The disk cache notes what was read when the calls are done, so that a commit may be under way at any look.
        let isAtRest = await isTrueInTime {
            hub.catchUp()
            return hub.isIdle && hub.isCurrent
        }
        guard isAtRest else { return "the hub is not at rest" }
        let answers = answers
        if let answer = answers.first(where: { !mayAnswer($0) }) { return "not the answer to expect: \(answer)" }
        // A commit that is under way here, of a cache, is told of before it is counted.
        let notes = world.probe.all
        for store in stores { guard await isTrueInTime({ store.isIdle }) else { return "a writer is not idle" } }
        let (journal, rows) = try await world.takeJournal()
        if let problem = journal.problem(with: answers, rows: rows, notes: notes) { return problem }
        let allCommits =
            zip(stores, commits).reduce(0) { $0 + $1.0.referee.commits - $1.1 }
            + answers.count { $0.call.kind.isForeign || $0.call.fault == .fail }
        let told = max(notes.count(where: \.isOfCache), notes.count { !$0.isOfCache })
        guard told <= allCommits else {
            return "\(told) changes were told of \(allCommits) commits: \(notes), \(answers)"
        }
        if let stale = try await staleCopy(of: rows) { return stale }
        return await staleCacheEntry(answers)
    }

    private func staleCopy(of rows: EngineJournal.Rows) async throws -> String? {
        for (place, store) in stores.enumerated() where !closed.contains(place) {
            for id in EngineProgram.ids {
                let found = try await store.storage.get(TestUser.self, id: id)?.age
                if found != rows[id] {
                    return "store \(place) gives \(id) as \(found ?? -1), and it is \(rows[id] ?? -1)"
                }
            }
        }
        return nil
    }

    private func staleCacheEntry(_ answers: [EngineAnswer]) async -> String? {
        guard let store = stores.enumerated().first(where: { !closed.contains($0.offset) })?.element else { return nil }
        let sets = answers.filter { $0.call.kind == .setCache && $0.isSuccess }
        for (key, sets) in Dictionary(grouping: sets, by: { $0.call.ids[0] }) {
            let found = await store.cache().get(key)
            let fit = sets.filter { set in !sets.contains { $0.called > set.answered } }
            guard let found, fit.contains(where: { $0.call.number == found }) else {
                return "the disk cache gives \(key) as \(found ?? -1), and not one of \(fit)"
            }
        }
        return nil
    }

    /// What takes this long waits for ever.
    private func isTrueInTime(_ condition: @Sendable () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .patience
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}

// MARK: - Calls

extension EngineProgramRun {
    /// Begins all tasks; ``State/tasks`` says when they are done. They are not awaited, since a call may wait for ever.
    private func makeCalls() async {
        let rests = program.beginsHeld ? stores.map { _ in Rest() } : []
        for (rest, store) in zip(rests, stores) {
            Task { try await store.db.withWriter { _ in rest.enter() } }
            await rest.begun()
        }
        state.withLock { $0.tasks = program.tasks.count }
        for calls in program.tasks {
            Task {
                for call in calls { await make(call) }
                state.withLock { $0.tasks -= 1 }
            }
        }
        // Until many wait; some never do.
        for _ in 0..<100 where stores.reduce(0, { $0 + $1.db.writer.waitingCount }) < program.tasks.count {
            await Task.yield()
        }
        for rest in rests { rest.leave() }
    }

    private func make(_ call: EngineCall) async {
        let probe = world.probe
        var answer: EngineAnswer = state.withLock { state in
            state.time += 1
            let answer = EngineAnswer(call: call, called: state.time)
            state.open[call.number] = answer
            return answer
        }
        let first = probe.count
        let canceller = Canceller()
        let task = Task { [answer] in
            var answer = answer
            if case .before = call.cancellation { withUnsafeCurrentTask { $0?.cancel() } }
            do {
                try await perform(call, &answer) { canceller.cancel() }
            } catch {
                answer.error = error
            }
            return answer
        }
        canceller.set(task)
        if case .later(let pauses) = call.cancellation {
            for _ in 0..<pauses { await Task.yield() }
            canceller.cancel()
        }
        answer = await task.value
        if call.kind.isForeign { await world.hub.waitForCommits() }
        answer.notes = first..<probe.count
        state.withLock { state in
            state.time += 1
            answer.answered = state.time
            state.open[call.number] = nil
            state.answers.append(answer)
        }
    }

    private func perform(
        _ call: EngineCall, _ answer: inout EngineAnswer, cancel: @escaping @Sendable () -> Void
    ) async throws {
        let store = stores[call.store]
        let (db, storage) = (store.db, store.storage)
        let name = call.fault.map { "\($0)" } ?? ""
        switch call.kind {
        case .save: try await storage.save(TestUser(call.ids[0], name: name, age: call.number))
        case .saveSeveral: try await storage.save(call.ids.map { TestUser($0, name: name, age: call.number) })
        case .brief: try await db.writeBriefly(.init { try call.writeBriefly($0) })
        case .soon: try await db.writer.queue(.init { try call.writeBriefly($0) })
        case .atOnce: answer.isDone = try db.writeAtOnce { try call.writeBriefly($0) }
        case .delete: try await storage.delete(TestUser.self, id: call.ids[0])
        case .deleteAll: answer.count = try await storage.deleteAll(TestUser.self)
        case .updateAll:
            answer.count = try await storage.query(TestUser.self).updateAll { [$0.age.set(to: call.number)] }
        case .appWrite: try await db.write { try call.write($0, cancel) }
        case .poolWrite: try await db.pool.write { try call.write($0, cancel) }
        case .foreign: try await stranger.write { try call.write($0) {} }
        case .child:
            try child?.send(
                "BEGIN IMMEDIATE; " + call.ids.map { call.sql(of: $0, name: "") }.joined(separator: "; ") + "; COMMIT")
            try await child?.line("done")
        case .get: answer.seen[call.ids[0]] = .some(try await storage.get(TestUser.self, id: call.ids[0])?.age)
        case .readAll: answer.seen = try await readAll(store, asEntities: call.number.isMultiple(of: 2))
        case .setCache:
            let errors = ErrorLog()
            await store.cache(onError: errors.handler).set(call.number, for: call.ids[0], ttl: 0)
            answer.isDone = errors.cases.isEmpty
        case .checkpoint:
            let kind: GRDB.Database.CheckpointMode = call.number.isMultiple(of: 2) ? .passive : .truncate
            // Others may be in its way, and GRDB has SQLite trap where the store is closed.
            try? await db.pool.writeWithoutTransaction { if $0.sqliteConnection != nil { _ = try $0.checkpoint(kind) } }
        case .refuse: store.referee.refuse(1)
        case .close: try? await onThread { try db.close() }
        }
    }

    private func readAll(_ store: EngineStore, asEntities: Bool) async throws -> [String: Int?] {
        var seen = Dictionary(uniqueKeysWithValues: EngineProgram.ids.map { ($0, Int?.none) })
        if asEntities {
            for user in try await store.storage.all(TestUser.self) { seen[user.id] = user.age }
        } else {
            let rows = try await store.db.read {
                try GRDB.Row.fetchAll($0, sql: "SELECT id, age FROM testusers").map { ($0[0] as String, $0[1] as Int) }
            }
            for (id, number) in rows { seen[id] = number }
        }
        return seen
    }
}

extension EngineCall {
    func sql(of id: String, name: String, number: Int? = nil) -> String {
        """
        INSERT INTO testusers (id, name, age, email, isActive, updatedAt) VALUES ('\(id)', '\(name)', \(number ?? self.number), NULL, 1, '') \
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, age = excluded.age
        """
    }

    private struct Thrown: Error, CustomStringConvertible { let description = "thrown" }

    fileprivate func writeBriefly(_ db: Database) throws {
        let sql = sql(of: ids[0], name: fault.map { "\($0)" } ?? "")
        guard fault == .thrown else { return try db.execute(sql: sql) }
        try db.atomically {
            try db.execute(sql: sql)
            throw Thrown()
        }
    }

    /// A transaction of an app's.
    fileprivate func write(_ db: Database, _ cancel: () -> Void) throws {
        if case .within = cancellation { cancel() }
        switch aside {
        case .none: break
        case .rests: Thread.sleep(forTimeInterval: 0.001)
        case .changesSchema where kind == .appWrite:
            let exists =
                try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'more')") == true
            try db.execute(sql: exists ? "DROP INDEX more" : "CREATE INDEX more ON testusers (name)")
        case .changesSchema: break
        case .undoesSavepoint:
            try db.inSavepoint {
                try db.execute(sql: sql(of: ids[0], name: "", number: -number))
                return .rollback
            }
        case .goesOnAfterRollback where !kind.isForeign:
            try? db.execute(sql: sql(of: ids[0], name: "rollback"))
        case .goesOnAfterRollback: break
        }
        for id in ids { try db.execute(sql: sql(of: id, name: fault.map { "\($0)" } ?? "")) }
        if fault == .thrown { throw Thrown() }
    }
}

/// Cancels a task, if need be as soon as it is known.
private final class Canceller: Sendable {
    private let state = Mutex((task: Task<EngineAnswer, Never>?.none, isDue: false))

    func set(_ task: Task<EngineAnswer, Never>) {
        let isDue = state.withLock { state in
            state.task = task
            return state.isDue
        }
        if isDue { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isDue = true
            return state.task
        }
        task?.cancel()
    }
}

// MARK: - Answers

extension EngineProgramRun {
    /// Whether a call may have been answered so, whatever else went on.
    private func mayAnswer(_ answer: EngineAnswer) -> Bool {
        let call = answer.call
        guard let error = answer.error else { return !answer.isDone || !call.fails }
        if error is CancellationError { return call.cancellation != nil }
        // What stores throw is a StorageError, and what an app's closure throws passes unchanged.
        let isOfStorage = [.save, .saveSeveral, .delete, .deleteAll, .updateAll, .get].contains(call.kind)
        if isOfStorage, !(error is StorageError) { return false }
        return mayThrow(error.cause, call)
    }

    private func mayThrow(_ error: any Error, _ call: EngineCall) -> Bool {
        let calls = program.tasks.joined()
        if error is CommitReferee.Refused { return calls.contains { $0.kind == .refuse && $0.store == call.store } }
        if let fault = call.fault, "\(error)" == fault.rawValue || (error as? DatabaseError)?.message == fault.rawValue
        {
            return true
        }
        if case .constraintViolated(let violation)? = error as? StorageError {
            return violation.message == call.fault?.rawValue || violation.kind == .foreignKey && call.fault == .orphan
        }
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_BUSY: return !stores[call.store].isPatient
        case .SQLITE_MISUSE: return closed.contains(call.store)
        case .SQLITE_ABORT: return call.goesOn
        default: return false
        }
    }
}

extension EngineCall {
    fileprivate var goesOn: Bool { aside == .goesOnAfterRollback && (kind == .appWrite || kind == .poolWrite) }

    /// Whether it cannot succeed.
    fileprivate var fails: Bool { fault != nil || goesOn }
}

extension Error {
    /// What lies beneath a store's error.
    fileprivate var cause: any Error {
        switch self as? StorageError {
        case .transactionFailed(let underlying): underlying
        case .queryFailed(_, let underlying): underlying
        default: self
        }
    }
}
