import GRDB

extension DatabaseCollation {
    /// Orders decimal text as numbers. Raw SQL may use it: `ORDER BY price COLLATE storagekit_decimal`.
    static let decimal = DatabaseCollation("storagekit_decimal") { compareDecimalTexts($0, $1) }
}

extension Database {
    /// Makes the collation known to a connection that another program opened.
    func addDecimalCollationIfMissing() throws {
        let isKnown = try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM pragma_collation_list WHERE name = ?)"),
            arguments: [DatabaseCollation.decimal.name])
        if isKnown != true { add(collation: .decimal) }
    }
}
