/// The SQL type of a column, as auto-schema declares it.
public enum ColumnType: String, Sendable, Hashable {
    /// `TEXT`
    case text = "TEXT"
    /// `INTEGER`
    case integer = "INTEGER"
    /// `UNSIGNED BIG INT`, to SQLite an INTEGER as well. As `INTEGER PRIMARY KEY` it would be the rowid, which
    /// cannot hold what is above `Int64.max`.
    case unsigned = "UNSIGNED BIG INT"
    /// `REAL`
    case real = "REAL"
    /// `BOOLEAN`, kept as 0 and 1
    case boolean = "BOOLEAN"
    /// `DATETIME`, kept as text in UTC
    case datetime = "DATETIME"
    /// `BLOB`
    case blob = "BLOB"
    /// `DECIMAL_TEXT`: a decimal number as text, which queries of StorageKit compare and sort as a number
    case decimal = "DECIMAL_TEXT"
}

extension ColumnType {
    /// Whether values of the other type can be compared with what such a column holds.
    package func compares(with other: ColumnType) -> Bool { self == other || isNumber && other.isNumber }

    /// Whether a column takes values of the other type.
    package func takes(_ other: ColumnType) -> Bool {
        self == other || other == .integer && [.real, .decimal, .unsigned].contains(self)
    }

    var isNumber: Bool { [.integer, .unsigned, .real, .decimal].contains(self) }
}
