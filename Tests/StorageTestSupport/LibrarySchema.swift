package import StorageKit

/// Two versions of one schema, known by name in every process of a test.
///
/// The step from the old to the new one holds each kind of change: a table rebuilt in another shape, columns and a
/// table added, all rows changed, an index; and in `shelves`, which become `racks`, all that a model may declare. Each migration notes in the table `runs` that it ran.
package enum LibrarySchema: String, Sendable, CaseIterable {
    case old, new

    package func describe(_ schema: inout AppMigrations) {
        schema.addKVCache()
        if self == .new {
            schema.migration("2026-02_loans_in_hours") { try LibrarySchema.rebuildLoans($0) }
        }
        schema.autoSchema(tables: tables + [self == .old ? LibrarySchema.shelves : LibrarySchema.racks])
        if self == .new { schema.drop(column: "color", ofTable: "racks") }
        schema.migration("2026-01_runs") { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS runs (id TEXT NOT NULL)")
            try LibrarySchema.note("2026-01_runs", db)
        }
        if self == .new {
            schema.migration("2026-02_loud_titles") { db in
                try db.execute(sql: "UPDATE books SET title = upper(title) || '!', shelf = 'S' || (pages % 7)")
                try LibrarySchema.note("2026-02_loud_titles", db)
            }
            schema.migration("2026-02_title_index") { db in
                try db.execute(sql: "CREATE INDEX books_title ON books (title, shelf)")
                try LibrarySchema.note("2026-02_title_index", db)
            }
        }
    }

    /// The migrations of the version in the order in which they note that they ran, on a file that was at the
    /// old version before.
    package static let runsOfAnUpgrade = [
        "2026-01_runs", "2026-02_loans_in_hours", "2026-02_loud_titles", "2026-02_title_index",
    ]

    private static let shelves = TableSchema(
        name: "shelves",
        columns: [
            ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true),
            ColumnSchema(name: "label", type: "TEXT", notNull: true), ColumnSchema(name: "floor", type: "TEXT"),
            ColumnSchema(name: "note", type: "TEXT"), ColumnSchema(name: "bookId", type: "TEXT"),
            ColumnSchema(name: "color", type: "TEXT"),
        ], indexes: [IndexSchema(["label"]), IndexSchema(["floor"])])

    /// The same with other names, an id that SQLite gives, another type, a column that takes no NULL, a reference and other indexes.
    private static let racks = TableSchema(
        name: "racks",
        columns: [
            ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true),
            ColumnSchema(name: "title", type: "TEXT", notNull: true), ColumnSchema(name: "floor", type: "INTEGER"),
            ColumnSchema(name: "note", type: "TEXT", notNull: true, defaultValue: "'none'"),
            ColumnSchema(name: "bookId", type: "TEXT"),
        ],
        indexes: [IndexSchema(["title"], isUnique: true), IndexSchema(["floor"])],
        references: [ReferenceSchema(column: "bookId", table: "books", onDelete: .cascade)], formerNames: ["shelves"],
        formerColumnNames: ["title": ["label"]], givesIds: true)

    /// How the statements begin with which the declared changes are made, one for each kind.
    package static let declaredSteps = [
        #"ALTER TABLE main."shelves" RENAME TO"#, #"ALTER TABLE main."racks" RENAME COLUMN"#,
        #"ALTER TABLE main."racks" DROP COLUMN"#, "DROP INDEX main.", #"UPDATE main."racks" SET "note""#,
        "CREATE TABLE temp.storagekit_trial", "INSERT INTO temp.storagekit_trial", "UPDATE temp.storagekit_trial",
        "CREATE TABLE temp.storagekit_waiting_rows", "INSERT INTO temp.storagekit_waiting_rows",
        #"DROP TABLE main."racks""#,
        #"CREATE TABLE "racks""#, #"INSERT INTO main."racks""#,
        "CREATE UNIQUE INDEX main.", "CREATE INDEX main.", "COMMIT",
    ]

    private var tables: [TableSchema] {
        let books = [
            ColumnSchema(name: "id", type: "TEXT", primaryKey: true),
            ColumnSchema(name: "title", type: "TEXT", notNull: true),
            ColumnSchema(name: "pages", type: "INTEGER", notNull: true),
            ColumnSchema(name: "updatedAt", type: "DATETIME", notNull: true),
        ]
        let added = [
            ColumnSchema(name: "shelf", type: "TEXT", notNull: true),
            ColumnSchema(name: "price", type: "REAL"),
            ColumnSchema(name: "returnedAt", type: "DATETIME", notNull: true),
        ]
        let loans = [
            ColumnSchema(name: "id", type: "INTEGER", primaryKey: true),
            ColumnSchema(name: "bookId", type: "TEXT", notNull: true),
            ColumnSchema(name: self == .old ? "days" : "hours", type: "INTEGER", notNull: true),
        ]
        let readers = [
            ColumnSchema(name: "id", type: "TEXT", primaryKey: true),
            ColumnSchema(name: "name", type: "TEXT", notNull: true),
        ]
        let both = [
            TableSchema(name: "books", columns: self == .old ? books : books + added),
            TableSchema(name: "loans", columns: loans),
        ]
        return self == .old ? both : both + [TableSchema(name: "readers", columns: readers)]
    }

    /// Stands before auto-schema, which would otherwise add the column that the rebuilt table has.
    private static func rebuildLoans(_ db: Database) throws {
        guard try db.tableExists("loans") else { return }
        try db.execute(
            sql: """
                CREATE TABLE loans_new (id INTEGER PRIMARY KEY, bookId TEXT NOT NULL, hours INTEGER NOT NULL);
                INSERT INTO loans_new SELECT id, bookId, days * 24 FROM loans;
                DROP TABLE loans;
                ALTER TABLE loans_new RENAME TO loans
                """)
        try note("2026-02_loans_in_hours", db)
    }

    private static func note(_ id: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO runs VALUES (?)", arguments: [id])
    }
}
