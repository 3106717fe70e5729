/// A condition on a column, as people type it.
///
/// `ada` finds texts that contain it, and `12` the number in a column of numbers; `=`, `!=`, `<`, `<=`, `>` and `>=` compare; `10..20` is
/// a range with both ends; `null` and `!null` ask for values that are missing or there; `"null"` is the text.
struct RowFilter: Decodable, Sendable {
    let column: String
    /// What was typed.
    var text: String?
    /// Exactly that value, as a link to a row asks for it.
    var value: CellJSON?
    /// Whether ``value`` is meant; a value of NULL cannot be told from none.
    var isExact: Bool?

    /// The condition as SQL, with what is bound to it.
    ///
    /// - Throws: ``StudioError`` if the table has no such column.
    func sql(_ table: Table) throws -> (sql: String, values: [Cell])? {
        guard let column = table.column(column) else {
            throw StudioError(.notFound, "there is no column '\(column)' in '\(table.name)'")
        }
        let name = column.name.quotedName
        if isExact == true { return ("\(name) IS ?", [value?.cell ?? .null]) }
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        if text.folded == "null" { return ("\(name) IS NULL", []) }
        if text.folded == "!null" { return ("\(name) IS NOT NULL", []) }
        for sign in ["!=", "<=", ">=", "=", "<", ">"] where text.hasPrefix(sign) {
            let operand = String(text.dropFirst(sign.count)).trimmed
            let sql = sign == "!=" ? "\(name) IS NOT ?" : "\(name) \(sign) ?"
            return (sql, [RowFilter.operand(operand, column)])
        }
        if let (low, high) = RowFilter.range(text) {
            return ("\(name) BETWEEN ? AND ?", [RowFilter.operand(low, column), RowFilter.operand(high, column)])
        }
        if let number = RowFilter.number(text, column) { return ("\(name) = ?", [number]) }
        let needle = RowFilter.unquoted(text) ?? text
        return (#"\#(name) LIKE ? ESCAPE '\'"#, [.text("%" + RowFilter.escaped(needle) + "%")])
    }

    private static func operand(_ text: String, _ column: Table.Column) -> Cell {
        if let text = unquoted(text) { return .text(text) }
        return number(text, column) ?? .text(text)
    }

    /// The number that a text is, where the column may have numbers.
    private static func number(_ text: String, _ column: Table.Column) -> Cell? {
        Affinity(column.type) == .text ? nil : NumberText.number(text.utf8)
    }

    /// `a..b`, where neither end is empty or a dot.
    private static func range(_ text: String) -> (String, String)? {
        guard let match = text.wholeMatch(of: /(.*?[^.\s])\s*\.\.\s*([^.].*)/) else { return nil }
        return (String(match.1), String(match.2))
    }

    private static func unquoted(_ text: String) -> String? {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") else {
            return nil
        }
        return String(text.unicodeScalars.dropFirst().dropLast())
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if ["%", "_", "\\"].contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
