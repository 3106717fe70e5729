import StorageSQLite

/// Whether the rows of a table fit what would become of it. SQLite takes them all the same; a start asks.
struct RowCheck {
    /// What makes ready for the question.
    private var before: [String] = []
    /// The question for the number of rows that do not fit.
    private let count: String
    private var after: [String] = []
    /// What is said if there are some.
    private let problem: String
    private let rest: String

    /// What is wrong; nil if nothing is.
    func problem(on connection: Connection) throws -> String? {
        for sql in before { try connection.run(sql) }
        let rows = try connection.integer(count)
        for sql in after { try connection.run(sql) }
        return rows == 0 ? nil : "\(problem): \(Amount.of(rows, "row")) \(rows == 1 ? "has" : "have") \(rest)"
    }

    /// Whether each row has one that it would refer to.
    ///
    /// - Parameters:
    ///   - reference: The new reference.
    ///   - table: The table, as the file has it.
    ///   - parent: What it would refer to; nil where the file has no such table yet, and so no such row.
    init(_ reference: PlannedReference, of table: Table, to parent: Table?) {
        var conditions = reference.columns.map { "child.\($0.quotedName) IS NOT NULL" }
        if let parent {
            let pairs = zip(reference.parentColumns, reference.columns)
            let isSame = pairs.map { "parent.\($0.quotedName) = child.\($1.quotedName)" }.joined(separator: " AND ")
            conditions.append("NOT EXISTS (SELECT 1 FROM main.\(parent.name.quotedName) AS parent WHERE \(isSame))")
        }
        let filter = conditions.joined(separator: " AND ")
        count = "SELECT COUNT(*) FROM main.\(table.name.quotedName) AS child WHERE \(filter)"
        problem = "\(reference.columns.map { "'\($0)'" }.joined(separator: ", ")) cannot refer to '\(reference.parent)'"
        rest = "no row there to refer to"
    }

    /// Whether each value is one of the new type, and would be the same again under the old one.
    ///
    /// - Parameters:
    ///   - column: The column, as the file has it.
    ///   - table: Its table.
    ///   - wanted: The column as it would be.
    init(_ column: Table.Column, of table: Table, as wanted: Table.Column) {
        let (name, trial) = (column.name.quotedName, "temp.storagekit_trial")
        let (old, new) = (Affinity(of: column.type, isStrict: table.isStrict), Affinity(of: wanted.type))
        before = [
            "CREATE TABLE \(trial) (was, now \(new.columnType), again \(old.columnType))",
            """
            INSERT INTO \(trial) (was, now) SELECT \(name), \(name) FROM main.\(table.name.quotedName) \
            WHERE \(name) IS NOT NULL
            """,
            "UPDATE \(trial) SET again = now",
        ]
        let isKept = "typeof(now) = typeof(was) OR (again IS was AND typeof(again) = typeof(was))"
        count = "SELECT COUNT(*) FROM \(trial) WHERE NOT (\(isKept)) OR NOT (\(wanted.isValue("now", new)))"
        after = ["DROP TABLE \(trial)"]
        problem = "'\(column.name)' cannot become \(wanted.type)"
        rest = "a value that is none, or that would change"
    }
}

extension Table.Column {
    /// The condition that a value can be read as one of the column. Of bytes the app alone knows what they may be.
    fileprivate func isValue(_ value: String, _ affinity: Affinity) -> String {
        func isOf(_ kinds: String...) -> String {
            // Keys that are kept as bytes a start leaves alone.
            let kinds = keyPosition > 0 ? kinds + ["blob"] : kinds
            return "typeof(\(value)) IN (\(kinds.map(\.quotedText).joined(separator: ", ")))"
        }
        switch (type.uppercased(), affinity) {
        case ("BOOLEAN", _): return isOf("integer") + " AND \(value) IN (0, 1)"
        case ("DATETIME", _):
            let start = "substr(\(value), 1, 19)"
            let isTime = "(typeof(\(value)) = 'blob' OR \(start) IS strftime('%Y-%m-%d %H:%M:%S', \(start), '+0 days'))"
            return isOf("text") + " AND " + isTime
        case (_, .text): return isOf("text")
        // Numbers that are too large for an integer of SQLite are kept as bytes.
        case ("UNSIGNED BIG INT", _): return isOf("integer", "blob")
        case (_, .integer): return isOf("integer")
        case (_, .real): return isOf("real")
        case (_, .blob), (_, .numeric): return "1"
        }
    }
}

extension Affinity {
    /// A type that has it.
    fileprivate var columnType: String { self == .blob ? "" : rawValue }
}
