import GRDB
import Synchronization

/// A value that is read again after changes, once for all who observe it.
///
/// Changes are noted while a read runs and ask for one more read, so that the last value is never missed and none is read
/// twice over. There is a task only while there is something to read; short reads share one, or the thread of the write that
/// made them due.
///
/// Not generic over the value: generic code that is not specialised looks up the type of its values at each use (Benchmarks, W8).
/// Only the reader and the receivers know it.
final class LiveSource: Sendable {
    private let reader: any LiveReader
    /// Of the reader's type.
    private let latest: any AnyObject & Sendable
    /// Runs the rounds of a reader that can read at once; nil for a task of its own.
    private let rounds: LiveRounds?
    /// Who runs the others.
    private let workers: LiveWorkers
    /// Tells what is read; nil if nobody wants to know.
    private let watch: StreamWatch?
    private let pending = LivePending()
    private let state = Mutex(State())

    /// Makes something of the latest value, or of the error that a round ended with.
    fileprivate typealias Receive = @Sendable (_ round: Int, _ error: (any Error)?) -> LiveAction?

    private struct State {
        var receivers: [Int: Receiver] = [:]
        var nextKey = 0
        /// The number of the round that began last.
        var round = 0
        /// Whether there is a reason for another round.
        var isDue = false
        /// Whether a round is under way, or delivered, or waits for its turn.
        var isRunning = false
        var task: Task<Void, Never>?
        var retry: Task<Void, Never>?
        var retries = 0

        /// What the retry would read has been read, or nobody is left to have it.
        mutating func cancelRetry() {
            retry?.cancel()
            retry = nil
        }

        /// The next round has to give everybody a value.
        mutating func oweAll() {
            for key in receivers.keys { receivers[key]?.owed = round + 1 }
        }
    }

    private struct Receiver {
        let receive: Receive
        /// The round that had begun when it joined: what that reads may be older than what it has seen.
        let joined: Int
        /// The round that has to give it a value, be it the same as before; nil for none.
        var owed: Int?

        func isOwed(in round: Int) -> Bool { owed.map { $0 <= round } ?? false }
    }

    init(
        _ reader: some LiveReader, rounds: LiveRounds? = nil, workers: LiveWorkers = LiveWorkers(count: 1),
        watch: StreamWatch? = nil
    ) {
        self.reader = reader
        latest = reader.latest
        self.rounds = rounds
        self.workers = workers
        self.watch = watch
    }

    // MARK: - Who receives

    /// - Parameter receive: Receives values of the reader's type.
    /// - Returns: The key for ``leave(_:)``.
    func join<Value>(_ receive: @escaping LiveReceiver<Value>) -> Int {
        let latest = unsafeDowncast(latest, to: LatestValue<Value>.self)
        return join { round, error in
            if let error { return receive(LiveEvent(round: round, result: .failure(error))) }
            return latest.value.flatMap { receive(LiveEvent(round: round, result: .success($0))) }
        }
    }

    private func join(_ receive: @escaping Receive) -> Int {
        state.withLock { state in
            state.nextKey += 1
            state.receivers[state.nextKey] = Receiver(
                receive: receive, joined: state.round, owed: state.round + 1)
            start(&state)
            return state.nextKey
        }
    }

    /// - Returns: What is to be released outside all locks, since it runs code of the app: an observer may own others.
    func leave(_ key: Int) -> Left {
        state.withLock { state in
            let receiver = state.receivers.removeValue(forKey: key)
            guard state.receivers.isEmpty else { return Left(isLast: false, receiver: receiver?.receive) }
            state.task?.cancel()
            state.cancelRetry()
            return Left(isLast: true, receiver: receiver?.receive)
        }
    }

    struct Left: Sendable {
        /// Whether nobody is left.
        let isLast: Bool
        fileprivate let receiver: Receive?
    }

    // MARK: - Rounds

    /// The value may have become another.
    @inline(never)
    func mark(_ change: LiveChange) {
        // Not inlined: each place that calls it would have a copy of how a round begins.
        pending.add(change)
        state.withLock { start(&$0) }
    }

    /// Notes a change for the round that the next one to join begins.
    func expect(_ change: LiveChange) { pending.add(change) }

    /// Says what the change that was marked last left in the one row of the value.
    func offer(_ saved: any SavedColumns) {
        reader.offer(saved, pending)
    }

    /// Has everybody told what the value is.
    ///
    /// - Parameter change: What may have changed; by default anything, so that the value is read again.
    /// - Returns: The number of the round that does.
    func refresh(_ change: LiveChange = .anything) -> Int {
        pending.add(change)
        return state.withLock { state in
            start(&state)
            // Receivers get the value also if it is the same, and not only that of the round that runs.
            state.oweAll()
            return state.round + 1
        }
    }

    private func start(_ state: inout State) {
        state.isDue = true
        guard !state.isRunning, !state.receivers.isEmpty else { return }
        state.isRunning = true
        if let rounds {
            rounds.begin(self)
        } else {
            beginTask()
        }
    }

    /// - Parameter begun: A round that has begun; nil to begin one.
    private func beginTask(_ begun: Int? = nil) {
        workers.run { [self] in
            let task = state.withLock { state in
                let task = self.task(begun)
                state.task = task
                return task
            }
            await task.value
        }
    }

    /// It is cancelled once nobody is left.
    private func task(_ begun: Int?) -> Task<Void, Never> {
        Task.detached { [self] in await run(begun) }
    }

    /// - Parameter begun: A round that has begun; nil to begin one.
    private func run(_ begun: Int?) async {
        guard let round = begun ?? nextRound() else { return }
        let actions = await read(in: round)
        if let rest = deliver(actions) { Task { @MainActor in rest() } }
    }

    /// Does of what a round came to what may be done here.
    ///
    /// - Returns: What is to be done on the main actor; nil for nothing.
    private func deliver(_ actions: [LiveAction]) -> (@Sendable () -> Void)? {
        for action in actions where !action.isForMainActor { action.run() }
        let rest = actions.filter { $0.isForMainActor }
        if rest.isEmpty {
            end()
            return nil
        }
        return { [self] in
            rest.forEach { $0.run() }
            end()
        }
    }

    /// Ends a round. The next one, if it is due, has to take its turn behind the values of others.
    private func end() {
        state.withLock { state in
            state.isRunning = false
            state.task = nil
            if state.isDue { start(&state) }
        }
    }

    /// - Returns: What is to be done where the values are delivered.
    private func read(in round: Int) async -> [LiveAction] {
        do {
            let start = watch.map { _ in ContinuousClock.now }
            let outcome = try await reader.read(pending)
            tell(outcome, since: start)
            return actions(isNew: outcome.isNew, round)
        } catch {
            pending.add(.anything)
            // Nobody is left who could hear of it.
            return Task.isCancelled ? [] : actions(error, round)
        }
    }

    private func tell(_ outcome: LiveOutcome, since start: ContinuousClock.Instant?) {
        if let watch, let start { watch.tell(outcome, of: reader, since: start) }
    }

    private func nextRound() -> Int? {
        state.withLock { state in
            guard state.isDue, !state.receivers.isEmpty else {
                state.isRunning = false
                state.task = nil
                return nil
            }
            state.isDue = false
            state.round += 1
            return state.round
        }
    }

    // MARK: - Delivery

    private func actions(isNew: Bool, _ round: Int) -> [LiveAction] {
        let receivers = state.withLock { state in
            state.retries = 0
            state.cancelRetry()
            var receivers: [Receive] = []
            for (key, receiver) in state.receivers where receiver.joined < round {
                let isOwed = receiver.isOwed(in: round)
                guard isNew || isOwed else { continue }
                receivers.append(receiver.receive)
                if isOwed { state.receivers[key]?.owed = nil }
            }
            return receivers
        }
        return receivers.compactMap { $0(round, nil) }
    }

    private func actions(_ error: any Error, _ round: Int) -> [LiveAction] {
        let receivers = state.withLock { state in
            state.cancelRetry()
            if error.mayPass { retryLater(&state) }
            // Once the value can be read again they get it, be it the same as before.
            state.oweAll()
            return state.receivers.values.map(\.receive)
        }
        return receivers.compactMap { $0(round, error) }
    }

    /// Whether the value will be read again without a change, because of an error that may pass.
    var isRetryDue: Bool { state.withLock { $0.retry != nil } }

    /// An error of the disk or of a lock, or an interruption, goes away without a commit that would be noticed.
    private func retryLater(_ state: inout State) {
        let delay = Duration.milliseconds(100) * (1 << min(state.retries, 6))
        state.retries += 1
        state.retry = Task.detached { [weak self] in
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { self?.mark(.anything) }
        }
    }
}

extension LiveSource: LiveRound {
    func runNow() -> (@Sendable () -> Void)? {
        guard let round = nextRound() else { return nil }
        let start = watch.map { _ in ContinuousClock.now }
        guard let outcome = reader.readNow(pending) else {
            beginTask(round)
            return nil
        }
        tell(outcome, since: start)
        return deliver(actions(isNew: outcome.isNew, round))
    }
}

extension LiveSource: ChangeListener {
    func note(_ changes: ChangeSet) {
        if reader.isConcerned(by: changes) { mark(.anything) }
    }
}

extension Error {
    /// Whether a read that failed may succeed a moment later, with nothing changed in the database.
    fileprivate var mayPass: Bool {
        let cause: any Error =
            if case .queryFailed(_, let underlying)? = self as? StorageError { underlying } else { self }
        guard let code = (cause as? DatabaseError)?.resultCode else { return false }
        return [
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM,
            .SQLITE_INTERRUPT, .SQLITE_ABORT, .SQLITE_FULL,
        ].contains(code)
    }
}
