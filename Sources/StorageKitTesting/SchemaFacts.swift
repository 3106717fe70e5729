import GRDB
import StorageKit

/// What there is in a database, each thing in words of its own, so that two databases can be compared by them.
struct SchemaFacts {
    private var columns: [Fact: Column] = [:]
    private var defaults: Set<Fact> = []
    private var others: Set<Fact> = []
    private var migrations: Set<String> = []

    /// Words that are compared by their bytes: names that differ in them alone are one text to Swift, and two to
    /// SQLite. To SQLite, names that differ in the capitals of ASCII alone are one.
    private struct Fact: Hashable {
        let text: String
        private let bytes: [UInt8]

        init(_ text: String) { self.init { _ in text } }

        /// - Parameter words: Writes them, each name of a table or column as `spell` has it.
        init(_ words: (_ spell: (String) -> String) -> String) {
            text = words { $0 }
            bytes = Array(words { $0.asciiLowercased }.utf8)
        }

        static func == (fact: Fact, other: Fact) -> Bool { fact.bytes == other.bytes }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }

    private struct Column {
        let words: Fact
        /// Whether a row can be inserted without a value for it.
        let isOptional: Bool
    }

    init(of store: DatabaseQueue) throws {
        try store.read { db in
            for table in try db.tablesOfTheApp() { try add(table, db) }
            let sql = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
            for row in try Row.fetchAll(db, sql: sql) {
                let words = (row["sql"] as String).comparableSQL
                others.insert(Fact("\(row["type"] as String) '\(row["name"] as String)': \(words)"))
            }
            migrations = Set(try db.recordedMigrations()).filter { SchemaRecord.body(of: $0) == nil }
        }
    }

    private mutating func add(_ table: AppTable, _ db: Database) throws {
        let name = table.name
        if table.isVirtual {
            others.insert(Fact("virtual table '\(name)': \(table.sql.comparableSQL)"))
            return
        }
        let text = TableText(table.sql)
        let options = [
            text.hasAutoincrement ? "ids that SQLite gives" : nil,
            table.isStrict ? "STRICT" : nil, table.isWithoutRowid ? "WITHOUT ROWID" : nil,
        ].compactMap(\.self)
        others.insert(Fact { spell in (["table '\(spell(name))'"] + options).joined(separator: ", ") })
        for check in text.checks { others.insert(Fact { spell in "table '\(spell(name))' \(check)" }) }
        // An id that was declared DESC has an index, and is not the number of its row.
        let sql = """
            SELECT info.*, (
                SELECT \(Self.collation) || iif(part."desc", ' DESC', '')
                FROM pragma_index_list(?1) AS list, pragma_index_xinfo(list.name) AS part
                WHERE list.origin = 'pk' AND part.key = 1 AND part.cid = info.cid
            ) AS keyWords
            FROM pragma_table_xinfo(?1) AS info WHERE hidden <> 1
            """
        for row in try Row.fetchAll(db, sql: sql, arguments: [name]) { add(row, of: name, text) }
        try addReferences(of: name, text, db)
        try addIndexes(of: name, db)
    }

    /// How a column of an index compares texts.
    private static let collation = "iif(upper(coll) = 'BINARY', '', ' COLLATE ' || upper(coll))"

    /// - Parameter row: A column, of `table_xinfo`, with what the index of the primary key has of it.
    private mutating func add(_ row: Row, of table: String, _ text: TableText) {
        let name = row["name"] as String
        func column(_ spell: (String) -> String) -> String { "'\(spell(table)).\(spell(name))'" }
        let key = row["pk"] as Int
        let isRequired = row["notnull"] as Bool && key == 0
        let keyWords = row["keyWords"] as String? ?? ""
        let isComputed = row["hidden"] as Int > 1
        let words = [
            (row["type"] as String).comparableSQL, text.collations[SQLName(name)],
            isRequired ? "NOT NULL" : nil, key > 0 ? "PRIMARY KEY \(key)\(keyWords)" : nil,
            isComputed ? text.expressions[SQLName(name)] ?? "GENERATED" : nil,
        ]
        let rest = words.compactMap(\.self).joined(separator: " ")
        let value = (row["dflt_value"] as String?)?.comparableDefault
        let hasDefault = ColumnSchema(name: name, type: "", defaultValue: value).hasDefault
        columns[Fact(column)] = Column(
            words: Fact { spell in "column \(column(spell)) \(rest)" },
            isOptional: isComputed || key == 0 && (!isRequired || hasDefault))
        if let value { defaults.insert(Fact { spell in "column \(column(spell)) DEFAULT \(value)" }) }
    }

    private mutating func addReferences(of table: String, _ text: TableText, _ db: Database) throws {
        for key in try db.installedForeignKeys(of: table) {
            let (columns, keys) = (key.columns.joined(separator: ", "), key.keys.joined(separator: ", "))
            let isDeferred = text.deferredReferences.contains(key.columns.map(\.asciiLowercased))
            others.insert(
                Fact { spell in
                    "reference of '\(spell(table))' (\(spell(columns))) to '\(spell(key.parent))' (\(spell(keys))) "
                        + "ON DELETE \(key.onDelete.rawValue) ON UPDATE \(key.onUpdate.rawValue)"
                        + (isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : "")
                })
        }
    }

    private mutating func addIndexes(of table: String, _ db: Database) throws {
        let indexes = "SELECT * FROM pragma_index_list(?) WHERE origin <> 'pk'"
        for row in try Row.fetchAll(db, sql: indexes, arguments: [table]) {
            let index = row["name"] as String
            let sql = "SELECT sql FROM sqlite_master WHERE type = 'index' AND name = ?"
            if let made = try String.fetchOne(db, sql: sql, arguments: [index]) {
                others.insert(Fact("index '\(index)': \(made.comparableSQL)"))
            } else {
                let sql = "SELECT name || \(Self.collation) FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno"
                let columns = try String.fetchAll(db, sql: sql, arguments: [index]).joined(separator: ", ")
                others.insert(Fact { spell in "unique constraint of '\(spell(table))' (\(spell(columns)))" })
            }
        }
    }

    /// What keeps a store that was brought up to date from being as good as a fresh one.
    func differences(fromFresh fresh: SchemaFacts) -> [String] {
        let inTheWay = columns.filter { fresh.columns[$0.key] == nil && !$0.value.isOptional }.values.map(\.words)
        let wanted = fresh.columns.filter { columns[$0.key]?.words != $0.value.words }.values.map(\.words)
        // An added column has a default that a new table does without.
        let missing = wanted + fresh.defaults.subtracting(defaults) + fresh.others.subtracting(others)
        let unwanted = inTheWay + others.subtracting(fresh.others)
        let unapplied = fresh.migrations.subtracting(migrations).map { "migration '\($0)'" }
        return (missing.map(\.text) + unapplied).sorted().map { "a fresh store has, and this one has not: \($0)" }
            + unwanted.map(\.text).sorted().map { "this store has, and a fresh one has not: \($0)" }
    }

    /// What has changed in a later version of the schema.
    func changes(to later: SchemaFacts) -> [String] {
        let (before, after) = (all, later.all)
        return after.subtracting(before).map(\.text).sorted().map { "new: \($0)" }
            + before.subtracting(after).map(\.text).sorted().map { "gone: \($0)" }
    }

    private var all: Set<Fact> {
        others.union(defaults).union(columns.values.map(\.words)).union(migrations.map { Fact("migration '\($0)'") })
    }
}

/// A table that is not SQLite's own.
struct AppTable {
    let name: String
    let sql: String
    let isVirtual: Bool
    let isStrict: Bool
    let isWithoutRowid: Bool

    /// Whether a row that a SELECT finds can be inserted as it is. Of virtual tables that is known of some that SQLite itself brings.
    var takesItsRows: Bool {
        guard isVirtual else { return true }
        let tokens = [SQLToken](of: Array(sql.utf8)) ?? []
        let module = tokens.drop { !$0.isKeyword("using") }.dropFirst().first?.text.asciiLowercased
        // An index without content has texts that nobody can read.
        let hasNoContent = tokens.value(ofOption: "content")?.text.isEmpty == true
        return !hasNoContent && ["fts3", "fts4", "fts5", "rtree", "rtree_i32"].contains(module)
    }
}

extension Database {
    /// The tables but for SQLite's own and those in which a full-text index keeps its parts, in the order they were made in.
    func tablesOfTheApp() throws -> [AppTable] {
        let sql = """
            SELECT master.name, master.sql, list.strict, list.wr
            FROM sqlite_master AS master JOIN pragma_table_list AS list ON list.name = master.name AND list.schema = 'main'
            WHERE list.type IN ('table', 'virtual', 'shadow') AND master.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY master.rowid
            """
        return try Row.fetchAll(self, sql: sql).compactMap { row in
            let kind = try kind(ofTable: row["name"])
            guard kind != "shadow" else { return nil }
            return AppTable(
                name: row["name"], sql: row["sql"], isVirtual: kind == "virtual", isStrict: row["strict"],
                isWithoutRowid: row["wr"])
        }
    }
}
