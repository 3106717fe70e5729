import StorageSQLite

/// What the rows of a table have in one column. SQLite takes any value in most columns, so a declared type is a hope.
struct ColumnContents {
    let nulls: Int
    let integers: Int
    let reals: Int
    let texts: Int
    let blobs: Int
    /// Integers that are neither 0 nor 1.
    let integersBeyondBool: Int
    /// Real numbers that are no whole number of 64 bits.
    let fractions: Int
    /// Texts that do not begin as dates do, or name a day or a time that does not exist.
    let textsWithoutDate: Int

    init(of column: Table.Column, in table: Table, _ connection: Connection) throws {
        let name = column.name.quotedName
        let day = "substr(\(name), 1, 10)"
        // With a modifier SQLite makes 1 July of 31 June.
        let noDate = """
            \(name) NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' OR date(\(day), '+0 days') IS NOT \(day) \
            OR substr(\(name), 11, 1) NOT IN ('', ' ', 'T') OR length(\(name)) BETWEEN 11 AND 15 \
            OR substr(\(name), 12, 2) > '23' OR substr(\(name), 15, 2) > '59' OR substr(\(name), 18, 2) > '59'
            """
        let conditions =
            ["null", "integer", "real", "text", "blob"].map { "typeof(\(name)) = '\($0)'" } + [
                "typeof(\(name)) = 'integer' AND \(name) NOT IN (0, 1)",
                "typeof(\(name)) = 'real' AND (abs(\(name)) >= 9e18 OR \(name) <> CAST(\(name) AS INTEGER))",
                "typeof(\(name)) = 'text' AND (\(noDate))",
            ]
        let counts = conditions.map { "COUNT(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
        let row = try connection.rows("SELECT \(counts) FROM main.\(table.name.quotedName)")[0]
        let numbers = row.map { Int($0.integer ?? 0) }
        (nulls, integers, reals, texts, blobs) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        (integersBeyondBool, fractions, textsWithoutDate) = (numbers[5], numbers[6], numbers[7])
    }

    /// How many values there are, without NULL.
    var values: Int { integers + reals + texts + blobs }
}
