/// How SQLite keeps the values of a column, by the rules of its documentation.
package enum Affinity: String {
    case integer = "INTEGER"
    case text = "TEXT"
    case blob = "BLOB"
    case real = "REAL"
    case numeric = "NUMERIC"

    /// - Parameter type: The declared type.
    package init(of type: String) {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("INT") {
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
