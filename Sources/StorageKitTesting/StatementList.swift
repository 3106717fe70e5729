import StorageGRDB

/// Statements in the order they began. Transactions, pragmas, statements of triggers and looks at the schema are left out:
/// they cost next to nothing or follow from the others.
public struct StatementList: Sendable {
    /// The SQL of each, with `?` for bound values.
    public var sql: [String] { noted.map(\.sql) }
    private let noted: [NotedStatement]

    init(_ all: [NotedStatement]) {
        noted = all.filter { !Self.isBookkeeping($0.sql) }
    }

    /// How many there are.
    public var count: Int { sql.count }
    /// How many only read.
    public var reads: Int { sql.count(where: Self.isRead) }
    /// How many insert, update or delete.
    public var writes: Int {
        sql.count { ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains(Self.verb($0)) }
    }

    /// How often each statement ran, the most frequent first.
    public var frequencies: [(sql: String, count: Int)] {
        var counts: [String: Int] = [:]
        for statement in sql { counts[statement, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// With how many different values each statement ran, the most frequent first. The writes of one transaction count once: they are a
    /// batch.
    var distinctRuns: [(sql: String, count: Int)] {
        var values: [String: Set<Int>] = [:]
        for statement in noted {
            let batch = Self.isRead(statement.sql) ? nil : statement.transaction
            values[statement.sql, default: []].insert(batch ?? statement.values)
        }
        return values.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value.count) }
    }

    /// The statements that ran at least so often: candidates for one statement in their place.
    ///
    /// - Parameter times: How often is too often.
    public func repeated(atLeast times: Int) -> [String] {
        frequencies.filter { $0.count >= times }.map(\.sql)
    }

    private static func isRead(_ sql: String) -> Bool { ["SELECT", "VALUES"].contains(verb(sql)) }

    private static func isBookkeeping(_ sql: String) -> Bool {
        ["PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "EXPLAIN"].contains(verb(sql))
            || isRead(sql) && looksAtSchema(sql)
    }

    /// Whether SQLite's own tables of the schema, or its pragmas, are among its names. What a text says does not count, nor does a table
    /// of the app's whose name begins like one of them.
    private static func looksAtSchema(_ sql: String) -> Bool {
        let bytes = Array(sql.utf8)
        return ([SQLToken](of: bytes) ?? []).contains {
            !$0.isText(in: bytes) && schemaTables.contains($0.text.asciiLowercased)
        }
    }

    /// The tables of the schema, and those by which pragmas are asked.
    private static let schemaTables: Set<String> = {
        let pragmas = try? DatabaseQueue().read {
            try String.fetchSet($0, sql: "SELECT 'pragma_' || name FROM pragma_pragma_list")
        }
        let schema: Set = ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]
        return schema.union(pragmas ?? [])
    }()

    /// The word that says what a statement does, in capitals. Behind the tables of `WITH` it is the first word after parentheses that is
    /// not `AS`.
    private static func verb(_ sql: String) -> String {
        let tokens = [SQLToken](of: Array(sql.utf8)) ?? []
        guard let first = tokens.first, first.isKeyword("with") else { return tokens.first?.text.uppercased() ?? "" }
        for ((token, depth), next) in zip(zip(tokens, tokens.depths), tokens.dropFirst())
        where depth == 0 && token.isSign(")") && next.kind == .word && !next.isKeyword("as") {
            return next.text.uppercased()
        }
        return ""
    }
}

extension StatementList: CustomStringConvertible {
    /// Each statement once, with how often it ran, the most frequent first.
    public var description: String {
        frequencies.map { "\($0.count) x \($0.sql)" }.joined(separator: "\n")
    }
}
