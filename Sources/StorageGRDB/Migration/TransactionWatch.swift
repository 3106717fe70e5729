import GRDB

/// Keeps the steps of a run from ending the transaction that they share: a commit of theirs is turned into a rollback.
final class TransactionWatch: TransactionObserver {
    /// Whether a step ended it, even if it began another: which it can past GRDB only, since GRDB lets no statement run once
    /// the transaction is gone.
    private(set) var hasEnded = false

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        hasEnded = true
        throw EndedTransactionError()
    }

    func databaseDidCommit(_ db: Database) { hasEnded = true }
    func databaseDidRollback(_ db: Database) { hasEnded = true }
}
