import GRDB

/// An FTS5 index over columns of one table, which triggers keep right.
///
/// The index has a copy of the texts, although FTS5 can read them from the table instead: to forget a document
/// it needs the text as it was, and `INSERT OR REPLACE` takes rows away without a word to any trigger. With its
/// own copy a document can be forgotten by its number at any later time.
///
/// A row that goes because another one takes its value of some *other* unique column leaves its document behind.
/// So a hit counts only if its row is there: a search joins the two, by ``FullTextKey/listSQL(ofTable:idColumn:)``.
struct FullTextIndex: Sendable, Equatable {
    let table: String
    let columns: [String]
    /// The argument of FTS5's `tokenize` option, such as `porter unicode61 remove_diacritics 2`.
    let tokenizer: String

    var name: String { FullTextSearch.indexName(ofTable: table) }

    /// Whether the index in the file is exactly this one. It is not if a trigger went missing, as all do when
    /// the table is dropped or rebuilt, if one came from elsewhere, or if columns, tokenizer or key are others.
    func isCurrent(on db: Database) throws -> Bool {
        guard let key = try FullTextSource.find(table, on: db)?.key else { return false }
        return try Set(partsInFile(on: db)) == Set(parts(key: key))
    }

    /// The index that the file has of a table, if it is whole.
    static func inFile(of table: String, on db: Database) throws -> FullTextIndex? {
        let name = FullTextSearch.indexName(ofTable: table)
        guard let made = try db.tableSQL(name), let spelled = try db.spelledName(ofTable: name),
            let tokens = [SQLToken](of: Array(made.utf8)),
            let tokenizer = tokens.last(where: { $0.kind == .quoted })?.text
        else { return nil }
        // As it was declared, which is the name in the texts of its parts.
        let declared = String(spelled.dropLast(name.count - table.count))
        let index = FullTextIndex(table: declared, columns: try db.indexedColumns(of: table), tokenizer: tokenizer)
        return try index.isCurrent(on: db) ? index : nil
    }

    /// Whether the file has its tables.
    func hasTables(on db: Database) throws -> Bool {
        let tables = try FullTextSource.find(table, on: db)?.key.map(parts)?.filter { $0.kind == .table } ?? []
        let found = try partsInFile(on: db).map(\.name)
        return tables.allSatisfy { part in found.contains { $0.isSameName(as: part.name) } }
    }

    /// Creates the index and fills it from the rows that there are. What there is of an older one goes first.
    ///
    /// - Parameters:
    ///   - db: The connection of the writer.
    ///   - progress: Called after each part of the rows, with the number of rows done and the number of all. What it
    ///     throws ends the build.
    /// - Throws: What ``checkedKey(on:)`` throws. The file is then as it was before.
    func build(on db: Database, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }) throws {
        let key = try checkedKey(on: db)
        try db.inSavepoint {
            try drop(on: db)
            for part in parts(key: key) { try db.execute(sql: part.sql) }
            try fill(key: key, on: db, progress: progress)
            return .commit
        }
    }

    /// Removes the index and its triggers, as far as they are there.
    ///
    /// - Parameter rows: What the table is called now, if it has got another name than the index goes by.
    func drop(on db: Database, ofTable rows: String? = nil) throws {
        try db.inSavepoint {
            for part in try partsInFile(on: db, ofTable: rows) { try drop(part, on: db) }
            return .commit
        }
    }

    private func drop(_ part: FullTextPart, on db: Database) throws {
        do {
            try db.execute(sql: part.dropSQL)
        } catch let error as DatabaseError
            where part.sql.makesFTS5Table && [.SQLITE_ERROR, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            // FTS5 drops no table that it cannot open. It holds nothing that the table of the rows does not.
            try db.takeFromSchema(part.name)
            for shadow in shadowNames {
                try db.execute(sql: "DROP TABLE IF EXISTS main.\(shadow.quotedIdentifier)")
            }
        }
    }
}

extension Database {
    /// Makes the file forget a table without opening it.
    fileprivate func takeFromSchema(_ table: String) throws {
        try execute(sql: "PRAGMA writable_schema = ON")
        // SQLite reads the schema anew then.
        defer { try? execute(sql: "PRAGMA writable_schema = RESET") }
        try execute(sql: "DELETE FROM main.sqlite_master WHERE name = ?", arguments: [table])
    }
}
