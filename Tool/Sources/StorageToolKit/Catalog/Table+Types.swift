import StorageSQLite

extension Table.Column {
    /// Whether a store leaves the column as it is that would declare it with another type. One of another program's,
    /// such as `VARCHAR(20)`, goes by its affinity; `BOOLEAN` and `DATETIME` share one and are yet not the same.
    ///
    /// - Parameters:
    ///   - wanted: The type that the store declares.
    ///   - isKey: Whether the column is of the primary key, to either of them.
    ///   - isStrict: Whether the table is `STRICT`, and has six types only.
    func hasSameType(as wanted: String, isKey: Bool, isStrict: Bool) -> Bool {
        let (type, wanted) = (type.uppercased(), isStrict ? wanted.strictType : wanted.uppercased())
        if type == wanted { return true }
        // An INTEGER PRIMARY KEY is the number of the row, which an INT PRIMARY KEY is not.
        if isKey, type == "INTEGER" || wanted == "INTEGER" { return false }
        return !Table.Column.typesOfStores.contains(type)
            && Affinity(of: type, isStrict: isStrict) == Affinity(of: wanted, isStrict: isStrict)
    }

    /// The column as a store adds it to a `STRICT` table.
    var inStrictTable: Table.Column {
        Table.Column(
            name: name, type: type.strictType, isNotNull: isNotNull, defaultSQL: defaultSQL, keyPosition: keyPosition,
            isGenerated: isGenerated)
    }

    private static let typesOfStores: Set = [
        "TEXT", "INTEGER", "UNSIGNED BIG INT", "REAL", "BOOLEAN", "DATETIME", "BLOB", "DECIMAL_TEXT",
    ]
}

extension String {
    /// The type by which a store keeps the same values in a `STRICT` table.
    fileprivate var strictType: String {
        switch uppercased() {
        case "ANY", "INT": return uppercased()
        case "DATETIME": return "TEXT"
        case "BOOLEAN": return "INTEGER"
        case "UNSIGNED BIG INT": return "ANY"
        default:
            let affinity = Affinity(of: self)
            return affinity == .numeric ? "ANY" : affinity.rawValue
        }
    }
}
