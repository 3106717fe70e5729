/// The text that a file keeps of a table, seen column by column.
struct CreateTableSQL {
    private let bytes: [UInt8]
    /// The tokens of each column and each constraint of the table. What is in parentheses is left out: a check may say
    /// `NOT NULL` too.
    private let definitions: [[SQLToken]]

    /// - Parameter sql: What `sqlite_master` has of the table.
    /// - Returns: Nil if it is not understood, as for a virtual table.
    init?(_ sql: String) {
        bytes = Array(sql.utf8)
        guard let tokens = [SQLToken](of: bytes), let definitions = CreateTableSQL.definitions(in: tokens) else {
            return nil
        }
        self.definitions = definitions
    }

    /// SQLite keeps `CREATE TABLE` in this one form, whatever was written.
    private static func definitions(in tokens: [SQLToken]) -> [[SQLToken]]? {
        guard tokens.count > 3, tokens[0].isKeyword("create"), tokens[1].isKeyword("table"), tokens[3].isSign("(")
        else { return nil }
        var definitions: [[SQLToken]] = [[]]
        var depth = 1
        for token in tokens.dropFirst(4) {
            if token.isSign(")") { depth -= 1 }
            if depth == 0 { return definitions }
            if depth == 1, token.isSign(",") {
                definitions.append([])
            } else if depth == 1 {
                definitions[definitions.count - 1].append(token)
            }
            if token.isSign("(") { depth += 1 }
        }
        return nil
    }

    /// The tokens of a column, its name first.
    private func definition(of column: String) -> [SQLToken]? {
        definitions.first { definition in
            guard let first = definition.first, first.text.asciiLowercased == column.asciiLowercased else {
                return false
            }
            return !CreateTableSQL.beginningsOfConstraints.contains { first.isKeyword($0) }
        }
    }

    /// SQLite takes these words for names between quotes only.
    private static let beginningsOfConstraints = ["constraint", "primary", "unique", "check", "foreign"]

    /// Whether a column is declared in exactly these words.
    func declares(_ column: ColumnSchema) -> Bool {
        guard let tokens = definition(of: column.name), let first = tokens.first, let last = tokens.last else {
            return false
        }
        let text = bytes[first.range.lowerBound..<last.range.upperBound]
        return text.elementsEqual(column.sql.utf8)
    }

    /// The text without what makes a column refuse NULL; nil if that is not found.
    func allowingNull(in column: String) -> String? {
        guard let tokens = definition(of: column) else { return nil }
        var text = bytes
        let clauses = CreateTableSQL.notNullClauses(in: tokens)
        for clause in clauses.reversed() { text.cut(clause) }
        return clauses.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// `NOT NULL`, with the name before it and what is to be done in a conflict behind it.
    private static func notNullClauses(in tokens: [SQLToken]) -> [Range<Int>] {
        tokens.indices.dropLast().filter { tokens[$0].isKeyword("not") && tokens[$0 + 1].isKeyword("null") }.map {
            not in
            var (first, last) = (not, not + 1)
            if not >= 2, tokens[not - 2].isKeyword("constraint") { first = not - 2 }
            if last + 3 < tokens.count, tokens[last + 1].isKeyword("on"), tokens[last + 2].isKeyword("conflict") {
                last += 3
            }
            return tokens[first].range.lowerBound..<tokens[last].range.upperBound
        }
    }
}

extension [UInt8] {
    /// Takes a clause out, with the blanks before it. A line break stays, since it may end a comment.
    fileprivate mutating func cut(_ clause: Range<Int>) {
        var start = clause.lowerBound
        while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(self[start - 1]) { start -= 1 }
        let isFollowedBySpace = clause.upperBound < count && " \t\r\n,)".utf8.contains(self[clause.upperBound])
        replaceSubrange(start..<clause.upperBound, with: isFollowedBySpace ? [] : [UInt8(ascii: " ")])
    }
}
