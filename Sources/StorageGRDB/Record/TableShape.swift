import GRDB
import StorageSQLite

/// What has to be known of a table before caches and live lists may follow its changes row by row.
struct TableShape: Sendable {
    /// Whether it is a table of rows. Of views and virtual tables nobody knows when their rows change.
    var isTable = false
    /// Whether a row has one id in one form, as the model has it. A column of another type than the model's may give back
    /// another value than was saved, and an id must not have several spellings under a collation, nor a UUID several forms.
    var hasKnownRows = false
    /// Whether a row that is saved has the values that were bound. With `ON CONFLICT REPLACE` a column may take its default
    /// instead of NULL, and a trigger or `ON CONFLICT IGNORE` may leave the row as it was.
    var keepsValues = false
    /// The name under which SQL reaches the number that SQLite gives each row; nil where there is none.
    var rowid: String?
    /// The columns of the model whose texts are not compared byte by byte.
    var collatedColumns: Set<String> = []
}

extension RecordTable {
    /// The shape of the table.
    func shape() -> SchemaMemo<TableShape> { SchemaMemo { try $0.shape(of: self) } }
}

extension Database {
    /// Whether a trigger of the table may say `RAISE(IGNORE)`.
    private func hasTriggerThatIgnores(of table: String) throws -> Bool {
        // Not by LIKE, which may be told to know capitals.
        let triggers = ["main.sqlite_master", "temp.sqlite_master"].map {
            "SELECT 1 FROM \($0) WHERE type = 'trigger' AND lower(tbl_name) = lower(?1) AND instr(lower(sql), 'ignore')"
        }
        return try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (\(triggers.joined(separator: " UNION ALL ")))"), arguments: [table])
            ?? false
    }

    /// The lowercased names of all tables that hold rows: no views and no virtual tables, of whose changes nobody tells.
    func tablesOfRows() throws -> Set<String> {
        let sql = "SELECT lower(name) FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
        return Set(try String.fetchAll(cachedStatement(sql: sql)))
    }

    fileprivate func shape<R>(of table: RecordTable<R>) throws -> TableShape {
        let made = try tableSQL(table.name)
        // By scalars: whether a `Character` is a letter takes the longest of all this.
        let words =
            made?.lowercased().unicodeScalars.split { !("a"..."z").contains($0) && $0 != "_" }.map(String.init) ?? []
        var shape = TableShape()
        shape.isTable = made != nil && !words.starts(with: ["create", "virtual"])
        guard shape.isTable else { return shape }
        shape.keepsValues =
            try !words.contains("replace") && !words.contains("ignore") && !hasTriggerThatIgnores(of: table.name)
        shape.rowid = try rowidName(of: table.name)
        shape.collatedColumns = Set(try table.columns.map(\.name).filter { try !comparesBytes($0, of: table.name) })
        let schema = TableSchema(name: table.name, columns: table.columns)
        let hasOneForm = table.sql.idArguments(.text(UUID().uuidString)).count == 1
        // SQLite stores 1.0 as the integer 1, and may tell of it as that.
        let hasRealId = table.columns.contains { $0.name == table.idColumn && Affinity(of: $0.type) == .real }
        shape.hasKnownRows =
            try hasOneForm && !hasRealId && !shape.collatedColumns.contains(table.idColumn)
            && diff(schema).retypedColumns.isEmpty
        return shape
    }
}
