extension Turnstile {
    /// A transaction that is open, or was.
    struct Transaction: Sendable {
        /// The level on which its statements run.
        let level: Int
        /// What its task holds until it ends.
        let turn: Turn
        fileprivate let parent: Int
    }

    /// Begins a transaction when the turn has come.
    func begin(on parent: Int) async throws -> Transaction {
        let turn = try await enter(parent)
        do {
            try held(by: turn, parent).begin()
        } catch {
            leave(turn, parent)
            throw error
        }
        return Transaction(level: newLevel(), turn: turn, parent: parent)
    }

    /// Keeps what a transaction did.
    ///
    /// - Throws: SQLite's error, or that the transaction is no more; all it did is undone then.
    func commit(_ transaction: Transaction) throws {
        try end(transaction) { try $0.commit($1) }
    }

    /// Undoes what a transaction did, if it is still open.
    func rollBack(_ transaction: Transaction) {
        try? end(transaction) { $0.rollBack($1) }
    }

    private func end(_ transaction: Transaction, _ finish: (Connection, Int) throws -> Void) throws {
        let index = try index(of: transaction.level)
        // Tasks that outlive the closure may still wait at this level, or hold a level above.
        dismissLevels(from: index, with: .transactionEnded)
        defer { leave(transaction.turn, transaction.parent) }
        try finish(held(by: transaction.turn, transaction.parent), index - 1)
    }
}
