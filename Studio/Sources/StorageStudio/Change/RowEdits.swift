import StorageSQLite

/// Rows to be written together: all of them, or none.
struct RowEdits: Decodable, Sendable {
    struct Edit: Decodable, Sendable {
        enum Kind: String, Decodable { case update, insert, delete }

        let kind: Kind
        let table: String
        /// What the row is known by; nothing for one that is new.
        var key: [CellJSON]?
        /// What was shown in the columns that change; of a row that is deleted, in all that were shown as a whole.
        var old: [String: CellJSON]?
        /// The new values; a column that is not named gets its default.
        var new: [String: CellJSON]?
    }

    struct Outcome: Encodable, Sendable {
        /// Whether all was written.
        var isDone: Bool
        var changes: Int
        /// The edit that could not be made, from 0.
        var edit: Int?
        /// Why.
        var message: String?
        /// Whether the row is another now than the one that was shown, or gone.
        var isConflict: Bool?
        /// The row as it is now; nothing if it is gone.
        var current: [String: CellJSON]?
    }

    static let mostEdits = 1000

    let edits: [Edit]

    /// Makes the edits. The transaction is to be kept if they all were made.
    func apply(_ connection: Connection, _ schema: StudioSchema) throws -> Outcome {
        guard !edits.isEmpty, edits.count <= RowEdits.mostEdits else {
            throw StudioError(.invalid, "between one and \(RowEdits.mostEdits) rows are written together")
        }
        for (index, edit) in edits.enumerated() {
            do {
                let table = try RowEdits.editable(edit.table, schema)
                let write = try EditSQL(edit, table)
                _ = try connection.rows(write.sql, write.values)
                let count = connection.changeCount
                guard count != 1 else { continue }
                guard count == 0 else {
                    return Outcome(
                        isDone: false, changes: 0, edit: index,
                        message: "\(count) rows have the key of this one, and cannot be told apart")
                }
                if try write.isRowThere(connection) {
                    return Outcome(
                        isDone: false, changes: 0, edit: index,
                        message: "the table ignores this row: a constraint or a trigger of its says so")
                }
                return Outcome(
                    isDone: false, changes: 0, edit: index,
                    message: "the row is another now than the one that was shown",
                    isConflict: true, current: try RowEdits.current(edit, table, connection))
            } catch let failure as SQLiteFailure
                where failure.kind == .constraint || failure.kind == .error || failure.kind == .mismatch
            {
                return Outcome(isDone: false, changes: 0, edit: index, message: failure.message)
            } catch let error as StudioError where [.invalid, .notFound].contains(error.kind) {
                return Outcome(isDone: false, changes: 0, edit: index, message: error.message)
            }
        }
        return Outcome(isDone: true, changes: edits.count)
    }

    private static func editable(_ name: String, _ schema: StudioSchema) throws -> Table {
        let table = try schema.table(name)
        guard table.identity != nil else {
            throw StudioError(.invalid, "'\(table.name)' cannot be edited: it is a view, or its rows have no key")
        }
        guard schema.parts.isOfTheApp(table) else {
            throw StudioError(.invalid, "'\(table.name)' is StorageKit's own, and is not edited by hand")
        }
        if let name = table.sharedColumnName {
            throw StudioError(
                .invalid,
                "'\(table.name)' cannot be edited: two of its columns are called '\(name)', with other accents")
        }
        return table
    }

    private static func current(_ edit: Edit, _ table: Table, _ connection: Connection) throws -> [String: CellJSON]? {
        let condition = try RowCondition(edit.key ?? [], table)
        let statement = try connection.prepare("SELECT * FROM \(table.source) WHERE \(condition.sql)")
        try statement.bind(condition.values)
        guard try statement.handle.step() else { return nil }
        return Dictionary(zip(statement.handle.columnNames, statement.handle.beginnings())) { first, _ in first }
    }
}

/// An edit as a statement.
private struct EditSQL {
    let sql: String
    let values: [Cell]
    /// Finds the row as it was shown; nil for one that is new.
    private var look: (sql: String, values: [Cell])?

    /// Whether what is to be changed is as it was shown, as what is new always is.
    func isRowThere(_ connection: Connection) throws -> Bool {
        try look.map { try !connection.rows($0.sql, $0.values).isEmpty } ?? true
    }

    init(_ edit: RowEdits.Edit, _ table: Table) throws {
        let name = table.source
        let new = try EditSQL.columns(edit.new, table).map { column, cell in
            (name: column.name.quotedName, cell: try EditSQL.fitting(cell, column, table))
        }
        switch edit.kind {
        case .insert:
            guard !new.isEmpty else {
                (sql, values) = ("INSERT INTO \(name) DEFAULT VALUES", [])
                return
            }
            let names = new.map(\.name).joined(separator: ", ")
            sql = "INSERT INTO \(name) (\(names)) VALUES (\(new.map { _ in "?" }.joined(separator: ", ")))"
            values = new.map(\.cell)
        case .update:
            guard !new.isEmpty else { throw StudioError(.invalid, "nothing was changed") }
            let shown = try EditSQL.shown(edit, table)
            guard Set(shown.names) == Set(new.map(\.name)) else {
                throw StudioError(.invalid, "what was shown is missing for a column that changes")
            }
            sql = "UPDATE \(name) SET \(new.map { "\($0.name) = ?" }.joined(separator: ", ")) WHERE \(shown.sql)"
            values = new.map(\.cell) + shown.values
            look = ("SELECT 1 FROM \(name) WHERE \(shown.sql)", shown.values)
        case .delete:
            let shown = try EditSQL.shown(edit, table)
            sql = "DELETE FROM \(name) WHERE \(shown.sql)"
            values = shown.values
            look = ("SELECT 1 FROM \(name) WHERE \(shown.sql)", shown.values)
        }
    }

    /// The row as it was shown: its key and the values compared.
    private static func shown(
        _ edit: RowEdits.Edit, _ table: Table
    ) throws -> (sql: String, values: [Cell], names: [String]) {
        let key = try RowCondition(edit.key ?? [], table)
        let old = try columns(edit.old, table)
        let conditions = [key.sql] + old.map { "\($0.column.name.quotedName) IS ? COLLATE BINARY" }
        return (conditions.conjunction, key.values + old.map(\.cell), old.map(\.column.name.quotedName))
    }

    private static func columns(
        _ cells: [String: CellJSON]?, _ table: Table
    ) throws -> [(column: Table.Column, cell: Cell)] {
        try (cells ?? [:]).sorted { $0.key < $1.key }.map { name, value in
            (column: try table.knownColumn(name, .invalid), cell: value.cell)
        }
    }

    /// SQLite would make a number with a fraction of it, and lose digits.
    private static func refuseLong(_ text: String, _ column: Table.Column) throws {
        guard NumberText.becomesLongInteger(text) else { return }
        throw StudioError(
            .invalid, "the column '\(column.name)' takes integers of 64 bits, and '\(text.prefix(40))' is longer")
    }

    /// A text as the column takes it: a number where the column is one of numbers.
    private static func fitting(_ cell: Cell, _ column: Table.Column, _ table: Table) throws -> Cell {
        guard !column.isGenerated else {
            throw StudioError(.invalid, "the column '\(column.name)' is calculated and cannot be edited")
        }
        guard case .text(let text) = cell else { return cell }
        let affinity = Affinity(of: column.type, isStrict: table.isStrict)
        switch affinity {
        case .integer, .real:
            guard let number = NumberText.number(text.utf8) else {
                throw StudioError(
                    .invalid, "the column '\(column.name)' takes numbers (\(column.type)), not '\(text.prefix(40))'")
            }
            if affinity == .integer { try refuseLong(text, column) }
            return number
        case .numeric:
            try refuseLong(text, column)
            return cell
        case .text, .blob: return cell
        }
    }
}
