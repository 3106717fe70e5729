/// A transaction or snapshot was used after its closure or after something had ended it, or a migration would have ended the transaction
/// that it runs in.
public struct EndedTransactionError: Error, Sendable, Equatable, LocalizedError {
    /// What happened, and what to do.
    public var errorDescription: String? {
        "the transaction or snapshot has ended: use it inside its closure only, leave out COMMIT and ROLLBACK, and let errors of "
            + "SQLite pass"
    }
}
