extension StoredValue {
    /// The value as a DEFAULT has it; nil for NULL, which a column has without a DEFAULT too.
    package var defaultLiteral: String? {
        switch self {
        case .null: return nil
        case .text(let text) where text.utf8.contains(0):
            let parts = text.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false)
            return "(\(parts.map { String($0).quotedLiteral }.joined(separator: " || char(0) || ")))"
        default: return try? literal
        }
    }

    /// The value as SQL writes it, for places that take no arguments.
    ///
    /// - Throws: `StorageError.queryFailed` for a text with a NUL, where SQLite would end the statement.
    package var literal: String {
        get throws {
            switch self {
            case .null: return "NULL"
            case .integer(let number): return "\(number)"
            // Beyond the range of SQLite's numbers, so that it reads infinity.
            case .real(let number) where number.isInfinite: return number < 0 ? "-9e999" : "9e999"
            case .real(let number): return "\(number)"
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw StorageError.invalidQuery("a text with a NUL cannot stand in the SQL of a schema")
                }
                return text.quotedLiteral
            case .blob(let data):
                return "x'" + data.map(\.hexDigits).joined() + "'"
            }
        }
    }
}
