/// How SQLite keeps the values of a column, by the rules of its documentation.
public enum Affinity: String {
    /// Integers, and other numbers where they have a fraction.
    case integer = "INTEGER"
    /// Texts, which numbers become too.
    case text = "TEXT"
    /// Values as they come.
    case blob = "BLOB"
    /// Numbers with a fraction.
    case real = "REAL"
    /// Numbers as they are, and other values as they come.
    case numeric = "NUMERIC"

    /// The affinity of a column.
    ///
    /// - Parameters:
    ///   - type: The declared type.
    ///   - isStrict: Whether it is that of a `STRICT` table, where `ANY` takes values as they come.
    public init(of type: String, isStrict: Bool = false) {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if isStrict, type == "ANY" {
            self = .blob
        } else if has("INT") {
            self = .integer
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .blob
        } else if has("REAL", "FLOA", "DOUB") {
            self = .real
        } else {
            self = .numeric
        }
    }
}
