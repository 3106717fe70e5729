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

    /// Gives a connection that another program opened what a query needs, unless it has it.
    func provide(_ needs: ConnectionNeeds) throws {
        if needs.contains(.decimalOrder),
            try !isKnown(DatabaseCollation.decimal.name, in: "pragma_collation_list")
        {
            add(collation: .decimal)
        }
        if needs.contains(.caseFolding), try !isKnown(FunctionName.caseFolding, in: "pragma_function_list") {
            borrowedConnection?.addCaseFolding()
        }
        if needs.contains(.listedValues), try !isKnown(FunctionName.listedValue, in: "pragma_function_list") {
            borrowedConnection?.addListedValues()
        }
        if needs.contains(.valueFunctions), try !isKnown(FunctionName.integer, in: "pragma_function_list") {
            borrowedConnection?.addValueFunctions()
        }
    }

    private func isKnown(_ name: String, in list: String) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(list) WHERE name = ?)"), arguments: [name]) == true
    }
}
