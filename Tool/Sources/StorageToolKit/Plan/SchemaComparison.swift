/// What a file lacks to have the schema of another.
struct SchemaComparison {
    /// One thing to do.
    struct Operation {
        let text: String
        /// The table whose rows are gone through; nil if none are.
        var table: String?
        /// What does it, or what takes as long, on a copy of the file.
        var sql: [String] = []
    }

    private(set) var operations: [Operation] = []
    /// What stays.
    private(set) var remarks: [String] = []

    init(_ file: SchemaState, _ model: SchemaState) {
        for id in model.migrations where !file.migrations.contains(id) {
            operations.append(Operation(text: "Run migration '\(id)', which only the app knows"))
        }
        for table in model.tables {
            if let found = file.catalog.table(table.name) {
                compare(found, with: table)
            } else {
                operations.append(Operation(text: "Create table '\(table.name)'", sql: [table.sql]))
            }
        }
        for table in model.virtualTables {
            // What it is filled with is the app's to know, and its module may be missing here.
            let found = file.catalog.table(table.name)
            guard found?.sql.utf8.filter({ $0 > 0x20 }) != table.sql.utf8.filter({ $0 > 0x20 }) else { continue }
            let work = found == nil ? "Create" : "Make anew"
            operations.append(Operation(text: "\(work) virtual table '\(table.name)', and fill it", table: found?.name))
        }
        compareParts(file, model)
        for id in file.migrations where !model.migrations.contains(id) {
            remarks.append("The file has had a migration that the model does not know: '\(id)'")
        }
    }

    // MARK: - Tables

    private mutating func compare(_ found: Table, with wanted: Table) {
        var changes: [String] = []
        for column in wanted.storedColumns {
            guard let present = found.column(column.name) else {
                operations.append(SchemaComparison.adding(column, to: found))
                continue
            }
            if !present.isSame(as: column) {
                changes.append("column '\(column.name)' is \(present.text) and would be \(column.text)")
            }
        }
        for column in found.storedColumns where wanted.column(column.name) == nil {
            if column.isNotNull, column.defaultSQL == nil, column.keyPosition == 0 {
                changes.append("column '\(column.name)', which the model does not have, would take NULL")
            } else {
                remarks.append("Column '\(column.name)' of '\(found.name)' is not in the model; it stays")
            }
        }
        changes += wanted.declarations.without(found.declarations).map { "it would be declared \($0)" }
        for declaration in found.declarations.without(wanted.declarations) {
            remarks.append("Table '\(found.name)' is declared \(declaration), which is not in the model")
        }
        let (own, others) = (found.references, wanted.references)
        changes += others.without(own).map { "it would refer by \($0)" }
        changes += own.without(others).map { "it would no longer refer by \($0)" }
        guard !changes.isEmpty else { return }
        operations.append(
            Operation(
                text: "Make table '\(found.name)' anew: \(changes.joined(separator: "; "))", table: found.name,
                sql: SchemaComparison.movingRows(of: found, to: wanted)))
    }

    private static func adding(_ column: Table.Column, to table: Table) -> Operation {
        let text = "Add column '\(column.name)' to '\(table.name)': \(column.text)"
        // SQLite adds none that takes no NULL and has no default; the app gives it one.
        // One that is calculated it adds to no table with rows: to those the app gives what comes of it.
        let literal = /[-+]?[0-9.]+|x?'([^']|'')*'|"([^"]|"")*"|null|true|false/.ignoresCase()
        let value = column.defaultSQL.map { $0.wholeMatch(of: literal) == nil ? "0" : $0 }
        let rest = value.map { (column.isNotNull ? " NOT NULL" : "") + " DEFAULT \($0)" } ?? ""
        let sql = "ALTER TABLE main.\(table.name.quotedName) ADD COLUMN \(column.name.quotedName) \(column.type)\(rest)"
        return Operation(text: text, sql: [sql])
    }

    /// What takes as long as to make a table anew, and fails where its rows break what the model declares: they go into one that
    /// is made as the model says, twice, since a start moves them out of the table and back.
    private static func movingRows(of found: Table, to wanted: Table) -> [String] {
        let (name, source) = ("temp." + found.name.quotedName, "FROM main." + found.name.quotedName)
        let known = wanted.storedColumns.filter { found.column($0.name) != nil }
        let added = wanted.storedColumns.filter { found.column($0.name) == nil }
        let list = known.map(\.name.quotedName).joined(separator: ", ")
        // SQLite begins the SQL of each table with these words.
        let made = "CREATE TABLE temp." + wanted.sql.dropFirst("CREATE TABLE ".count)
        // What a new column that takes no NULL gets, the app knows alone: such rows are only moved.
        let isKnown = !known.isEmpty && added.allSatisfy { !$0.isNotNull || $0.defaultSQL != nil }
        let move =
            isKnown
            ? [made, "INSERT OR ABORT INTO \(name) (\(list)) SELECT \(list) \(source)"]
            : ["CREATE TABLE \(name) AS SELECT * \(source)"]
        let moveAndEnd = move + ["DROP TABLE \(name)"]
        return moveAndEnd + moveAndEnd
    }

    // MARK: - Indexes, views and triggers

    private mutating func compareParts(_ file: SchemaState, _ model: SchemaState) {
        for type in ["index", "view", "trigger"] {
            let (present, wanted) = (file.parts(type), model.parts(type))
            for part in wanted {
                let old = present.first { $0.name.nameKey == part.name.nameKey }
                guard old.map({ Array($0.sql.utf8) }) != Array(part.sql.utf8) else { continue }
                let drop = old.map { ["DROP \(type) main.\($0.name.quotedName)"] } ?? []
                operations.append(
                    Operation(
                        text: (old == nil ? "Create " : "Make anew ") + part.text,
                        table: type == "index" ? part.table : nil, sql: drop + [part.sql]))
            }
            for part in present where !wanted.contains(where: { $0.name.nameKey == part.name.nameKey }) {
                remarks.append("The \(part.text) is not in the model")
            }
        }
    }
}

extension Catalog.Part {
    fileprivate var text: String { type == "view" ? "view '\(name)'" : "\(type) '\(name)' of '\(table)'" }
}

extension Set<String> {
    /// Those that another set has not, in order. By bytes: to Swift, a composed and a decomposed letter are one.
    fileprivate func without(_ other: Set<String>) -> [String] {
        let other = Set<[UInt8]>(other.map { Array($0.utf8) })
        return filter { !other.contains(Array($0.utf8)) }.sorted()
    }
}

extension Table {
    /// What SQL says of it beside its columns and references.
    fileprivate var declarations: Set<String> {
        checks.union(options).union(indexes.compactMap(\.constraint))
    }

    /// Its references as SQL, one text for each.
    fileprivate var references: Set<String> {
        Set(
            foreignKeys.map { key in
                let parents = key.parentColumns.map(\.quotedName).joined(separator: ", ")
                let columns = key.columns.map(\.quotedName).joined(separator: ", ")
                let actions = [("DELETE", key.onDelete), ("UPDATE", key.onUpdate)].filter { $0.1 != "NO ACTION" }
                return "\(columns) to \(key.parent.quotedName)" + (parents.isEmpty ? "" : " (\(parents))")
                    + actions.map { " ON \($0) \($1)" }.joined()
            })
    }
}

extension Table.Column {
    /// Defaults aside, which only new rows would see.
    fileprivate func isSame(as other: Table.Column) -> Bool {
        type.nameKey == other.type.nameKey && isNotNull == other.isNotNull && keyPosition == other.keyPosition
    }

    fileprivate var text: String {
        var parts = [type.isEmpty ? "of no type" : type]
        if isNotNull { parts.append("NOT NULL") }
        if keyPosition > 0 { parts.append("PRIMARY KEY") }
        if let defaultSQL { parts.append("DEFAULT \(defaultSQL)") }
        return parts.joined(separator: " ")
    }
}
