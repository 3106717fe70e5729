import StorageSQLite

/// What `inspect` tells of a file; also the shape of its JSON.
struct FileSummary: Encodable {
    struct TableSummary: Encodable {
        let name: String
        let kind: String
        /// Nil where this SQLite cannot read the table.
        let rows: Int?
        /// The bytes of the table without its indexes; nil where this SQLite cannot tell.
        let bytes: Int?
        let columns: [String]
        let indexes: [IndexSummary]
    }

    struct IndexSummary: Encodable {
        let name: String
        let columns: [String]
        let unique: Bool
        let bytes: Int?
    }

    struct CacheSummary: Encodable {
        let table: String
        let entries: Int
        let bytes: Int
        let expired: Int
    }

    struct FullTextSummary: Encodable {
        let name: String
        let table: String?
        let columns: [String]
        let module: String
        /// Nil where this SQLite cannot read the index.
        let documents: Int?
    }

    let file: String
    let bytes: Int
    let pageBytes: Int
    let pages: Int
    let freePages: Int
    let journalMode: String
    let logBytes: Int?
    let encoding: String
    let userVersion: Int
    let applicationId: Int
    let tables: [TableSummary]
    let views: [String]
    let triggers: [String]
    let migrations: [String]
    let caches: [CacheSummary]
    let fullTextIndexes: [FullTextSummary]

    init(of file: DatabaseFile, _ connection: Connection) throws {
        let catalog = try Catalog(connection)
        let parts = try StorageKitParts(catalog, connection)
        self.file = file.path
        bytes = file.byteCount
        logBytes = file.logByteCount
        // A connection to a file that is held not to change takes it for one without a log.
        journalMode = file.hasWriteAheadLog ? "wal" : try FileSummary.text("PRAGMA journal_mode", connection)
        pageBytes = try connection.integer("PRAGMA page_size")
        pages = try connection.integer("PRAGMA page_count")
        freePages = try connection.integer("PRAGMA freelist_count")
        encoding = try FileSummary.text("PRAGMA encoding", connection)
        userVersion = try connection.integer("PRAGMA user_version")
        applicationId = try connection.integer("PRAGMA application_id")
        let sizes = FileSummary.sizes(connection)
        tables = catalog.tables.filter { $0.kind == .table || $0.kind == .virtual }.map { table in
            FileSummary.summary(of: table, sizes: sizes, connection)
        }
        views = catalog.tables.filter { $0.kind == .view }.map(\.name)
        triggers = catalog.parts.filter { $0.type == "trigger" }.map(\.name).sorted()
        migrations = parts.migrations
        caches = try parts.caches.map { try FileSummary.cache($0, connection) }
        fullTextIndexes = parts.fullTextIndexes.map { index in
            FullTextSummary(
                name: index.name, table: index.table, columns: index.columns, module: index.module,
                documents: FileSummary.count(index.name, connection))
        }
    }

    private static func summary(of table: Table, sizes: [[UInt8]: Int], _ connection: Connection) -> TableSummary {
        let indexes = table.indexes.map { index in
            IndexSummary(
                name: index.name, columns: index.columns.map { $0 ?? "(expression)" }, unique: index.isUnique,
                bytes: sizes[index.name.nameKey])
        }
        return TableSummary(
            name: table.name, kind: table.kind.rawValue, rows: count(table.name, connection),
            bytes: table.kind == .virtual ? nil : sizes[table.name.nameKey], columns: table.columns.map(\.name),
            indexes: indexes)
    }

    private static func text(_ pragma: String, _ connection: Connection) throws -> String {
        try connection.rows(pragma).first?.first?.text ?? "?"
    }

    /// The rows of a table. A virtual table may need a module that is not here.
    private static func count(_ table: String, _ connection: Connection) -> Int? {
        try? connection.integer("SELECT COUNT(*) FROM main.\(table.quotedName)")
    }

    /// The bytes of tables and indexes by the keys of their names; empty where SQLite was built without the table that tells.
    static func sizes(_ connection: Connection) -> [[UInt8]: Int] {
        let rows = try? connection.rows("SELECT name, pgsize FROM dbstat('main') WHERE aggregate = TRUE")
        let sizes = (rows ?? []).compactMap { row in
            row[0].text.map { ($0.nameKey, Int(row[1].integer ?? 0)) }
        }
        return Dictionary(sizes) { first, _ in first }
    }

    private static func cache(_ table: String, _ connection: Connection) throws -> CacheSummary {
        let rows = try connection.rows(
            """
            SELECT COUNT(*), IFNULL(SUM(LENGTH("blob")), 0), COUNT(*) FILTER (WHERE "expiresAt" <= datetime('now')) \
            FROM main.\(table.quotedName)
            """)
        let numbers = rows[0].map { Int($0.integer ?? 0) }
        return CacheSummary(table: table, entries: numbers[0], bytes: numbers[1], expired: numbers[2])
    }
}
