import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// `addFullTextSearch` as a step of a schema.
@Suite struct FullTextStepTests {
    private let folder: TemporaryFolder
    private let pool: GRDB.DatabasePool
    private static let articles = TableSchema(
        name: "articles",
        columns: [
            ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true),
            ColumnSchema(name: "title", type: "TEXT", notNull: true),
            ColumnSchema(name: "content", type: "TEXT", notNull: true),
        ])

    init() throws {
        folder = try TemporaryFolder()
        pool = try GRDB.DatabasePool(path: folder.file().path)
    }

    @discardableResult
    private func run(_ describe: (inout AppMigrations) -> Void) throws -> [String] {
        try AppMigrations.start(on: pool, describe)
    }

    private func hits(_ query: String) throws -> Int? {
        try pool.read { db in
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM articles_fts WHERE articles_fts MATCH ?", arguments: [query])
        }
    }

    private func save(_ id: String, _ title: String) throws {
        try pool.write { db in
            try db.execute(sql: "INSERT INTO articles VALUES (?, ?, '')", arguments: [id, title])
        }
    }

    @Test func theIndexIsMadeOnceAndFollowsTheTable() throws {
        let schema: (inout AppMigrations) -> Void = { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title", "content"])
        }
        #expect(try run(schema).last == "Applied storage_fts_v1:articles_fts")
        try save("1", "Running water")
        #expect(try hits("run") == 1)
        #expect(try run(schema) == [])
    }

    /// SQLite takes capitals for small letters, and refuses to drop a column that a trigger names.
    @Test func aColumnIsDroppedFromAnIndexThatIsDeclaredInOtherCapitals() throws {
        try run { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "Articles", columns: ["title", "content"])
        }
        try save("1", "Running water")
        let less = TableSchema(name: "articles", columns: Array(Self.articles.columns.prefix(2)))
        let next: (inout AppMigrations) -> Void = { schema in
            schema.autoSchema(tables: [less])
            schema.drop(column: "content", ofTable: "articles")
            schema.addFullTextSearch(table: "Articles", columns: ["title"])
        }
        try run(next)
        #expect(try hits("run") == 1)
        #expect(try run(next) == [])
    }

    @Test func anOlderVersionWithoutAModelLeavesTheIndexAsANewerOneHasIt() throws {
        let version = { (columns: [String]) in
            { (schema: inout AppMigrations) in
                schema.migration("1") {
                    try $0.execute(sql: "CREATE TABLE articles(id INTEGER PRIMARY KEY, title TEXT, content TEXT)")
                }
                schema.addFullTextSearch(table: "articles", columns: columns)
            }
        }
        try run(version(["title"]))
        #expect(try run(version(["title", "content"])) == ["Applied storage_fts_v1:articles_fts"])
        #expect(try run(version(["title"])).allSatisfy { !$0.hasPrefix("Applied") })
        #expect(try run(version(["title", "content"])) == [])
    }

    @Test func rowsThatWereThereBeforeAreFound() throws {
        try run { $0.autoSchema(tables: [Self.articles]) }
        try save("1", "Running water")
        try run { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        #expect(try hits("water") == 1)
    }

    @Test func anIndexBeforeItsTableSaysWhichTableToCreateFirst() throws {
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.addFullTextSearch(table: "articles", columns: ["title"])
                schema.autoSchema(tables: [Self.articles])
            }
        }
        guard case .migrationFailed("storage_fts_v1:articles_fts", _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(error?.localizedDescription.contains("create table 'articles' first") == true)
        #expect(try pool.read { try $0.tableExists("articles") } == false)
    }

    @Test func theSameCallTwiceIsHarmless() throws {
        let log = try run { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        #expect(log.count { $0.contains("fts") } == 1)
    }

    @Test func twoIndexesOfOneTableAreRefused() throws {
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.autoSchema(tables: [Self.articles])
                schema.addFullTextSearch(table: "articles", columns: ["title"])
                schema.addFullTextSearch(table: "Articles", columns: ["content"])
            }
        }
        guard case .invalidConfiguration = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func otherColumnsBuildTheIndexAnew() throws {
        for columns in [["title"], ["title", "content"], ["content"]] {
            let schema: (inout AppMigrations) -> Void = { schema in
                schema.autoSchema(tables: [Self.articles])
                schema.addFullTextSearch(table: "articles", columns: columns)
            }
            #expect(try run(schema).isEmpty == false)
            #expect(try run(schema) == [])
            #expect(try pool.read { try $0.columns(in: "articles_fts").map(\.name) } == columns)
        }
    }

    /// FTS5 cannot even drop such a table, and the triggers keep the rows from being written.
    @Test(
        arguments: [
            "DELETE FROM articles_fts_data", "DROP TABLE articles_fts_config", "UPDATE articles_fts_config SET v = 99",
        ])
    func anIndexThatCannotBeOpenedIsBuiltAnewOnceATriggerIsDropped(damage: String) throws {
        let schema: (inout AppMigrations) -> Void = { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try run(schema)
        try save("1", "Running water")
        try pool.write { try $0.execute(sql: damage) }
        try pool.close()
        let again = try GRDB.DatabasePool(path: folder.file().path)
        try again.write { try $0.execute(sql: "DROP TRIGGER articles_fts_ai") }
        #expect(try AppMigrations.start(on: again, schema).last == "Applied storage_fts_v1:articles_fts")
        try again.write { try $0.execute(sql: "INSERT INTO articles VALUES ('2', 'water', '')") }
        let found = try again.read { db in
            try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM articles_fts WHERE articles_fts MATCH 'water'")
        }
        #expect(found == 2)
        #expect(try again.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }

    @Test func aMigrationThatRebuildsTheTableLeavesTheIndexRightInTheSameStart() throws {
        let schema: (inout AppMigrations) -> Void = { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try run(schema)
        try save("1", "Running water")
        let next: (inout AppMigrations) -> Void = { more in
            schema(&more)
            more.migration("rebuild") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE rebuilt (id TEXT PRIMARY KEY, title TEXT NOT NULL, content TEXT NOT NULL);
                        INSERT INTO rebuilt SELECT * FROM articles; DROP TABLE articles;
                        ALTER TABLE rebuilt RENAME TO articles; UPDATE articles SET title = 'Still air'
                        """)
            }
        }
        try run(next)
        #expect(try run(next) == [])
        #expect(try hits("air") == 1)
        #expect(try hits("water") == 0)
    }

    @Test(arguments: [
        ("articles_fts_data", "shadow"), ("articles_fts_content", "shadow"), ("ARTICLES_FTS_config", "shadow"),
        ("articles_fts", "virtual"),
    ])
    func theTablesOfAnIndexAreNoTablesOfEntities(name: String, kind: String) throws {
        try run { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        try save("1", "Running water")
        let error = #expect(throws: StorageError.self) {
            try run { schema in
                schema.autoSchema(tables: [Self.articles, TableSchema(name: name, columns: Self.articles.columns)])
                schema.addFullTextSearch(table: "articles", columns: ["title"])
            }
        }
        #expect(error?.localizedDescription.contains("'\(name)' is a \(kind) table in the file") == true)
        try save("2", "water")
        #expect(try hits("water") == 2)
    }

    /// SQLite calls it a shadow, by its name alone.
    @Test(arguments: ["letters_content", "other", ""])
    func aTableBesideAFullTextTableThatKeepsNoTextsIsOneOfAnEntity(content: String) throws {
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE letters_content (id TEXT PRIMARY KEY, title TEXT NOT NULL);
                    CREATE VIRTUAL TABLE letters USING fts5(title, content = '\(content)', content_rowid='rowid');
                    """)
        }
        try run { $0.autoSchema(tables: [TableSchema(name: "letters_content", columns: Self.articles.columns)]) }
        #expect(try pool.read { try $0.columns(in: "letters_content").count } == Self.articles.columns.count)
    }

    @Test func aLongBuildReportsItsProgress() throws {
        try run { $0.autoSchema(tables: [Self.articles]) }
        try pool.write { db in
            try db.execute(
                sql: """
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20001)
                    INSERT INTO articles SELECT 'a' || i, 'word', '' FROM n
                    """)
        }
        let log = try run { schema in
            schema.autoSchema(tables: [Self.articles])
            schema.addFullTextSearch(table: "articles", columns: ["title"])
        }
        #expect(log.first == "Indexing 'articles' for full-text search: 20000 of 20001 rows")
    }
}
