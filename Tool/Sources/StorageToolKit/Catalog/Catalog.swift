import StorageSQLite

/// What a file has, as SQLite tells it.
struct Catalog {
    /// A trigger, or an index of a table, with its SQL.
    struct Part {
        let type: String
        let name: String
        let table: String
        let sql: String
    }

    /// The tables and views, without SQLite's own, by name.
    let tables: [Table]
    /// All that has SQL: tables, indexes, views and triggers, in the order in which they can be made.
    let parts: [Part]

    /// - Throws: ``ToolError`` if a name or the SQL of something has bytes that are no UTF-8: by a name read otherwise
    ///   nothing is found, and which bytes are in a name is not looked at.
    init(_ connection: Connection) throws {
        parts = try Catalog.parts(connection)
        let sql = """
            SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' \
            ESCAPE '\\' ORDER BY name COLLATE NOCASE, name
            """
        let sqlByName = Dictionary(parts.map { ($0.name.nameKey, $0.sql) }) { first, _ in first }
        tables = try connection.rows(sql).compactMap { row in
            guard let name = row[0].text, let told = row[1].text.flatMap(Table.Kind.init) else { return nil }
            let kind = told == .shadow && Catalog.isBesideSearch(name, sqlByName) ? .table : told
            var table = Table(
                name: name, kind: kind, sql: sqlByName[name.nameKey] ?? "", isStrict: row[3] == .integer(1),
                hasRowid: kind != .view && row[2] == .integer(0))
            table.columns = try Catalog.columns(of: name, connection)
            table.indexes = try Catalog.indexes(of: name, connection)
            table.foreignKeys = try Catalog.foreignKeys(of: name, connection)
            return table
        }
    }

    /// The table or view of that name, compared as SQLite compares names.
    func table(_ name: String) -> Table? {
        tables.first { $0.name.nameKey == name.nameKey }
    }

    /// The same, or an error that says which tables there are.
    func existingTable(_ name: String) throws -> Table {
        if let table = table(name) { return table }
        let names = tables.filter { $0.kind != .shadow }.map { "'\($0.name)'" }
        let list = names.isEmpty ? "the file has none" : "there are \(names.joined(separator: ", "))"
        throw ToolError(.badData, "there is no table '\(name)'; \(list)")
    }

    private static func parts(_ connection: Connection) throws -> [Part] {
        let sql = """
            SELECT type, name, tbl_name, sql FROM main.sqlite_master WHERE sql IS NOT NULL \
            ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
            """
        return try connection.rows(sql).map { row in
            guard let type = row[0].text, let name = row[1].text, let table = row[2].text, let sql = row[3].text else {
                throw Catalog.unreadable(row)
            }
            return Part(type: type, name: name, table: table, sql: sql)
        }
    }

    /// All other names of a schema stand in this SQL, too.
    private static func unreadable(_ row: [Cell]) -> ToolError {
        let (type, name) = (row[0].shownText ?? "part", row[1].shownText ?? "")
        let words = (row[3].shownText ?? "").split { !$0.isLetter && !$0.isNumber && !"_\u{FFFD}".contains($0) }
        let word = words.first { $0.contains("\u{FFFD}") }.map { ", in '\($0)'" } ?? ""
        return ToolError(.badData, "the schema has text that is no UTF-8: the SQL of \(type) '\(name)'\(word)")
    }

    /// Whether a table is the app's own, beside a full-text table that keeps no texts: SQLite takes a `docs_content` for one of `docs`
    /// by the name alone.
    private static func isBesideSearch(_ name: String, _ sqlByName: [[UInt8]: String]) -> Bool {
        let (key, end) = (name.nameKey, Array("_content".utf8))
        guard key.suffix(end.count).elementsEqual(end), let sql = sqlByName[Array(key.dropLast(end.count))] else {
            return false
        }
        let words = sql.outsideOfQuotes.folded
        // Those without texts may keep some columns since SQLite 3.47.
        return words.contains(/\bcontent\s*=/) && !words.contains(/\bcontentless_unindexed\s*=/)
    }

    private static func columns(of table: String, _ connection: Connection) throws -> [Table.Column] {
        // A virtual table whose module this SQLite does not have, and a view that has lost a table, tell no columns.
        let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main')"
        let rows = (try? connection.rows(sql, [.text(table)])) ?? []
        return rows.filter { $0[5] != .integer(1) }.map { row in
            Table.Column(
                name: row[0].text ?? "", type: row[1].text ?? "", isNotNull: row[2] == .integer(1),
                defaultSQL: row[3].text, keyPosition: Int(row[4].integer ?? 0), isGenerated: row[5] != .integer(0))
        }
    }

    private static func indexes(of table: String, _ connection: Connection) throws -> [Table.Index] {
        let sql = "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?, 'main') ORDER BY seq DESC"
        return try connection.rows(sql, [.text(table)]).map { row in
            let sql = "SELECT name, coll, \"desc\" FROM pragma_index_xinfo(?, 'main') WHERE key = 1"
            let columns = try connection.rows(sql, [row[0]])
            return Table.Index(
                name: row[0].text ?? "", isUnique: row[1] == .integer(1), origin: row[2].text ?? "",
                isPartial: row[3] == .integer(1), columns: columns.map { $0[0].text },
                collations: columns.map { $0[1].text?.uppercased() ?? "" },
                hasDescending: columns.contains { $0[2] == .integer(1) })
        }
    }

    private static func foreignKeys(of table: String, _ connection: Connection) throws -> [Table.ForeignKey] {
        let sql =
            #"SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq"#
        var keys: [Table.ForeignKey] = []
        var id = Cell.null
        for row in try connection.rows(sql, [.text(table)]) {
            if row[0] != id {
                id = row[0]
                keys.append(
                    Table.ForeignKey(
                        parent: row[1].text ?? "", onDelete: row[4].text ?? "", onUpdate: row[5].text ?? ""))
            }
            keys[keys.count - 1].columns.append(row[2].text ?? "")
            if let column = row[3].text { keys[keys.count - 1].parentColumns.append(column) }
        }
        return keys
    }
}
