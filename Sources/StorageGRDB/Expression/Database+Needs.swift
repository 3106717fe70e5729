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

    /// Whether a statement failed since another program opened the connection, which has no functions and collations of ours.
    func lacksFunctions(_ error: DatabaseError) throws -> Bool {
        let beginnings = ["no such function: storagekit_", "no such collation sequence: storagekit_"]
        guard let message = error.message, beginnings.contains(where: message.hasPrefix) else { return false }
        let sql = "SELECT count(*) = 0 FROM pragma_collation_list WHERE name = ?"
        return try Bool.fetchOne(self, sql: sql, arguments: [DatabaseCollation.decimal.name]) == true
    }
}
