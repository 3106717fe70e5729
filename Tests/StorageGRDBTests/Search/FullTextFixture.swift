import GRDB
import StorageTestSupport

@testable import StorageGRDB

/// The ways in which a table can hold its key, each with a road of its own through the index.
enum KeyKind: String, CaseIterable, Sendable {
    case text, integer, withoutRowid

    var tableSQL: String {
        let key = self == .integer ? "INTEGER" : "TEXT"
        let options = self == .withoutRowid ? "WITHOUT ROWID" : ""
        return """
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE articles (
                id \(key) PRIMARY KEY, title TEXT, body TEXT, slug INTEGER UNIQUE, other INTEGER,
                parent INTEGER REFERENCES parents(id) ON DELETE CASCADE
            ) \(options)
            """
    }

    func key(_ number: Int) -> DatabaseValue {
        self == .integer ? number.databaseValue : "k\(number)".databaseValue
    }

    func keys(_ numbers: Int...) -> [DatabaseValue] { numbers.map(key) }
}

/// A file with a table of articles and a full-text index.
final class FullTextFixture: Sendable {
    let folder: TemporaryFolder
    let queue: GRDB.DatabaseQueue
    let kind: KeyKind
    let index: FullTextIndex

    init(
        _ kind: KeyKind = .text, columns: [String] = ["title", "body"], tokenizer: String = "porter",
        sql: String? = nil,
        built: Bool = true
    ) throws {
        folder = try TemporaryFolder()
        queue = try GRDB.DatabaseQueue(path: folder.file().path)
        self.kind = kind
        let index = FullTextIndex(table: "articles", columns: columns, tokenizer: tokenizer)
        self.index = index
        try run(sql ?? kind.tableSQL)
        if built { try queue.write { db in try index.build(on: db) } }
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try queue.writeWithoutTransaction { db in
            // GRDB stops the process over a transaction left open, which would hide why the test fails.
            defer { if db.isInsideTransaction { try? db.rollback() } }
            try db.execute(sql: sql, arguments: arguments)
        }
    }

    /// Writes a row with a key, a title and a body, in the order of the table's columns.
    func insert(_ number: Int, _ title: String?, _ body: String? = nil, slug: Int? = nil) throws {
        try run(
            "INSERT INTO articles (id, title, body, slug) VALUES (?, ?, ?, ?)", [kind.key(number), title, body, slug])
    }

    /// The keys of the rows that a search finds, in order.
    func hits(_ query: String) throws -> [DatabaseValue] {
        try queue.read { db in try index.hits(query, on: db) }
    }

    /// Whether FTS5 finds its structures to agree with the texts it has.
    func checkIntegrity() throws {
        try run("INSERT INTO articles_fts (articles_fts) VALUES ('integrity-check')")
    }

    func staleCount() throws -> Int { try queue.read { db in try index.staleCount(on: db) } }

    func isCurrent() throws -> Bool { try queue.read { db in try index.isCurrent(on: db) } }

    func build() throws { try queue.write { db in try index.build(on: db) } }
}

extension FullTextIndex {
    func hits(_ query: String, on db: Database) throws -> [DatabaseValue] {
        guard let key = try FullTextSource.find(table, on: db)?.key else { return [] }
        let column = "\(table.quotedIdentifier).\(key.column.quotedIdentifier)"
        let documents = name.quotedIdentifier
        return try DatabaseValue.fetchAll(
            db,
            sql: """
                WITH keys (docid, id) AS (\(key.listSQL(ofTable: table, idColumn: key.column)))
                SELECT \(column) FROM \(documents) JOIN keys ON keys.docid = \(documents).rowid
                JOIN \(table.quotedIdentifier) ON keys.id = \(column)
                WHERE \(documents) MATCH ? ORDER BY \(column)
                """,
            arguments: [query])
    }
}

extension FullTextIndex {
    /// How many documents have lost their row to another one that replaced it. They are no hits, and they go when a row with their
    /// key is written or the index is built again.
    func staleCount(on db: Database) throws -> Int {
        guard let key = try FullTextSource.find(table, on: db)?.key else { return 0 }
        let documents = (name + "_docsize").quotedIdentifier
        let known = "SELECT docid FROM (\(documentsSQL(key: key)))"
        return try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(documents) WHERE id NOT IN (\(known))") ?? 0
    }
}
