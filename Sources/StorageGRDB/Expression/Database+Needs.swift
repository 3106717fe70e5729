import GRDB
import StorageSQLite

extension Database {
    /// Gives a connection of a store the functions that queries may need.
    func addFunctions() {
        add(collation: .decimal)
        borrowedConnection?.addCaseFolding()
        borrowedConnection?.addListedValues()
        borrowedConnection?.addValueFunctions()
    }

    /// The connection as our own layer above SQLite knows it.
    var borrowedConnection: Connection? { sqliteConnection.map { Connection(borrowing: $0) } }
}

extension DatabaseError {
    /// Whether the connection has none of our functions and collations, since another program opened it.
    var isAboutOurFunctions: Bool {
        message.map { $0.hasPrefix("no such") && $0.contains(": storagekit_") } ?? false
    }
}
