/// The text that a file keeps of a table, seen column by column.
struct CreateTableSQL {
    private let bytes: [UInt8]
    /// The tokens of each column and each constraint of the table. What is in parentheses is left out: a check may say
    /// `NOT NULL` too.
    private let definitions: [[SQLToken]]
    /// What a `PRIMARY KEY` of the table has in its parentheses.
    private let key: [SQLToken]

    /// - Parameter sql: What `sqlite_master` has of the table.
    /// - Returns: Nil if it is not understood, as for a virtual table.
    init?(_ sql: String) {
        bytes = Array(sql.utf8)
        guard let whole = [SQLToken](of: bytes)?.tableDefinitions else { return nil }
        definitions = whole.map { tokens in zip(tokens, tokens.depths).filter { $1 == 0 }.map(\.0) }
        let key = zip(whole, definitions).first { $1.isKeyConstraint }?.0.drop { !$0.isKeyword("primary") } ?? []
        self.key = zip(key, Array(key).depths).filter { $1 > 0 }.map(\.0)
    }

    /// The tokens of a column, its name first.
    private func definition(of column: String) -> [SQLToken]? {
        definitions.first { definition in
            guard let first = definition.first, first.text.isSameName(as: column) else { return false }
            return !definition.isConstraint
        }
    }

    /// Whether a column is declared in exactly these words.
    func declares(_ column: ColumnSchema) -> Bool {
        guard let tokens = definition(of: column.name), let first = tokens.first, let last = tokens.last else {
            return false
        }
        let text = bytes[first.range.lowerBound..<last.range.upperBound]
        return text.elementsEqual(column.sql.utf8)
    }

    /// Whether SQLite gives numbers that were never given before.
    var hasAutoincrement: Bool { key.autoincrement != nil || definitions.contains { $0.autoincrement != nil } }

    /// The word for it, where that is said of a column.
    private func autoincrement(of column: String) -> Range<Int>? {
        definition(of: column)?.autoincrement
            ?? (key.first?.text.isSameName(as: column) == true ? key.autoincrement : nil)
    }
}

// MARK: - Changes

extension CreateTableSQL {
    /// The text with one clause changed; nil if the place for it is not found.
    func applying(_ change: ClauseChange) -> String? {
        switch change {
        case .type(let column, let new): replacingType(of: column.name, by: new.type)
        case .allowNull(let column), .allowNullOfUnknown(let column):
            definition(of: column.name).flatMap { cutting($0.notNullClauses) }
        case .refuseNull(let column): inserting(" NOT NULL", behindTypeOf: column.name)
        case .changeDefault(let column, let value): replacingDefault(of: column, by: value)
        case .addReference(let reference):
            definition(of: reference.column)?.last.map { inserting(" \(reference.sql)", at: $0.range.upperBound) }
        case .dropReference(let reference):
            definition(of: reference.column).flatMap { cutting($0.referenceClauses(to: reference.table)) }
        case .key(let columns, let givesIds): replacingKey(by: columns, givesIds: givesIds)
        }
    }

    private func replacingType(of column: String, by type: String) -> String? {
        guard let tokens = definition(of: column) else { return nil }
        let words = tokens.type
        guard let first = words.first, let last = words.last else { return inserting(" \(type)", behindTypeOf: column) }
        var text = bytes
        // Behind the type, so that it goes first. SQLite takes the word for integers only.
        if type.uppercased() != ColumnType.integer.rawValue { autoincrement(of: column).map { text.cut($0) } }
        text.replace(first.range.lowerBound..<last.range.upperBound, by: type)
        return String(decoding: text, as: UTF8.self)
    }

    private func replacingDefault(of column: String, by value: String) -> String? {
        definition(of: column).flatMap { CreateTableSQL(cutting($0.defaultClauses, orNone: true) ?? "") }?
            .inserting(" DEFAULT \(value)", behindTypeOf: column)
    }

    private func replacingKey(by columns: [String], givesIds: Bool) -> String? {
        var clauses = definitions.filter { !$0.isConstraint }.flatMap(\.keyClauses)
        for (index, definition) in definitions.enumerated() where definition.isKeyConstraint {
            // SQLite takes constraints without a comma between them.
            guard definition.filter({ $0.isSign("(") }).count == 1, let last = definition.last,
                let before = definitions[..<index].last?.last
            else { return nil }
            clauses.append(before.range.upperBound..<last.range.upperBound)
        }
        let text = CreateTableSQL(cutting(clauses, orNone: true) ?? "")
        let clause = TableSchema(name: "", columns: [], givesIds: givesIds).keyClause
        if columns.count == 1 { return text?.inserting(" \(clause)", behindTypeOf: columns[0]) }
        return text?.definitions.last?.last.flatMap { last in
            text?.inserting(", \(TableSchema.keyClause(of: columns))", at: last.range.upperBound)
        }
    }

    private func inserting(_ text: String, behindTypeOf column: String) -> String? {
        guard let tokens = definition(of: column) else { return nil }
        return (tokens.type.last ?? tokens.first).map { inserting(text, at: $0.range.upperBound) }
    }

    private func inserting(_ clause: String, at place: Int) -> String {
        var text = bytes
        text.replace(place..<place, by: clause)
        return String(decoding: text, as: UTF8.self)
    }

    private func cutting(_ clauses: [Range<Int>], orNone: Bool = false) -> String? {
        guard orNone || !clauses.isEmpty else { return nil }
        var text = bytes
        for clause in clauses.sorted(by: { $0.lowerBound > $1.lowerBound }) { text.cut(clause) }
        return String(decoding: text, as: UTF8.self)
    }
}

// MARK: - The clauses of a definition

extension [SQLToken] {
    /// Whether it is a constraint of the table. SQLite takes these words for names between quotes only.
    fileprivate var isConstraint: Bool {
        ["constraint", "primary", "unique", "check", "foreign"].contains { first?.isKeyword($0) == true }
    }

    fileprivate var isKeyConstraint: Bool { isConstraint && !keyClauses.isEmpty }

    /// The words of the type behind the name of a column.
    fileprivate var type: ArraySlice<SQLToken> { dropFirst().prefix { !$0.beginsClause } }

    /// `DEFAULT`, with its value of one token or more. In `ON DELETE SET DEFAULT` the word is none.
    fileprivate var defaultClauses: [Range<Int>] {
        indices.dropFirst().filter { self[$0].isKeyword("default") && $0 + 1 < count && !has($0 - 1, "set") }.map {
            place in
            clause(from: place, to: place + 1 + self[(place + 2)...].prefix { !$0.beginsClause }.count)
        }
    }

    /// `NOT NULL`, with what is to be done in a conflict.
    fileprivate var notNullClauses: [Range<Int>] {
        places(of: "not", "null").map { clause(from: $0, to: endOfConflict(behind: $0 + 1)) }
    }

    /// `PRIMARY KEY`, with all that belongs to it.
    fileprivate var keyClauses: [Range<Int>] {
        places(of: "primary", "key").map { place in
            var last = place + 1
            if has(last + 1, "asc", "desc") { last += 1 }
            last = endOfConflict(behind: last)
            if has(last + 1, "autoincrement") { last += 1 }
            return clause(from: place, to: last)
        }
    }

    /// `AUTOINCREMENT`.
    fileprivate var autoincrement: Range<Int>? { first { $0.isKeyword("autoincrement") }?.range }

    /// `REFERENCES parent`, with all that belongs to it.
    fileprivate func referenceClauses(to table: String) -> [Range<Int>] {
        indices.filter { self[$0].isKeyword("references") && $0 + 1 < count && self[$0 + 1].text.isSameName(as: table) }
            .map { clause(from: $0, to: endOfReference(behind: $0 + 1)) }
    }

    private func endOfReference(behind name: Int) -> Int {
        var last = name
        // What is in the parentheses is no token of the definition.
        if last + 2 < count, self[last + 1].isSign("("), self[last + 2].isSign(")") { last += 2 }
        while true {
            if has(last + 1, "on"), has(last + 2, "delete", "update") {
                last += has(last + 3, "set", "no") ? 4 : 3
            } else if has(last + 1, "match") {
                last += 2
            } else if has(last + 1, "not"), has(last + 2, "deferrable") {
                last += 2
            } else if has(last + 1, "deferrable") {
                last += 1
            } else if has(last + 1, "initially") {
                last += 2
            } else {
                return Swift.min(last, count - 1)
            }
        }
    }

    private func endOfConflict(behind last: Int) -> Int {
        has(last + 1, "on") && has(last + 2, "conflict") ? Swift.min(last + 3, count - 1) : last
    }

    private func has(_ place: Int, _ keywords: String...) -> Bool {
        place < count && keywords.contains { self[place].isKeyword($0) }
    }

    private func places(of first: String, _ second: String) -> [Int] {
        indices.dropLast().filter { self[$0].isKeyword(first) && self[$0 + 1].isKeyword(second) }
    }

    /// The clause with the name before it.
    private func clause(from first: Int, to last: Int) -> Range<Int> {
        let isNamed = first >= 2 && self[first - 2].isKeyword("constraint")
        return self[isNamed ? first - 2 : first].range.lowerBound..<self[last].range.upperBound
    }
}

extension [UInt8] {
    /// Puts words in a place, and a blank where the next word would be one with the last: SQLite takes `DECIMAL(10,2)NOT NULL` for two.
    fileprivate mutating func replace(_ place: Range<Int>, by words: String) {
        replaceSubrange(place, with: (hasSpace(at: place.upperBound) ? words : words + " ").utf8)
    }

    /// Takes a clause out, with the blanks before it. A line break stays, since it may end a comment.
    fileprivate mutating func cut(_ clause: Range<Int>) {
        var start = clause.lowerBound
        while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(self[start - 1]) { start -= 1 }
        replaceSubrange(start..<clause.upperBound, with: hasSpace(at: clause.upperBound) ? [] : [UInt8(ascii: " ")])
    }

    /// Whether a word ends there.
    private func hasSpace(at place: Int) -> Bool { place < count && " \t\r\n,)".utf8.contains(self[place]) }
}
