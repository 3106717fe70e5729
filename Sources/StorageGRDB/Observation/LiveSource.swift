import GRDB
import Synchronization

/// Reads a live value. It is asked by one task at a time.
protocol LiveReader<Value>: Sendable {
    associatedtype Value: Sendable

    /// Reads the value as it is, if the pending changes can have made it another.
    func read(_ pending: LivePending) async throws -> LiveReading<Value>

    /// The same on the calling thread, where that takes microseconds.
    ///
    /// - Returns: Nil if it cannot be done so, and what was pending still is.
    func readNow(_ pending: LivePending) -> LiveReading<Value>?

    /// Offers the columns that the last change left in the one row of the value, so that they need not be read.
    func offer(_ values: [StoredValue], _ pending: LivePending)
}

extension LiveReader {
    func readNow(_ pending: LivePending) -> LiveReading<Value>? { nil }
    func offer(_ values: [StoredValue], _ pending: LivePending) {}
}

/// What a reader found.
enum LiveReading<Value: Sendable>: Sendable {
    /// The value that was read last.
    case unchanged
    case value(Value)
}

/// What comes of one round of reading.
package struct LiveEvent<Value: Sendable>: Sendable {
    /// Rounds are numbered, so that somebody can wait for one.
    package let round: Int
    package let result: Result<Value, any Error>
}

/// Makes something of an event; nil for nothing.
package typealias LiveReceiver<Value: Sendable> = @Sendable (LiveEvent<Value>) -> LiveAction?

/// What is to be done of an event.
package struct LiveAction: Sendable {
    /// Whether it has to be done where the values are delivered. To pass a value on to a stream is not: whoever reads the
    /// stream gets it on an actor of his own.
    let isForMainActor: Bool
    let run: @Sendable () -> Void

    /// Something that is done where the values are delivered.
    package static func delivered(_ run: @escaping @Sendable () -> Void) -> LiveAction {
        LiveAction(isForMainActor: true, run: run)
    }

    /// Something that may be done anywhere.
    static func anywhere(_ run: @escaping @Sendable () -> Void) -> LiveAction {
        LiveAction(isForMainActor: false, run: run)
    }
}

/// A value that is read again after changes, once for all who observe it.
///
/// Changes are noted while a read runs and ask for one more read, so that the last value is never missed and none is read
/// twice over. There is a task only while there is something to read; short reads share one, or the thread of the write that
/// made them due.
final class LiveSource<Value: Sendable>: LiveMarkable {
    private let reader: any LiveReader<Value>
    private let isOnMainActor: Bool
    /// Runs the rounds of a reader that can read at once; nil for a task of its own.
    private let rounds: LiveRounds?
    private let pending = LivePending()
    private let state = Mutex(State())

    private struct State {
        var receivers: [Int: Receiver] = [:]
        var nextKey = 0
        /// The number of the round that began last.
        var round = 0
        /// Whether there is a reason for another round.
        var isDue = false
        var latest: Value?
        /// Whether a round is under way, or delivered, or waits for its turn.
        var isRunning = false
        var task: Task<Void, Never>?
        var retry: Task<Void, Never>?
        var retries = 0

        /// The next round has to give everybody a value.
        mutating func oweAll() {
            for key in receivers.keys { receivers[key]?.owed = round + 1 }
        }
    }

    private struct Receiver {
        let receive: LiveReceiver<Value>
        /// The round that had begun when it joined: what that reads may be older than what it has seen.
        let joined: Int
        /// The round that has to give it a value, be it the same as before; nil for none.
        var owed: Int?

        func isOwed(in round: Int) -> Bool { owed.map { $0 <= round } ?? false }
    }

    init(_ reader: some LiveReader<Value>, isOnMainActor: Bool = true, rounds: LiveRounds? = nil) {
        self.reader = reader
        self.rounds = rounds
        self.isOnMainActor = isOnMainActor
    }

    // MARK: - Who receives

    /// - Returns: The key for ``leave(_:)``.
    func join(_ receive: @escaping LiveReceiver<Value>) -> Int {
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
            state.retry?.cancel()
            defer { state.latest = nil }
            return Left(isLast: true, receiver: receiver?.receive, latest: state.latest)
        }
    }

    struct Left: Sendable {
        /// Whether nobody is left.
        let isLast: Bool
        fileprivate let receiver: LiveReceiver<Value>?
        fileprivate var latest: Value?
    }

    // MARK: - Rounds

    func mark(_ change: LiveChange) {
        pending.add(change)
        state.withLock { start(&$0) }
    }

    func offer(_ values: [StoredValue]) {
        reader.offer(values, pending)
    }

    /// Reads the value again, whether or not it changed.
    ///
    /// - Returns: The number of the round that does.
    func refresh() -> Int {
        pending.add(.anything)
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
            state.task = Task.detached { [self] in await run() }
        }
    }

    /// - Parameter begun: A round that has begun; nil to begin one.
    private func run(_ begun: Int? = nil) async {
        var next = begun ?? nextRound()
        while let round = next {
            let actions = await read(in: round)
            if isOnMainActor, !actions.isEmpty {
                // Going on from there spares the way back to another thread, if there is nothing more to read.
                Task { @MainActor in deliver(actions) }
                return
            }
            actions.forEach { $0.run() }
            next = nextRound()
        }
    }

    private func deliver(_ actions: [LiveAction]) {
        actions.forEach { $0.run() }
        state.withLock { state in
            state.isRunning = false
            state.task = nil
            if state.isDue { start(&state) }
        }
    }

    /// - Returns: What is to be done where the values are delivered.
    private func read(in round: Int) async -> [LiveAction] {
        do {
            let reading = try await reader.read(pending)
            return actions { take(reading, round, &$0) }
        } catch {
            pending.add(.anything)
            // Nobody is left who could hear of it.
            return Task.isCancelled ? [] : actions { take(error, round, &$0) }
        }
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

    private struct Delivery {
        let receivers: [LiveReceiver<Value>]
        let event: LiveEvent<Value>
        /// Kept until the lock is left: a large list takes a while to be released.
        var previous: Value?
    }

    private func actions(_ take: (inout State) -> Delivery?) -> [LiveAction] {
        guard let delivery = state.withLock({ take(&$0) }) else { return [] }
        return delivery.receivers.compactMap { $0(delivery.event) }
    }

    private func take(_ reading: LiveReading<Value>, _ round: Int, _ state: inout State) -> Delivery? {
        state.retries = 0
        let previous = state.latest
        let isNew: Bool
        if case .value(let value) = reading {
            state.latest = value
            isNew = true
        } else {
            isNew = false
        }
        guard let latest = state.latest else { return nil }
        var receivers: [LiveReceiver<Value>] = []
        for (key, receiver) in state.receivers where receiver.joined < round {
            let isOwed = receiver.isOwed(in: round)
            guard isNew || isOwed else { continue }
            receivers.append(receiver.receive)
            if isOwed { state.receivers[key]?.owed = nil }
        }
        return Delivery(
            receivers: receivers, event: LiveEvent(round: round, result: .success(latest)), previous: previous)
    }

    private func take(_ error: any Error, _ round: Int, _ state: inout State) -> Delivery? {
        if error.mayPass {
            retryLater(&state)
        }
        // Once the value can be read again they get it, be it the same as before.
        state.oweAll()
        return Delivery(
            receivers: state.receivers.values.map(\.receive), event: LiveEvent(round: round, result: .failure(error)))
    }

    /// An error of the disk or of a lock goes away without a commit that would be noticed.
    private func retryLater(_ state: inout State) {
        state.retry?.cancel()
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
        guard let reading = reader.readNow(pending) else {
            state.withLock { $0.task = Task.detached { [self] in await run(round) } }
            return nil
        }
        let actions = actions { take(reading, round, &$0) }
        for action in actions where !action.isForMainActor { action.run() }
        let rest = actions.filter(\.isForMainActor)
        if rest.isEmpty {
            deliver(rest)
            return nil
        }
        return { [self] in deliver(rest) }
    }
}

extension LiveSource: ChangeListener {
    func note(_ changes: ChangeSet) {
        mark(.anything)
    }
}

extension Error {
    /// Whether a read that failed may succeed a moment later, with nothing changed in the database.
    fileprivate var mayPass: Bool {
        let cause: any Error =
            if case .queryFailed(_, let underlying)? = self as? StorageError { underlying } else { self }
        guard let code = (cause as? DatabaseError)?.resultCode else { return false }
        return [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM]
            .contains(code)
    }
}
