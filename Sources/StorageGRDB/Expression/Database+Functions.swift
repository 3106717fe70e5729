import GRDB
import StorageSQLite

extension Database {
    /// Gives a connection of a store the functions and collations with which queries calculate as Swift does. Raw SQL may use them too:
    /// `storagekit_month(due)`, `ORDER BY title COLLATE storagekit_caseless`.
    func addFunctions() {
        guard let connection = borrowedConnection else { return }
        connection.addStorageKitSQL()
        connection.addNumberFunctions()
        connection.addTextFunctions()
        connection.addCalendarFunctions()
        connection.addJSONFunctions()
    }

    /// Whether a statement failed since another program opened the connection, which has no functions and collations of ours.
    func lacksFunctions(_ error: DatabaseError) throws -> Bool {
        let beginnings = ["no such function: storagekit_", "no such collation sequence: storagekit_"]
        guard let message = error.message, beginnings.contains(where: message.hasPrefix) else { return false }
        let sql = "SELECT count(*) = 0 FROM pragma_collation_list WHERE name = ?"
        return try Bool.fetchOne(self, sql: sql, arguments: [FunctionName.decimalOrder]) == true
    }
}
