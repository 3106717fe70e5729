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
        sql.count { Self.begins(Self.main($0), with: ["INSERT", "REPLACE", "UPDATE", "DELETE"]) }
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

    private static func isRead(_ sql: String) -> Bool { begins(main(sql), with: ["SELECT", "VALUES"]) }

    private static func isBookkeeping(_ sql: String) -> Bool {
        isOfAnother(sql)
            || begins(sql[...], with: ["PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "EXPLAIN"])
            || sql.contains("sqlite_master") || sql.contains("sqlite_schema") || sql.contains("pragma_")
    }

    /// Whether it runs within another statement: SQLite tells those of virtual tables line by line as comments, and of those of
    /// triggers the first line. A query may begin with a comment too, in other words.
    private static func isOfAnother(_ sql: String) -> Bool {
        let words = ["TRIGGER", "SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"]
        return behindComments(sql[...]).isEmpty || sql.hasPrefix("-- ") && begins(sql.dropFirst(3), with: words)
    }

    private static func behindComments(_ sql: Substring) -> Substring {
        var rest = sql.drop(while: \.isWhitespace)
        while true {
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*"), let end = rest.firstRange(of: "*/") {
                rest = rest[end.upperBound...]
            } else {
                return rest
            }
            rest = rest.drop(while: \.isWhitespace)
        }
    }

    /// What follows the tables of `WITH`; the statement itself where it has none. It is the first word after parentheses
    /// that is not `AS`.
    private static func main(_ sql: String) -> Substring {
        guard begins(sql[...], with: ["WITH"]) else { return sql[...] }
        var depth = 0
        var quote: Character?
        var isAfterParentheses = false
        for (index, character) in zip(sql.indices, sql) {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "'", "\"", "`": quote = character
            case "[": quote = "]"
            case "(": depth += 1
            case ")":
                depth -= 1
                isAfterParentheses = depth == 0
            case _ where isAfterParentheses && character.isLetter:
                let rest = sql[index...]
                if rest.prefix(while: \.isLetter).uppercased() != "AS" { return rest }
                isAfterParentheses = false
            case ",": isAfterParentheses = false
            default: break
            }
        }
        return ""
    }

    private static func begins(_ sql: Substring, with words: [String]) -> Bool {
        let start = behindComments(sql).prefix(10).uppercased()
        return words.contains { start.hasPrefix($0) }
    }
}

extension StatementList: CustomStringConvertible {
    /// Each statement once, with how often it ran, the most frequent first.
    public var description: String {
        frequencies.map { "\($0.count) x \($0.sql)" }.joined(separator: "\n")
    }
}
