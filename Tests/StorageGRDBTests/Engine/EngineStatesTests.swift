import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Who waits and the hub go from state to state as the tables say.
@Suite(.timeLimit(.minutes(20))) struct EngineStatesTests {
    // MARK: - One who waits

    /// One who waits, whose call is made as a task, and how often that was answered.
    private final class Waiting: Sendable {
        let waiter = WriteWaiter(nil)
        private let answers = Mutex<[WaiterState.Effect]>([])
        private let begun = Atomic(false)
        private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)
        private let call: Mutex<Task<Void, Never>?> = Mutex(nil)

        /// Makes a continuation that waits for the answer.
        func prepare() async throws {
            let task = Task {
                var answer = WaiterState.Effect.answers
                do {
                    try await withCheckedThrowingContinuation { made in continuation.withLock { $0 = made } }
                } catch {
                    answer = .throwsCancellation
                }
                answers.withLock { [answer] in $0.append(answer) }
            }
            call.withLock { $0 = task }
            try await untilTrue { continuation.withLock { $0 != nil } }
        }

        /// - Returns: What the event returned, if it returns anything.
        @discardableResult
        func happen(_ event: WaiterState.Event) -> Bool? {
            switch event {
            case .wait:
                let continuation = continuation.withLock { held in
                    defer { held = nil }
                    return held
                }
                return continuation.map { waiter.wait($0) }
            case .begin:
                let begins = waiter.begin()
                if begins { begun.store(true, ordering: .relaxed) }
                return begins
            case .cancel: waiter.cancel()
            case .end: waiter.end(.success(()))
            }
            return nil
        }

        var hasBegun: Bool { begun.load(ordering: .relaxed) }

        /// The one answer of the call. Nobody may have taken its continuation without using it.
        func answer() async -> WaiterState.Effect? {
            // Who was never made to wait is not answered.
            continuation.withLock { held in
                held?.resume()
                held = nil
            }
            await call.withLock { $0 }?.value
            return answers.withLock { $0.count == 1 ? $0[0] : nil }
        }
    }

    @Test func whoWaitsGoesFromStateToStateAsTheTableSays() async throws {
        let seed = SeededGenerator().seed
        for number in 0..<programCount(short: 200, quick: 1_000, full: 20_000) {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            let waiting = Waiting()
            try await waiting.prepare()
            var state = WaiterState.new
            var expected: WaiterState.Effect?
            var events: [WaiterState.Event] = []
            func make(_ event: WaiterState.Event) {
                // A call waits once.
                guard let transition = state.after(event), event != .wait || !events.contains(.wait) else { return }
                events.append(event)
                let returned = waiting.happen(event)
                if event == .wait { #expect(returned == (transition.next == .waiting), "\(events)") }
                // A group begins with those that wait, and nobody begins twice.
                if event == .begin { #expect(returned == (state == .waiting), "\(events)") }
                state = transition.next
                if transition.effect != .nothing { expected = transition.effect }
                #expect(waiting.waiter.isCancelled == (state == .cancelled), "\(events)")
            }
            for _ in 0..<6 { make(WaiterState.Event.allCases.randomElement(using: &random) ?? .wait) }
            // In the end all are answered.
            make(.wait)
            make(.end)
            #expect(await waiting.answer() == expected, "STORAGEKIT_SEED=\(random.seed) \(events)")
        }
    }

    @Test func whoWaitsIsAnsweredOnceWhoeverComesFirst() async throws {
        for _ in 0..<programCount(short: 200, quick: 1_000, full: 20_000) {
            let waiting = Waiting()
            try await waiting.prepare()
            let events: [[WaiterState.Event]] = [[.wait, .begin, .end], [.cancel, .cancel], [.cancel]]
            await withTaskGroup(of: Void.self) { group in
                for events in events {
                    group.addTask {
                        for event in events { waiting.happen(event) }
                    }
                }
            }
            let answer = await waiting.answer()
            #expect(answer == (waiting.hasBegun ? .answers : .throwsCancellation))
        }
    }

    // MARK: - The hub

    /// What the hub did since the last look.
    private final class Effects: RowCache, ChangeListener {
        private let made = Mutex<[HubState.Effect]>([])
        private let forgotten = Mutex<[TableChange]>([])

        func forget(_ change: TableChange) { forgotten.withLock { $0.append(change) } }

        func note(_ changes: ChangeSet) {
            made.withLock { $0.append(changes == .anything ? .tellsAnything : .tellsChanges) }
        }

        func fill() { made.withLock { $0.append(.fills) } }

        func take() -> (effects: [HubState.Effect], forgotten: [TableChange]) {
            let effects = made.withLock { made in
                defer { made = [] }
                return made
            }
            let forgotten = forgotten.withLock { forgotten in
                defer { forgotten = [] }
                return forgotten
            }
            return (effects, forgotten)
        }
    }

    /// A file, a hub that is told by hand, and a connection that commits for everybody.
    private final class HubWorld {
        let hub: ChangeHub
        let effects = Effects()
        private let folder: TemporaryFolder
        private let connection: GRDB.DatabaseQueue
        private var state = HubState()
        /// Whether one of ours has the file's write lock.
        private var isLocked = false
        /// Commits of ours that are in the file, or failed, and were not told of: whether they wrote.
        private var unsaid: [Bool] = []
        private var events: [String] = []

        init() throws {
            folder = try TemporaryFolder()
            connection = try GRDB.DatabaseQueue(path: folder.file().path)
            try connection.writeWithoutTransaction {
                try $0.execute(
                    sql:
                        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (a); INSERT INTO t VALUES (0)"
                )
            }
            hub = ChangeHub(isPrivate: false, path: folder.file().path)
            hub.lookForIndex()
            hub.tell(effects, of: "t", idColumn: "a")
            hub.listen(effects, watching: false)
        }

        private func commit() throws { try connection.write { try $0.execute(sql: "UPDATE t SET a = a + 1") } }

        /// - Returns: What went otherwise than the table says.
        func step(_ random: inout SeededGenerator) throws -> String? {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                guard !isLocked, unsaid.count < 3 else { return nil }
                isLocked = true
                hub.willCommit()
                return compare(.willCommit)
            case 2, 3:
                guard isLocked else { return nil }
                isLocked = false
                let writes = Int.random(in: 0..<4, using: &random) > 0
                unsaid.append(writes)
                guard writes else { return nil }
                try commit()
                return compare(.committed)
            case 4:
                guard !isLocked else { return nil }
                try commit()
                return compare(.othersCommitted)
            case 5, 6: return say(&random)
            default:
                hub.catchUp()
                return compare(.look)
            }
        }

        /// One whose commit is over says so, in whatever order they come to it.
        private func say(_ random: inout SeededGenerator) -> String? {
            guard let place = unsaid.indices.randomElement(using: &random) else { return nil }
            let writes = unsaid.remove(at: place)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                hub.didPerhapsCommit()
                return compare(.didPerhapsCommit)
            case 1 where !writes:
                hub.didNotCommit()
                return compare(.didNotCommit)
            default:
                hub.didCommit(
                    .tables(["t": .rows([.integer(1)])]), advancing: writes, fills: [{ [effects] in effects.fill() }])
                return compare(.didCommit(advancing: writes))
            }
        }

        private func compare(_ event: HubState.Event) -> String? {
            events.append("\(event)")
            let expected = state.handle(event)
            let (made, forgotten) = effects.take()
            guard made.count == expected.count, Set(made) == expected else {
                return "\(events): \(made), and not \(expected)"
            }
            guard forgotten.contains(.allRows) == expected.contains(.tellsAnything),
                forgotten.contains(.rows([.integer(1)])) == expected.contains(.tellsChanges)
            else { return "\(events): the cache was told \(forgotten)" }
            guard hub.isCurrent == state.isCurrent else {
                return "\(events): it is \(state.isCurrent ? "" : "not ")current"
            }
            guard hub.isIdle == (state.underWay == 0) else { return "\(events): \(state.underWay) are under way" }
            return nil
        }

        /// Ends what is under way. Then everybody has been told of everything.
        func rest(_ random: inout SeededGenerator) -> String? {
            if isLocked {
                isLocked = false
                unsaid.append(false)
            }
            while !unsaid.isEmpty {
                if let problem = say(&random) { return problem }
            }
            hub.catchUp()
            if let problem = compare(.look) { return problem }
            events = []
            return hub.isCurrent ? nil : "it is not current at rest"
        }
    }

    @Test func theHubGoesFromStateToStateAsTheTableSays() async throws {
        var random = SeededGenerator()
        let programsPerFile = 50
        for _ in 0..<programCount(short: 100, quick: 500, full: 20_000) / programsPerFile {
            let world = try HubWorld()
            for _ in 0..<programsPerFile {
                for _ in 0..<30 {
                    if let problem = try world.step(&random) {
                        Issue.record("STORAGEKIT_SEED=\(random.seed): \(problem)")
                        return
                    }
                }
                if let problem = world.rest(&random) {
                    Issue.record("STORAGEKIT_SEED=\(random.seed): \(problem)")
                    return
                }
            }
        }
    }

    /// What makes the table right, whatever the code does: everybody has heard of each commit when the hub says that it is current.
    @Test func theTableLosesNoCommit() {
        let seed = SeededGenerator().seed
        for number in 0..<programCount(short: 2_000, quick: 10_000, full: 200_000) {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            var state = HubState()
            var isLocked = false
            // Whether each has a commit in the file, and whether everybody was told of it.
            var unsaid: [Int?] = []
            var untold: Set<Int> = []
            for _ in 0..<20 {
                var effects: Set<HubState.Effect> = []
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where !isLocked:
                    effects = state.handle(.willCommit)
                    isLocked = true
                case 1 where isLocked:
                    isLocked = false
                    let writes = Bool.random(using: &random)
                    if writes {
                        _ = state.handle(.committed)
                        untold.insert(state.commits)
                    }
                    unsaid.append(writes ? state.commits : nil)
                case 2 where !isLocked:
                    _ = state.handle(.othersCommitted)
                    untold.insert(state.commits)
                case 3, 4:
                    guard let place = unsaid.indices.randomElement(using: &random) else { continue }
                    let mine = unsaid.remove(at: place)
                    let event: HubState.Event =
                        Int.random(in: 0..<4, using: &random) == 0
                        ? .didPerhapsCommit
                        : mine == nil && Bool.random(using: &random)
                            ? .didNotCommit : .didCommit(advancing: mine != nil)
                    effects = state.handle(event)
                    if let mine { untold.remove(mine) }
                    if effects.contains(.fills), let mine { #expect(mine == state.commits, "\(random.seed)") }
                default: effects = state.handle(.look)
                }
                if effects.contains(.tellsAnything) { untold = [] }
                if state.isCurrent { #expect(untold.isEmpty, "STORAGEKIT_SEED=\(random.seed)") }
            }
        }
    }
}
