import StorageKit

/// What SQLite tells of a table in the table's text alone.
struct TableText {
    /// Whether SQLite gives numbers that were never given before.
    let hasAutoincrement: Bool
    /// The checks, be they written behind a column or by themselves.
    private(set) var checks: [String] = []
    /// How columns compare texts, by their names. `BINARY` is left out, which goes without saying.
    private(set) var collations: [SQLName: String] = [:]
    /// What computed columns are made of, by their names.
    private(set) var expressions: [SQLName: String] = [:]
    /// The columns, in small letters, of each reference that is checked when a transaction ends.
    private(set) var deferredReferences: Set<[String]> = []

    /// - Parameter sql: What `sqlite_master` has of the table.
    init(_ sql: String) {
        let bytes = Array(sql.utf8)
        let tokens = [SQLToken](of: bytes) ?? []
        hasAutoincrement = tokens.contains { $0.isKeyword("autoincrement") }
        for definition in tokens.tableDefinitions ?? [] {
            for clause in definition.clauses { add(clause, of: SQLName(definition[0].text), bytes) }
            if let columns = definition.deferredColumns { deferredReferences.insert(columns) }
        }
    }

    private mutating func add(_ clause: [SQLToken], of column: SQLName, _ bytes: [UInt8]) {
        let words = clause.dropFirst()
        if clause[0].isKeyword("check") {
            checks.append("CHECK " + words.sql(in: bytes))
        } else if clause[0].isKeyword("collate") {
            let collation = words.first?.text.uppercased()
            collations[column] = collation == "BINARY" ? nil : collation.map { "COLLATE \($0)" }
        } else if clause[0].isKeyword("as") {
            // A column is virtual unless it is said to be stored.
            let isVirtual = words.last?.isKeyword("virtual") == true
            expressions[column] = "AS " + (isVirtual ? words.dropLast() : words).sql(in: bytes)
        }
    }
}

extension [SQLToken] {
    /// The parts of a definition, each but a column's name and type with the word first that says what it is.
    fileprivate var clauses: [[SQLToken]] {
        var clauses: [[SQLToken]] = [[]]
        for (token, depth) in zip(self, depths) {
            if depth == 0, token.beginsClause { clauses.append([]) }
            clauses[clauses.count - 1].append(token)
        }
        return clauses.filter { !$0.isEmpty }
    }

    /// The columns of a reference that is `DEFERRABLE INITIALLY DEFERRED`; nil for every other definition. SQLite checks all other
    /// references at once, whatever is written there.
    fileprivate var deferredColumns: [String]? {
        guard let place = firstIndex(where: { $0.isKeyword("deferrable") }), place > 0,
            !self[place - 1].isKeyword("not"), place + 2 < count, self[place + 2].isKeyword("deferred")
        else { return nil }
        guard let key = firstIndex(where: { $0.isKeyword("foreign") }) else { return [self[0].text.asciiLowercased] }
        return self[key...].drop { !$0.isSign("(") }.dropFirst().prefix { !$0.isSign(")") }
            .filter { !$0.isSign(",") }.map(\.text.asciiLowercased)
    }
}
