import GRDB
import StorageSQLite
import Synchronization

/// What was found out of the full-text indexes of a file, which takes five statements: kept by connection, for as long as the schema
/// is the same.
enum SearchClauses {
    /// A program that makes up its searches is to fill no memory with them.
    private static let most = 100

    /// Unchecked, since the connection is only asked whether it is still there.
    private struct Known: @unchecked Sendable {
        weak var connection: Database?
        let cookie: Int
        var clauses: [[SearchedIndex]: String] = [:]

        func holds(_ cookie: Int) -> Bool { connection != nil && self.cookie == cookie }
    }

    private static let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// The clause of those searches: the one that was found before, or what `find` says.
    static func clause(of searches: [SearchedIndex], _ db: Database, find: () throws -> String) throws -> String {
        // What a transaction has changed may be rolled back, and the number of that schema be given to another.
        guard let connection = db.borrowedConnection, !connection.isWriting,
            let cookie = try db.schemaCookie()
        else { return try find() }
        let (place, key) = (ObjectIdentifier(db), searches.map(\.withoutWords))
        let found = known.withLock { $0[place].flatMap { $0.holds(cookie) ? $0.clauses[key] : nil } }
        if let found { return found }
        let clause = try find()
        let new = Known(connection: db, cookie: cookie)
        known.withLock { known in
            known = known.filter { $0.value.connection != nil }
            let isRoom = known[place].map { $0.holds(cookie) && $0.clauses.count < most } ?? false
            if !isRoom { known[place] = new }
            known[place]?.clauses[key] = clause
        }
        return clause
    }
}
