import GRDB

extension DatabaseActor {
    /// Reads a state of the database of which all have been told what led to it. So a list that is brought up to date with
    /// the changes that were told becomes what it was at one moment, and no mixture of two.
    ///
    /// - Parameters:
    ///   - isShort: Whether to read on the calling thread while a connection is free.
    ///   - body: What to read. It runs once.
    func readToldState<T: Sendable>(
        isShort: Bool, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        // On its only connection a database is read between commits, each of which has told.
        guard let lanes, changes.token != nil else { return try await writer.read(body) }
        while true {
            try Task.checkCancellation()
            let attempt: @Sendable (Database) throws -> T? = { [changes] db in try db.readToldState(changes, body) }
            // The outer nil: no connection is free.
            var tried = isShort ? try lanes.tryRead(attempt) : nil
            if tried == nil { tried = .some(try await writer.unsafeRead(attempt)) }
            if let result = tried ?? nil { return result }
            await changes.untilTold()
        }
    }
}

extension Database {
    /// Nil if a commit of ours that has not told yet led to the state, or others commit too fast.
    fileprivate func readToldState<T>(_ changes: ChangeHub, _ body: (Database) throws -> T) throws -> T? {
        for _ in 0..<4 {
            var result: T?
            var isTold = true
            try inTransaction(.deferred) {
                let token = changes.token
                // The state that the transaction sees is fixed by its first read.
                _ = try schemaCookie()
                guard let token, token == changes.token else { return .rollback }
                isTold = changes.hasTold(token)
                if isTold { result = try body(self) }
                return .commit
            }
            if result != nil || !isTold { return result }
        }
        return nil
    }
}
