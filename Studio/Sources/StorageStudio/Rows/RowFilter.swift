import StorageSQLite
import StudioSQLite

/// A condition on a column, as people type it.
///
/// `ada` finds texts that contain it, and `12` the number in a column of numbers, texts with it too where the column
/// takes all values; `=`, `!=`, `<`, `<=`, `>` and `>=` compare; `10..20` is a range with both ends; `2024`, `2024-05`
/// or `2024-05-31` in a column of dates is all of that year, month or day; `null` and `!null` ask for values that are
/// missing or there; `"null"` is the text.
struct RowFilter: Decodable, Sendable {
    let column: String
    /// What was typed.
    var text: String?
    /// Exactly that value, as a link to a row asks for it.
    var value: CellJSON?
    /// Whether the column has to equal ``value``. Said on its own, since JSON's null and a missing ``value`` decode alike.
    var isExact: Bool?

    /// The condition as SQL, with what is bound to it.
    ///
    /// - Throws: ``StudioError`` if the table has no such column, or the text is too long to be looked for.
    func sql(_ table: Table) throws -> (sql: String, values: [Cell])? {
        let column = try table.knownColumn(column)
        let name = column.name.quotedName
        if isExact == true { return ("\(name) IS ?", [value?.cell ?? .null]) }
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        if text.folded == "null" { return ("\(name) IS NULL", []) }
        if text.folded == "!null" { return ("\(name) IS NOT NULL", []) }
        let value = column.comparedName
        for sign in ["!=", "<=", ">=", "=", "<", ">"] where text.hasPrefix(sign) {
            let operand = RowFilter.operand(String(text.dropFirst(sign.count)).trimmed, column)
            switch sign {
            case "=": return ("\(value) BETWEEN ? AND ?", [operand.low, operand.high])
            case "!=": return ("(\(value) BETWEEN ? AND ?) IS NOT 1", [operand.low, operand.high])
            case "<", ">=": return ("\(value) \(sign) ?", [operand.low])
            default: return ("\(value) \(sign) ?", [operand.high])
            }
        }
        if let (low, high) = RowFilter.range(text) {
            let ends = [RowFilter.operand(low, column).low, RowFilter.operand(high, column).high]
            return ("\(value) BETWEEN ? AND ?", ends)
        }
        let number = column.isForDates ? nil : RowFilter.number(text, column)
        if let number, [.integer, .real].contains(Affinity(of: column.type)) { return ("\(name) = ?", [number]) }
        let needle = RowFilter.unquoted(text) ?? text
        let pattern = "%" + RowFilter.escaped(needle) + "%"
        guard pattern.utf8.count <= Int(STUDIO_LONGEST_PATTERN) else {
            throw StudioError(
                .invalid,
                """
                the filter of '\(column.name)' is too long: what a text contains is found by \
                \(STUDIO_LONGEST_PATTERN - 2) bytes at the most, where %, _ and \\ count twice; =text finds a whole \
                text of any length
                """)
        }
        let isPart = #"\#(name) LIKE ? ESCAPE '\'"#
        guard let number else { return (isPart, [.text(pattern)]) }
        // The column keeps numbers and texts as they come, and 24 is no part of the number 2024. Texts stand between '' and x'',
        // where an index finds them.
        return ("(\(name) = ? OR \(name) >= '' AND \(name) < x'' AND \(isPart))", [number, .text(pattern)])
    }

    /// The least and the greatest value that is meant: of part of a date all that begins so, of anything else the value itself.
    private static func operand(_ text: String, _ column: Table.Column) -> (low: Cell, high: Cell) {
        if column.isForDates, text.wholeMatch(of: /[0-9]{4}(-[0-9]{2}){0,2}/) != nil {
            // A year alone would be a number to SQLite.
            return (.text(text.utf8.count == 4 ? text + "-" : text), .text(text + "~"))
        }
        let value = unquoted(text).map { .text($0) } ?? number(text, column) ?? .text(text)
        return (value, value)
    }

    /// The number that a text is, where the column may have numbers.
    private static func number(_ text: String, _ column: Table.Column) -> Cell? {
        Affinity(of: column.type) == .text ? nil : NumberText.number(text.utf8)
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

extension Table.Column {
    /// The column where it is compared or sorted: the text of a decimal as the number that it is.
    var comparedName: String {
        name.quotedName + (isForDecimals ? " COLLATE storagekit_decimal" : "")
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
