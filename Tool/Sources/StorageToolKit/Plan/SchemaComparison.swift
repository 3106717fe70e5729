/// What a file lacks to have the schema of another.
struct SchemaComparison {
    /// One thing to do.
    struct Operation {
        let text: String
        /// The table whose rows are gone through; nil if none are.
        var table: String?
        /// What does it, or what takes as long, on a copy of the file.
        var sql: [String] = []
        /// What its rows are asked once that is done.
        var checks: [RowCheck] = []
        /// Why it cannot be done whatever its rows are.
        var problem: String?
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
                compare(found, with: table, file, model)
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

    private mutating func compare(_ found: Table, with wanted: Table, _ file: SchemaState, _ model: SchemaState) {
        var changes: [String] = []
        var checks: [RowCheck] = []
        var problems: [String] = []
        for column in wanted.storedColumns {
            guard let present = found.column(column.name) else {
                operations.append(SchemaComparison.adding(column, to: found))
                continue
            }
            if !present.isSame(as: column, isStrict: found.isStrict) {
                changes.append("column '\(column.name)' is \(present.text) and would be \(column.text)")
                if !present.hasSameType(as: column, isStrict: found.isStrict) {
                    checks.append(RowCheck(present, of: found, as: column))
                }
            }
        }
        let needsKey = found.needsKey(of: wanted)
        if needsKey {
            let key = wanted.key.map(\.name.quotedName).joined(separator: ", ")
            changes.append("its primary key would be \(key)")
        }
        // No new row may leave out what stays in the key. Of a key that is the number of the row, SQLite gives it.
        let keepsKey = !needsKey && found.indexes.contains { $0.origin == "pk" }
        for column in found.storedColumns where wanted.column(column.name) == nil {
            if column.isNotNull, column.defaultSQL == nil, column.keyPosition == 0 || keepsKey {
                changes.append("column '\(column.name)', which the model does not have, would take NULL")
                if !file.records.mayRequire(column, of: found) {
                    problems.append(
                        "'\(column.name)' is in no version's model, takes no NULL and has no default")
                }
            } else {
                remarks.append("Column '\(column.name)' of '\(found.name)' is not in the model; it stays")
            }
        }
        changes += wanted.declarations.without(found.declarations).map { "it would be declared \($0)" }
        for declaration in found.declarations.without(wanted.declarations) {
            remarks.append("Table '\(found.name)' is declared \(declaration), which is not in the model")
        }
        let (own, others) = (found.references(file.catalog), wanted.references(model.catalog))
        for reference in others.without(own) where !SchemaComparison.comesWithItsColumn(reference, found, wanted) {
            changes.append("it would refer by \(reference.text)")
            let isByHand = own.contains { $0.isOfSameColumns(as: reference) && !file.records.has($0, of: found) }
            if isByHand {
                let columns = reference.columns.map { "'\($0)'" }.joined(separator: ", ")
                problems.append("\(columns) refers to something else in the file, which was made by hand")
            }
            checks += SchemaComparison.check(reference, of: found, file.catalog)
        }
        for reference in own.without(others) {
            // One that was made by hand a start leaves alone, where the model says nothing of its columns.
            if file.records.has(reference, of: found) || others.contains(where: { $0.isOfSameColumns(as: reference) }) {
                changes.append("it would no longer refer by \(reference.text)")
            } else {
                remarks.append("Table '\(found.name)' refers by \(reference.text), which is not in the model; it stays")
            }
        }
        guard !changes.isEmpty else { return }
        operations.append(
            Operation(
                text: "Make table '\(found.name)' anew: \(changes.joined(separator: "; "))", table: found.name,
                sql: SchemaComparison.movingRows(of: found, to: wanted), checks: checks,
                problem: problems.isEmpty ? nil : problems.joined(separator: "; ")))
    }

    /// Whether a start adds the reference with its new column: where rows get nothing there that would refer to something.
    private static func comesWithItsColumn(_ reference: PlannedReference, _ found: Table, _ wanted: Table) -> Bool {
        guard reference.columns.count == 1, found.column(reference.columns[0]) == nil,
            let column = wanted.column(reference.columns[0])
        else { return false }
        return !column.isNotNull && column.defaultSQL == nil
    }

    /// The check that a new reference needs; none where its columns are new too, or where the parent does not have the named ones yet.
    private static func check(_ reference: PlannedReference, of table: Table, _ catalog: Catalog) -> [RowCheck] {
        let parent = catalog.table(reference.parent)
        let isKnown = parent.map { parent in reference.parentColumns.allSatisfy { parent.column($0) != nil } } ?? true
        guard isKnown, reference.columns.allSatisfy({ table.column($0) != nil }) else { return [] }
        return [RowCheck(reference, of: table, to: parent)]
    }

    private static func adding(_ wanted: Table.Column, to table: Table) -> Operation {
        let column = table.isStrict ? wanted.inStrictTable : wanted
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
                if type == "index", SchemaComparison.hasIndex(file, for: part, model) { continue }
                let drop = old.map { ["DROP \(type) main.\($0.name.quotedName)"] } ?? []
                operations.append(
                    Operation(
                        text: (old == nil ? "Create " : "Make anew ") + part.text,
                        table: type == "index" ? part.table : nil, sql: drop + [part.sql]))
            }
            for part in present where !wanted.contains(where: { $0.name.nameKey == part.name.nameKey }) {
                if type == "index", SchemaComparison.isWanted(part, file, model) { continue }
                remarks.append("The \(part.text) is not in the model")
            }
        }
    }

    /// Whether a start finds an index in the file that does for one of the model: what counts is not its name, but its
    /// columns.
    private static func hasIndex(_ file: SchemaState, for part: Catalog.Part, _ model: SchemaState) -> Bool {
        guard let wanted = model.index(part), let table = model.catalog.table(part.table) else { return false }
        let indexes = file.catalog.table(part.table)?.indexes ?? []
        if indexes.contains(where: { $0.isSame(as: wanted) }) { return true }
        // A reference is looked up by any index that begins with it. One that a start has made may go.
        let isOfReference = table.foreignKeys.contains { key in
            wanted.columns.elementsEqual(key.columns) { $0?.nameKey == $1.nameKey }
        }
        return isOfReference
            && indexes.contains { index in
                index.begins(as: wanted)
                    && !file.parts("index").contains {
                        $0.name.nameKey == index.name.nameKey && file.records.has(index: $0.sql)
                    }
            }
    }

    /// Whether the model has such an index under another name.
    private static func isWanted(_ part: Catalog.Part, _ file: SchemaState, _ model: SchemaState) -> Bool {
        guard let index = file.index(part) else { return false }
        return model.catalog.table(part.table)?.indexes.contains { index.isSame(as: $0) } == true
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

    /// Whether a start would give it the key of another one: where SQLite numbers the rows by that, or where nothing
    /// else keeps two rows from having the same.
    fileprivate func needsKey(of wanted: Table) -> Bool {
        let hasOtherKey = columns.contains { column in
            (column.keyPosition > 0) != (wanted.column(column.name).map { $0.keyPosition > 0 } ?? false)
        }
        let key = Set(wanted.key.map(\.name.nameKey))
        guard hasOtherKey, !key.isEmpty else { return false }
        return wanted.givesIds
            || !indexes.contains { index in
                index.isUnique && !index.isPartial && !index.hasDescending
                    && Set(index.columns.map { ($0 ?? "").nameKey }) == key
            }
    }

    /// Its references.
    ///
    /// - Parameter catalog: That of its file.
    fileprivate func references(_ catalog: Catalog) -> [PlannedReference] {
        foreignKeys.map { PlannedReference($0, of: self, in: catalog) }
    }
}

extension SchemaState {
    fileprivate func index(_ part: Catalog.Part) -> Table.Index? {
        catalog.table(part.table)?.indexes.first { $0.name.nameKey == part.name.nameKey }
    }
}

extension Table.Index {
    /// Whether both find the same. What has an expression, a condition or another order goes by its SQL alone.
    fileprivate func isSame(as other: Table.Index) -> Bool {
        [self, other].allSatisfy { !$0.isPartial && !$0.hasDescending && !$0.columns.contains(nil) }
            && isUnique == other.isUnique && collations == other.collations
            && columns.map { $0?.nameKey } == other.columns.map { $0?.nameKey }
    }

    /// Whether the rows that another one of a single column finds are found with it, too.
    fileprivate func begins(as other: Table.Index) -> Bool {
        [self, other].allSatisfy { !$0.isPartial && !$0.hasDescending && !$0.columns.contains(nil) }
            && !other.isUnique && other.columns.count == 1 && collations.first == other.collations.first
            && columns[0]?.nameKey == other.columns[0]?.nameKey
    }
}

extension Table.Column {
    /// Defaults and the key aside: those only new rows would see, and this is of the table. SQLite says of a key that
    /// was declared without NOT NULL that it takes NULL, and of that of a table without rowids that it takes none.
    fileprivate func isSame(as other: Table.Column, isStrict: Bool) -> Bool {
        let isKey = keyPosition > 0 || other.keyPosition > 0
        return hasSameType(as: other, isStrict: isStrict) && (isKey || isNotNull == other.isNotNull)
    }

    fileprivate func hasSameType(as other: Table.Column, isStrict: Bool) -> Bool {
        hasSameType(as: other.type, isKey: keyPosition > 0 || other.keyPosition > 0, isStrict: isStrict)
    }

    fileprivate var text: String {
        var parts = [type.isEmpty ? "of no type" : type]
        if isNotNull { parts.append("NOT NULL") }
        if keyPosition > 0 { parts.append("PRIMARY KEY") }
        if let defaultSQL { parts.append("DEFAULT \(defaultSQL)") }
        return parts.joined(separator: " ")
    }
}
