import GRDB

/// Knows whether the hub's observer is the only one that GRDB has for a connection. Used on that connection's thread only.
///
/// GRDB prepares its observers before each statement and tidies up after it, which takes an eighth of a save. Where
/// nobody else is there to hear of it, a statement may go past GRDB. Whether that is so GRDB does not say, and so it is read
/// by reflection, which is slow. In between this relies on what GRDB does whenever an observer comes or goes: it drops the
/// statements that it keeps and that delete rows, since how they are prepared depends on who observes. So there is a witness
/// among them, which does nothing.
///
/// Each step is checked on the connection itself: in a GRDB that works otherwise there is no witness, and every statement goes
/// through GRDB.
final class SoleObserver {
    private weak var witness: Statement?
    /// How often it was there since it was found.
    private var served = 0
    /// How many more times to say no before GRDB is asked again.
    private var pause = 0
    private var nextPause = 1

    /// To look for a witness takes as long as some ten saves.
    private static let worthALook = 256
    private static let longestPause = 4096

    /// Whether there is no observer but that one.
    ///
    /// - Parameter table: A table of the file, for the witness to delete nothing from.
    func isSole(_ observer: some TransactionObserver, on table: String, in db: Database) -> Bool {
        if witness != nil {
            served += 1
            return true
        }
        if served >= Self.worthALook { nextPause = 1 }
        served = 0
        guard pause == 0 else {
            pause -= 1
            return false
        }
        pause = nextPause
        nextPause = min(2 * nextPause, Self.longestPause)
        return findWitness(observer, table, db)
    }

    private func findWitness(_ observer: some TransactionObserver, _ table: String, _ db: Database) -> Bool {
        // An app may suspend a database from any thread, which GRDB looks at before each statement.
        guard !db.configuration.observesSuspensionNotifications, db.observers.map({ $0 === observer }) == [true] else {
            return false
        }
        let sql = "DELETE FROM \(table.quotedIdentifier) WHERE 0 /* StorageKit: is gone when somebody observes */"
        let passing = PassingObserver()
        guard drops(sql, db, { db.add(transactionObserver: passing) }),
            drops(sql, db, { db.remove(transactionObserver: passing) })
        else { return false }
        witness = try? db.cachedStatement(sql: sql)
        return witness != nil
    }

    /// Whether GRDB keeps a statement, and drops it when its observers change.
    private func drops(_ sql: String, _ db: Database, _ change: () -> Void) -> Bool {
        let kept = WeakStatement(statement: try? db.cachedStatement(sql: sql))
        let isKept = kept.statement != nil
        change()
        return isKept && kept.statement == nil
    }
}

private struct WeakStatement {
    weak var statement: Statement?
}

/// Comes and goes, and hears of nothing.
private final class PassingObserver: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}

extension Database {
    /// The observers that GRDB has for the connection, by reflection; one of nobody's for each that it does not keep
    /// alive. Empty where GRDB keeps them in another way than is known.
    fileprivate var observers: [AnyObject] {
        guard
            let observations = Mirror(reflecting: self).descendant(
                "observationBroker", "some", "transactionObservations")
        else { return [] }
        return Mirror(reflecting: observations).children.map { observation in
            let observer = Mirror(reflecting: observation.value).descendant("strongObserver", "some")
            return observer as AnyObject
        }
    }
}
