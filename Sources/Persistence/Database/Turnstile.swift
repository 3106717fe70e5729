/// Owns the connection of a database and lets one task at a time through to it.
///
/// A connection has levels: the database itself, the transaction that is open, the one nested in that. At each level one
/// turn is taken at a time, in the order of asking; a transaction keeps its turn until it ends, and opens the next level.
actor Turnstile {
    /// One level, as long as it exists.
    struct Level {
        let id: Int
        /// Who uses the level. Whoever comes while it is taken waits in the line.
        var holder: Turn?
        var line = WaitingLine<Waiter>()
        /// What the holder walks through, if it walks.
        var walk: Walk?
    }

    struct Waiter {
        let turn: Turn
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The level of the database itself.
    static let ground = 0

    let path: String
    private let busyTimeout: Duration
    private let executor = QueueExecutor()
    var connection: Connection?
    /// From the ground up.
    var levels = [Level(id: Turnstile.ground)]
    private var lastLevel = Turnstile.ground

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String, busyTimeout: Duration) async throws {
        self.path = path
        // As long as SQLite can wait: 24 days.
        self.busyTimeout = max(.zero, min(busyTimeout, .milliseconds(Int(Int32.max))))
        connection = try Connection(path: path, busyTimeout: Int32(self.busyTimeout / .milliseconds(1)))
    }

    /// Does some work with the connection when the turn has come.
    func perform<T: Sendable>(on level: Int, _ work: @Sendable (Connection) throws -> T) async throws -> T {
        let turn = try await enter(level)
        defer { leave(turn, level) }
        return try work(held(by: turn, level))
    }

    /// Closes the connection when the turn has come. Who waits behind is told so.
    func close() async throws {
        do {
            _ = try await enter(Turnstile.ground)
        } catch SQLiteError.closed {
            return
        }
        connection = nil
        dismissLevels(from: 0, with: .closed(path: path))
    }

    func newLevel() -> Int {
        lastLevel += 1
        levels.append(Level(id: lastLevel))
        return lastLevel
    }
}

// MARK: - Turns

extension Turnstile {
    /// Waits for the level to be free.
    ///
    /// - Throws: `CancellationError`, `SQLiteError` if the level is no more, or if the calling task would wait for itself.
    func enter(_ level: Int) async throws -> Turn {
        try Task.checkCancellation()
        let index = try index(of: level)
        let turn = Turn()
        guard let holder = levels[index].holder else {
            levels[index].holder = turn
            return turn
        }
        guard !holder.isOfTask else { throw SQLiteError.heldByCaller(path: path) }
        let place = levels[index].line.newPlace()
        // The closure may wait for this task, and then both would for ever.
        let limit = holder.isOfParent ? Task { try await stopWaiting(for: holder, at: place, level) } : nil
        defer { limit?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                line(up: Waiter(turn: turn, continuation: continuation), at: place, level)
            }
        } onCancel: {
            Task { await giveUp(place, level, with: CancellationError()) }
        }
        if Task.isCancelled {
            leave(turn, level)
            throw CancellationError()
        }
        return turn
    }

    /// Hands the level on to who waits for it.
    func leave(_ turn: Turn, _ level: Int) {
        guard let index = try? index(of: level), levels[index].holder === turn else { return }
        let next = levels[index].line.popFirst()
        levels[index].holder = next?.turn
        next?.continuation.resume()
    }

    /// The connection, for the holder of a level. The level may have ended since the turn was given.
    func held(by turn: Turn, _ level: Int) throws -> Connection {
        guard let connection, levels[try index(of: level)].holder === turn else { throw gone(level) }
        return connection
    }

    /// Ends levels: who waits there is told so. Statements that are walked through go with their level.
    func dismissLevels(from index: Int, with error: SQLiteError) {
        for var level in levels[index...] {
            while let waiter = level.line.popFirst() { waiter.continuation.resume(throwing: error) }
        }
        levels.removeSubrange(index...)
    }

    func index(of level: Int) throws -> Int {
        guard let index = levels.firstIndex(where: { $0.id == level }) else { throw gone(level) }
        return index
    }

    private func gone(_ level: Int) -> SQLiteError {
        level == Turnstile.ground ? .closed(path: path) : .transactionEnded
    }

    private func line(up waiter: Waiter, at place: Int, _ level: Int) {
        do {
            // A task that was cancelled before it stood in the line has no one else to tell it.
            try Task.checkCancellation()
            levels[try index(of: level)].line.add(waiter, at: place)
        } catch {
            waiter.continuation.resume(throwing: error)
        }
    }

    private func giveUp(_ place: Int, _ level: Int, with error: any Error) {
        guard let index = try? index(of: level) else { return }
        levels[index].line.remove(at: place)?.continuation.resume(throwing: error)
    }

    /// Gives up if the level is still held by the same one after as long as locks are waited for.
    private func stopWaiting(for holder: Turn, at place: Int, _ level: Int) async throws {
        try await Task.sleep(for: busyTimeout)
        guard levels[try index(of: level)].holder === holder else { return }
        giveUp(place, level, with: SQLiteError.heldByCaller(path: path))
    }
}
