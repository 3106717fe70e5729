/// One read behind a stream, for all who observe the same.
public struct StreamRead: Sendable, Equatable {
    /// What of a value was read.
    public enum Scope: String, Sendable {
        /// All of it: for the first time, or since it is not known what a change concerns.
        case all
        /// The rows that a change may concern.
        case rows
        /// The groups that a change may concern.
        case groups
    }

    /// The table of the entity that is observed; nil for SQL and closures of the app.
    public var table: String?
    /// The SQL that reads all of it, with `?` for bound values; empty for what is not one statement, as with a closure of the app.
    public var sql: String
    /// What was read.
    public var scope: Scope
    /// How many rows, groups or entities were read; nil where nobody knows, as with a closure of the app.
    public var rowCount: Int?
    /// Whether another value came of it, which the stream then gave.
    public var isNew: Bool
    /// How long it took, the wait for a connection included.
    public var duration: Duration

    /// Creates a note of a read.
    ///
    /// - Parameters:
    ///   - table: The table of the entity that is observed.
    ///   - sql: The SQL that reads all of it.
    ///   - scope: What was read.
    ///   - rowCount: How many rows were read.
    ///   - isNew: Whether another value came of it.
    ///   - duration: How long it took.
    public init(table: String?, sql: String, scope: Scope, rowCount: Int?, isNew: Bool, duration: Duration) {
        self.table = table
        self.sql = sql
        self.scope = scope
        self.rowCount = rowCount
        self.isNew = isNew
        self.duration = duration
    }
}

extension StreamRead: CustomStringConvertible {
    /// One line: how much was read, why, how long that took, and the SQL.
    public var description: String {
        let amount = rowCount.map { "\($0) \($0 == 1 ? "row" : "rows")" } ?? "a value"
        let reason =
            switch scope {
            case .all: "all of it"
            case .rows: "the changed rows"
            case .groups: "the changed groups"
            }
        let subject = sql.isEmpty ? table.map { "of \($0)" } ?? "a closure" : sql
        let microseconds = Int((duration / .microseconds(1)).rounded())
        return "stream read \(amount) (\(reason)\(isNew ? "" : ", nothing new")) in \(microseconds) µs: \(subject)"
            .onOneLine
    }
}
