import GRDB

/// A table as a file has it, beside its columns: its text, its references and its indexes.
struct InstalledTable {
    let sql: String
    /// The columns that SQLite computes.
    let generatedColumns: Set<SQLName>
    /// The references of one column each.
    let references: [ReferenceSchema]
    let indexes: [InstalledIndex]
}

/// An index as a file has it, or what SQLite made by itself for a key.
struct InstalledIndex {
    let name: String
    /// Nil for what SQLite made by itself.
    let sql: String?
    let isUnique: Bool
    /// Whether it is that of the primary key, which has none where it is the number of the row.
    let isOfKey: Bool
    /// The columns; nil where it is over something else, or not in ascending order.
    let columns: [String]?
    /// Whether `a` and `A` are the same to it.
    let ignoresCase: Bool
    /// Whether it compares values as its columns do.
    let comparesAsColumns: Bool
    /// The condition of the rows that are in it.
    let condition: String?

    /// Whether it is such an index, whatever its name.
    func isSame(as index: IndexSchema) -> Bool {
        isUnique == index.isUnique && condition == index.condition
            && columns?.map(SQLName.init) == index.columns.map(SQLName.init)
            && (index.ignoresCase ? ignoresCase : comparesAsColumns)
    }

    /// Whether rows are found by the column with it.
    func begins(with column: String) -> Bool {
        condition == nil && comparesAsColumns && columns?.first?.isSameName(as: column) == true
    }
}

extension Database {
    /// What the file has of a table that is there.
    func installedTable(named name: String) throws -> InstalledTable {
        let generated = "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden > 1"
        return InstalledTable(
            sql: try tableSQL(name) ?? "",
            generatedColumns: Set(
                try String.fetchAll(cachedStatement(sql: generated), arguments: [name]).map(SQLName.init)),
            references: try installedReferences(of: name), indexes: try installedIndexes(of: name))
    }

    /// The references of one column, in the order of the table's text.
    func installedReferences(of table: String) throws -> [ReferenceSchema] {
        try installedForeignKeys(of: table).filter { $0.columns.count == 1 }.map { key in
            ReferenceSchema(
                column: key.columns[0], table: key.parent, key: key.keys.first ?? "", onDelete: key.onDelete,
                onUpdate: key.onUpdate)
        }
    }

    private func installedIndexes(of table: String) throws -> [InstalledIndex] {
        let sql = """
            SELECT list.name, list."unique", list.partial, master.sql, list.origin FROM pragma_index_list(?, 'main') AS list
            LEFT JOIN main.sqlite_master AS master ON master.type = 'index' AND master.name = list.name ORDER BY list.seq DESC
            """
        return try Row.fetchAll(cachedStatement(sql: sql), arguments: [table]).map { row in
            let (name, sql): (String, String?) = (row[0], row[3])
            let ofKeys =
                #"SELECT name, "desc", upper(coll) FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno"#
            let keys = try Row.fetchAll(cachedStatement(sql: ofKeys), arguments: [name])
            let columns = keys.compactMap { ($0[1] as Bool) ? nil : $0[0] as String? }
            return InstalledIndex(
                name: name, sql: sql, isUnique: row[1], isOfKey: row[4] == "pk",
                columns: columns.count == keys.count ? columns : nil,
                ignoresCase: keys.allSatisfy { $0[2] == "NOCASE" },
                comparesAsColumns: keys.allSatisfy { key in
                    (key[0] as String?).map { key[2] == collation(of: $0, in: table) } ?? false
                },
                condition: (row[2] as Bool) ? sql?.conditionOfIndex : nil)
        }
    }
}

extension String {
    /// What stands behind `WHERE` in the text of a partial index.
    fileprivate var conditionOfIndex: String? {
        let bytes = Array(utf8)
        guard let place = [SQLToken](of: bytes)?.first(where: { $0.isKeyword("where") })?.range.upperBound else {
            return nil
        }
        return String(decoding: bytes[place...], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
