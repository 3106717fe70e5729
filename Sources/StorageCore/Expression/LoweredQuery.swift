/// SQL text and the arguments of its `?`, in order.
package struct LoweredQuery: Sendable, Hashable {
    package var sql: String { commonTables.isEmpty ? body : "WITH \(commonTables) \(body)" }
    /// The statement behind its common tables.
    package private(set) var body: String
    /// The tables that stand before the statement, whose arguments are the first; empty for none.
    package private(set) var commonTables = ""
    package var arguments: [StoredValue] = []
    /// Whether it calls functions of ours, or sorts by a collation of ours.
    package var needsFunctions = false
    /// The full-text indexes that it reads.
    package var searches: [SearchedIndex] = []
    /// The columns whose JSON it looks into.
    package var jsonColumns: Set<String> = []
    /// The bytes of all SQL of the app's in it. Two texts of other bytes may be equal to Swift.
    package private(set) var appText: [UInt8] = []

    /// Whether it may run on the calling thread. FTS5 may search for long without a step of SQLite's machine, so that nothing
    /// would stop it, and SQL of the app's may ask it, or call a function of the app's.
    package var mayBeBrief: Bool { searches.isEmpty && appText.isEmpty }

    package init(sql: String) {
        body = sql
    }

    /// Writes text.
    package mutating func append(_ text: String) {
        body += text
    }

    /// Writes SQL of the app's.
    mutating func append(sqlOfApp text: String) {
        append(text)
        appText += text.utf8
    }

    /// Writes a value.
    mutating func append(_ argument: StoredValue) {
        body += "?"
        arguments.append(argument)
    }

    /// Makes a common table of all that was written, for the statement that follows.
    mutating func becomeCommonTable() {
        commonTables = body
        body = ""
    }

    /// Writes what was written elsewhere.
    mutating func append(_ other: LoweredQuery) {
        body += other.body
        arguments += other.arguments
        if other.needsFunctions { needsFunctions = true }
        searches += other.searches
        jsonColumns.formUnion(other.jsonColumns)
        appText += other.appText
    }
}
