import GRDB

/// A table as the file has it, known by where it begins: a new name does not change that.
struct FoundTable {
    let name: String
    let page: Int
    /// The texts that made it and its indexes, whose names they have. Those of keys are in the table's own.
    fileprivate let texts: [Data]
    let columns: [String]
    let installed: InstalledTable

    var references: [ReferenceSchema] { installed.references }

    func position(of column: String) -> Int? { columns.firstIndex { $0.isSameName(as: column) } }
    func positions(of index: InstalledIndex) -> [Int?]? { index.columns?.map(position) }
}

/// The tables of a file between the steps of one run. A table is read once, and again where its text, its place or an index has changed,
/// or a table that it refers to: to read one takes ten statements, and each migration asks for all.
final class FoundTables {
    private var tables: [FoundTable] = []
    /// The version of the schema that they are of.
    private var version: Int?

    /// The tables as they are now.
    func read(_ db: Database) throws -> [FoundTable] {
        if try isCurrent(db) { return tables }
        let known = Dictionary(tables.map { (SQLName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        let found = try db.masterTables()
        let same = found.filter { known[SQLName($0.name)]?.isAsBefore($0) == true }
        let unchanged = Set(same.map { SQLName($0.name) })
        tables = try found.map { table in
            let name = SQLName(table.name)
            // What a reference without a key means is said by the table that it is to.
            if unchanged.contains(name), let known = known[name],
                known.references.allSatisfy({ unchanged.contains(SQLName($0.table)) })
            {
                return known
            }
            return try db.foundTable(table)
        }
        version = try db.schemaCookie()
        return tables
    }

    /// Whether the schema is still the one that was read.
    func isCurrent(_ db: Database) throws -> Bool { try db.schemaCookie() == version }
}

/// What `sqlite_master` says of a table.
private struct MasterTable {
    let name: String
    let page: Int
    var texts: [Data]
}

extension FoundTable {
    fileprivate func isAsBefore(_ table: MasterTable) -> Bool {
        name == table.name && page == table.page && texts == table.texts
    }
}

extension Database {
    fileprivate func masterTables() throws -> [MasterTable] {
        let sql = """
            SELECT type, iif(type = 'table', name, tbl_name), rootpage, sql FROM main.sqlite_master
            WHERE type IN ('table', 'index') AND rootpage > 0 AND sql IS NOT NULL ORDER BY type DESC, name
            """
        var tables: [MasterTable] = []
        var places: [SQLName: Int] = [:]
        for row in try Row.fetchAll(cachedStatement(sql: sql)) {
            // SQLite goes on where the file is damaged there.
            guard let name = row[1] as String? else { continue }
            let (page, text): (Int, Data) = (row[2], row[3])
            if row[0] == "index" {
                if let place = places[SQLName(name)] { tables[place].texts.append(text) }
            } else {
                places[SQLName(name)] = tables.count
                tables.append(MasterTable(name: name, page: page, texts: [text]))
            }
        }
        return tables
    }

    fileprivate func foundTable(_ table: MasterTable) throws -> FoundTable {
        FoundTable(
            name: table.name, page: table.page, texts: table.texts,
            columns: try tableSchema(named: table.name)?.columns.map(\.name) ?? [],
            installed: try installedTable(named: table.name))
    }
}
