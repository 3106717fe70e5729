import GRDB

extension Database {
    /// Gives a connection of a store the functions that queries may need.
    func addFunctions() {
        add(collation: .decimal)
        CaseFolding.add(to: self)
        ListedValue.add(to: self)
    }

    /// Gives a connection that another program opened what a query needs, unless it has it.
    func provide(_ needs: ConnectionNeeds) throws {
        if needs.contains(.decimalOrder),
            try !isKnown(DatabaseCollation.decimal.name, in: "pragma_collation_list")
        {
            add(collation: .decimal)
        }
        if needs.contains(.caseFolding), try !isKnown(FunctionName.caseFolding, in: "pragma_function_list") {
            CaseFolding.add(to: self)
        }
        if needs.contains(.listedValues), try !isKnown(FunctionName.listedValue, in: "pragma_function_list") {
            ListedValue.add(to: self)
        }
    }

    private func isKnown(_ name: String, in list: String) throws -> Bool {
        try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(list) WHERE name = ?)"), arguments: [name]) == true
    }
}
