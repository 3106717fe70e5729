import StorageSQLite

/// SQL that somebody typed.
struct SQLQuestion: Decodable, Sendable {
    let sql: String
    /// How many rows the user has seen it change; nothing for the first time, when it changes nothing for good.
    var expectedChanges: Int?

    static let mostRows = 1000

    /// Its rows, its plan and its time.
    func answer(_ connection: Connection) throws -> SQLAnswer {
        let statement = try prepared(connection)
        guard statement.handle.isReadOnly else {
            throw StudioError(.refused, "only statements that read are allowed here")
        }
        // An EXPLAIN is its own plan.
        let plan = statement.handle.isExplanation ? [] : try SQLPlan.steps(sql, connection)
        var answer = SQLAnswer(columns: statement.handle.columnNames, plan: plan)
        let longest = CellJSON.longest(in: SQLQuestion.mostRows * answer.columns.count)
        let clock = ContinuousClock()
        let start = clock.now
        while try statement.handle.step() {
            guard answer.rows.count < SQLQuestion.mostRows else {
                answer.isCut = true
                break
            }
            answer.rows.append(statement.handle.beginnings(longest: longest))
        }
        answer.milliseconds = (clock.now - start) / .milliseconds(1)
        return answer
    }

    /// Runs it where it may write.
    ///
    /// - Returns: What it changed, and whether that is to be kept: only if it is as much as the user has confirmed.
    func change(_ connection: Connection) throws -> (result: SQLChange, isKept: Bool) {
        let statement = try prepared(connection)
        guard !statement.handle.isReadOnly else { throw StudioError(.invalid, "the statement changes nothing") }
        let before = connection.totalChangeCount
        while try statement.handle.step() {}
        let changes = connection.totalChangeCount - before
        let isKept = expectedChanges == changes
        return (SQLChange(changes: changes, ownChanges: connection.changeCount, isKept: isKept), isKept)
    }

    private func prepared(_ connection: Connection) throws -> Statement {
        let statement = try connection.prepare(sql)
        guard statement.handle.parameterCount == 0 else {
            throw StudioError(.invalid, "parameters have no values here: write the values themselves")
        }
        return statement
    }
}

/// What a statement found.
struct SQLAnswer: Encodable, Sendable {
    var columns: [String] = []
    var rows: [[CellJSON]] = []
    /// Whether there are more rows than are shown.
    var isCut = false
    var milliseconds = 0.0
    var plan: [SQLPlan.Step] = []
    /// Whether it would write, and has not run.
    var writes = false
}

/// What a statement changed.
struct SQLChange: Encodable, Sendable {
    /// How many rows, with all that its triggers did: those of the tables behind a search index too.
    let changes: Int
    /// How many of them it changed itself.
    let ownChanges: Int
    let isKept: Bool
}

/// What SQLite does for a statement.
enum SQLPlan {
    struct Step: Encodable, Sendable {
        let id: Int
        /// The step that it is a part of; 0 for none.
        let parent: Int
        let text: String
        /// Whether it reads a whole table.
        let isFullScan: Bool
    }

    static func steps(_ sql: String, _ connection: Connection) throws -> [Step] {
        // Semicolons in front of a statement cannot be explained.
        let blanks = /(?:[ \t\n\f\r;]|--[^\n]*|\/\*(?s:.*?)(?:\*\/|\z))+/.matchingSemantics(.unicodeScalar)
        let statement = sql[(sql.prefixMatch(of: blanks)?.range.upperBound ?? sql.startIndex)...]
        // A pragma has none, and does some of its work to say so.
        guard String(statement.prefix(6)).folded != "pragma" else { return [] }
        return try connection.rows("EXPLAIN QUERY PLAN " + statement).map { row in
            let text = row[3].text ?? ""
            return Step(
                id: Int(row[0].integer ?? 0), parent: Int(row[1].integer ?? 0), text: text, isFullScan: isFullScan(text)
            )
        }
    }

    private static func isFullScan(_ text: String) -> Bool {
        text.hasPrefix("SCAN ") && !text.contains(" USING ") && !text.contains("CONSTANT ROW")
            && !text.contains("VIRTUAL TABLE")
    }
}
