import GRDB

extension DatabaseActor {
    /// Reads a state of the database together with the changes that led to it. So a list that is brought up to date with
    /// them becomes what it was at one moment, and no mixture of two.
    ///
    /// - Parameters:
    ///   - isShort: Whether to read on the calling thread while a connection is free.
    ///   - pending: Where the changes are collected. What was taken is put back if the state was not the right one.
    ///   - body: What to read, and the changes that were taken. It may be stopped and run once more.
    func readSnapshot<T: Sendable>(
        isShort: Bool, _ pending: LivePending, _ body: @escaping @Sendable (Database, LiveChange) throws -> T
    ) async throws -> T {
        // What only one connection sees is read between its commits, each of which has told.
        guard changes.knowsStates else { return try await openPool.read { db in try body(db, pending.take()) } }
        while true {
            try Task.checkCancellation()
            if isShort, let result = try readSnapshotNow(pending, { .some(try body($0, $1)) }) { return result }
            let result = try await openPool.unsafeRead { [changes] db in
                try db.readSnapshot(changes, pending, body)
            }
            if let result { return result }
            await changes.waitForCommits()
        }
    }

    /// The same on the calling thread.
    ///
    /// - Parameter body: What to read; nil if it has to be read the other way, with the changes that are pending then.
    /// - Returns: Nil, too, if no connection is free, it takes many steps, or commits are under way.
    func readSnapshotNow<T>(
        _ pending: LivePending, _ body: (Database, LiveChange) throws -> T?
    ) throws -> T? {
        guard mayRestartQueries, changes.knowsStates else { return nil }
        return try readBriefly { [changes] db in try db.readSnapshot(changes, pending, body) ?? nil } ?? nil
    }
}

extension Database {
    /// Nil if a commit of ours is under way, or commits come too fast.
    ///
    /// The changes are taken before the state is fixed, and after the hub has told of all that led to it. Nobody may commit in
    /// between: the changes would then be those of a later state, and be lost to it.
    fileprivate func readSnapshot<T>(
        _ hub: ChangeHub, _ pending: LivePending, _ body: (Database, LiveChange) throws -> T
    ) throws -> T? {
        for _ in 0..<4 {
            guard let token = hub.snapshotToken() else { return nil }
            let taken = pending.take()
            var result: T?
            var isOver = false
            // What was stopped, or failed, is to be read again; all of it, if the body had its way with what it read and only the end failed.
            defer { if !isOver { pending.add(result == nil ? taken : .anything) } }
            try inOneState {
                // The state that the transaction sees is fixed by its first read.
                _ = try schemaCookie()
                if hub.isAt(token) { result = try body(self, taken) }
            }
            isOver = result != nil
            if isOver { return result }
        }
        return nil
    }
}
