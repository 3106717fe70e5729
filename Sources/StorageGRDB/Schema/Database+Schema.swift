import GRDB
import GRDBSQLite
import StorageSQLite

// Tables as the file has them. A start asks for each of them again and again, so that the statements stay prepared.

extension Database {
    /// Whether the file itself has a table of that name. GRDB looks among temporary tables and in attached databases
    /// too, and takes capitals outside ASCII for their small letters, which SQLite does not.
    func hasTable(_ name: String) throws -> Bool {
        try spelledName(ofTable: name) != nil
    }

    /// The statement that made a table of the file, as the file keeps it; nil if there is no such table.
    func tableSQL(_ name: String) throws -> String? {
        let sql = "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
        return try String.fetchOne(cachedStatement(sql: sql), arguments: [name])
    }

    /// The name of a table as the file spells it; nil if there is no such table.
    func spelledName(ofTable name: String) throws -> String? {
        let sql = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
        return try String.fetchOne(cachedStatement(sql: sql), arguments: [name])
    }

    /// Whether a table is a `table`, a `view`, `virtual`, or a `shadow` in which a virtual one keeps its data; nil if there is none.
    package func kind(ofTable name: String) throws -> String? {
        let sql = "SELECT type FROM pragma_table_list(?) WHERE schema = 'main'"
        let kind = try String.fetchOne(cachedStatement(sql: sql), arguments: [name])
        return try kind == "shadow" && isBesideSearch(name) ? "table" : kind
    }

    /// The same of a `virtual` table and a `shadow`; nil for any other, and for none.
    func specialKind(ofTable name: String) throws -> String? {
        try kind(ofTable: name).flatMap { ["virtual", "shadow"].contains($0) ? $0 : nil }
    }

    /// Whether a table is the app's own, beside a full-text table that keeps no texts: SQLite takes a `docs_content` for one of `docs`
    /// by the name alone.
    private func isBesideSearch(_ name: String) throws -> Bool {
        guard name.asciiLowercased.hasSuffix("_content") else { return false }
        let sql = try tableSQL(String(name.dropLast("_content".count))) ?? ""
        return [SQLToken](of: Array(sql.utf8))?.keepsNoTexts == true
    }

    /// The columns of a table that hold values, none of them generated.
    package func storedColumns(of table: String) throws -> [String] {
        let sql = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0"
        return try String.fetchAll(cachedStatement(sql: sql), arguments: [table])
    }

    /// Compares the table itself with its description, for a `STRICT` table with the types that such a table has.
    func diff(_ schema: TableSchema) throws -> SchemaDiff {
        let columns = try isStrict(schema.name) ? schema.columns.map(\.inStrictTable) : schema.columns
        return try SchemaDiff(
            model: TableSchema(name: schema.name, columns: columns), file: tableSchema(named: schema.name))
    }

    /// Whether SQLite checks the types of a table's values.
    func isStrict(_ table: String) throws -> Bool {
        let sql = "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'"
        return try Bool.fetchOne(cachedStatement(sql: sql), arguments: [table]) == true
    }

    /// The table as the file has it, generated columns too; nil if there is none.
    func tableSchema(named name: String) throws -> TableSchema? {
        guard try hasTable(name) else { return nil }
        let sql = #"SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main')"#
        let columns = try Row.fetchAll(cachedStatement(sql: sql), arguments: [name]).map { row in
            // A generated column takes no value from anybody, so that what it refuses does not matter.
            let isGenerated = (row["hidden"] as Int) > 1
            return ColumnSchema(
                name: row["name"], type: row["type"], notNull: row["notnull"] == 1 && !isGenerated,
                primaryKey: (row["pk"] as Int) > 0, defaultValue: row["dflt_value"])
        }
        return TableSchema(name: name, columns: columns)
    }
}

extension Database {
    /// A name of the rowid that no column has; nil for a table without.
    func rowidName(of table: String) throws -> String? {
        let columns = try String.fetchAll(
            self, sql: "SELECT lower(name) FROM pragma_table_xinfo(?, 'main')", arguments: [table])
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !columns.contains($0) }) else { return nil }
        let code = sqlite3_table_column_metadata(sqliteConnection, "main", table, name, nil, nil, nil, nil, nil)
        return code == SQLITE_OK ? name : nil
    }

    /// Whether a column compares its texts byte by byte, and the bytes are those that Swift has, which in UTF-16 they are
    /// not.
    func comparesBytes(_ column: String, of table: String) throws -> Bool {
        try collation(of: column, in: table) == "BINARY" && firstRow("PRAGMA encoding", []) { try $0.next() } == "UTF-8"
    }

    /// How a column compares its texts, in capitals; nil if there is no such column.
    func collation(of column: String, in table: String) -> String? {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
            sqliteConnection, "main", table, column, nil, &collation, nil, nil, nil)
        guard code == SQLITE_OK, let collation else { return nil }
        return String(cString: collation).uppercased()
    }

    /// Whether a row that is inserted with NULL in the column may be given an id there: the column is the rowid, or the table
    /// a virtual one. A key that was declared DESC, or has other columns too, passes. Of a view, and of no table, the insert itself
    /// tells.
    func givesIds(in column: String, of table: String) throws -> Bool {
        var type: UnsafePointer<CChar>?
        var isKey: Int32 = 0
        let code = sqlite3_table_column_metadata(
            sqliteConnection, "main", table, column, &type, nil, nil, &isKey, nil)
        guard code == SQLITE_OK else { return true }
        if isKey != 0, let type, sqlite3_stricmp(type, "INTEGER") == 0 { return true }
        return try specialKind(ofTable: table) == "virtual"
    }
}

extension Database {
    func rowCount(of table: String) throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM main.\(table.quotedIdentifier)") ?? 0
    }

    /// Whether a table has a row that meets a condition.
    func hasRow(in table: String, where condition: String = "TRUE") throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.\(table.quotedIdentifier) WHERE \(condition))"
        return try Bool.fetchOne(self, sql: sql) == true
    }
}

extension Database {
    /// The tables of the file that refer to others, or to themselves.
    func tablesWithForeignKeys() throws -> [String] {
        try String.fetchAll(
            self,
            sql: """
                SELECT DISTINCT master.name FROM main.sqlite_master AS master,
                    pragma_foreign_key_list(master.name, 'main')
                WHERE master.type = 'table' AND instr(lower(master.sql), 'references') ORDER BY 1
                """)
    }
}

extension DatabaseError {
    /// Whether references cannot be checked, since no unique key stands behind what they refer to.
    var isForeignKeyMismatch: Bool {
        resultCode == .SQLITE_ERROR && message?.hasPrefix("foreign key mismatch") == true
    }
}

extension String {
    /// Whether it is the SQL of an FTS5 table, which one of FTS5's vocabulary is not.
    var makesFTS5Table: Bool {
        lowercased().contains(/^create\s+virtual\s+table.*\susing\s+fts5\b/.dotMatchesNewlines())
    }
}

extension ColumnSchema {
    /// The column with the type that keeps the same values in a `STRICT` table, which has six types only.
    var inStrictTable: ColumnSchema {
        ColumnSchema(
            name: name, type: strictType, notNull: notNull, primaryKey: primaryKey, defaultValue: defaultValue)
    }

    /// How SQLite keeps its values; in a `STRICT` table `ANY` keeps them as they come.
    func affinity(isStrict: Bool) -> Affinity {
        Affinity(of: type, isStrict: isStrict)
    }

    private var strictType: String {
        switch type.uppercased() {
        case "ANY", "INT": return type
        // Kept as text.
        case "DATETIME": return "TEXT"
        case "BOOLEAN": return "INTEGER"
        // Large ones are blobs.
        case ColumnType.unsigned.rawValue: return "ANY"
        default:
            let affinity = Affinity(of: type)
            return affinity == .numeric ? "ANY" : affinity.rawValue
        }
    }
}
