import GRDB
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct FullTextCheckTests {
    private let folder: TemporaryFolder
    private let queue: GRDB.DatabaseQueue

    init() throws {
        folder = try TemporaryFolder()
        queue = try GRDB.DatabaseQueue(path: folder.file().path)
        try queue.write { db in
            try db.execute(
                sql: #"""
                    CREATE TABLE articles (id TEXT PRIMARY KEY, title TEXT, "a ""b""" TEXT, rank INTEGER);
                    INSERT INTO articles (id, title) VALUES ('k1', 'fox');
                    CREATE VIEW seen AS SELECT * FROM articles;
                    CREATE VIRTUAL TABLE notes USING fts5(title);
                    CREATE TABLE keyless (title TEXT);
                    CREATE TABLE pairs (a TEXT, b TEXT, title TEXT, PRIMARY KEY (a, b))
                    """#)
        }
    }

    /// The message of the error; checks on the way that nothing has changed.
    private func message(
        _ table: String = "articles", _ columns: [String] = ["title"], _ tokenizer: String = "porter"
    ) throws -> String? {
        let index = FullTextIndex(table: table, columns: columns, tokenizer: tokenizer)
        return try queue.write { db in
            let before = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master")
            let error = #expect(throws: StorageError.self) { _ = try index.checkedKey(on: db) }
            let sameError = #expect(throws: StorageError.self) { try index.build(on: db) }
            #expect(try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master") == before)
            #expect(try index.isCurrent(on: db) == false)
            #expect(error?.description == sameError?.description)
            if case .queryFailed = error { Issue.record("no misuse: \(String(describing: error))") }
            return error?.description
        }
    }

    @Test func aMissingTableIsToBeCreatedFirst() throws {
        #expect(
            try message("posts")
                == "create table 'posts' first: call autoSchema before addFullTextSearch")
    }

    @Test(arguments: ["", "sqlite_stuff", "a\"b", "a\0b"])
    func aNameThatNoTableCanHaveIsRefused(name: String) throws {
        #expect(try message(name) == StorageError.invalidTableName(name).description)
    }

    @Test(arguments: [("seen", "view"), ("notes", "virtual table"), ("notes_content", "shadow table")])
    func onlyATableCanHaveAnIndex(name: String, kind: String) throws {
        #expect(try message(name) == "'\(name)' is a \(kind); only ordinary tables can have a full-text index")
    }

    /// SQLite calls it a shadow, by its name alone.
    @Test(arguments: ["fts5(title, content='letters_content')", "fts5(title, content='')", "fts4(title, content='')"])
    func aTableBesideAFullTextTableThatKeepsNoTextsCanHaveAnIndex(module: String) throws {
        let index = FullTextIndex(table: "letters_content", columns: ["title"], tokenizer: "porter")
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE letters_content (id TEXT PRIMARY KEY, title TEXT);
                    CREATE VIRTUAL TABLE letters USING \(module)
                    """)
            try index.build(on: db)
            #expect(try index.isCurrent(on: db))
        }
    }

    @Test func aTableWithoutPrimaryKeyIsRefused() throws {
        #expect(
            try message("keyless")
                == "table 'keyless' has no primary key; a full-text index needs one to know the rows by")
    }

    @Test func aKeyOfTwoColumnsIsRefused() throws {
        #expect(
            try message("pairs")
                == "the primary key of table 'pairs' is made of 'a', 'b'; a full-text index needs a key of one column")
    }

    @Test func aMissingColumnIsReportedWithThoseThatThereAre() throws {
        #expect(
            try message("articles", ["titel", "title", "text"])
                == "table 'articles' has no columns 'titel', 'text'; it has 'id', 'title', 'a \"b\"', 'rank'")
        #expect(try message("articles", ["title\0"])?.hasPrefix("table 'articles' has no column 'title\0'") == true)
    }

    @Test func aColumnInTheOtherCaseOfALetterOutsideASCIIIsMissing() throws {
        try queue.write { db in try db.execute(sql: #"ALTER TABLE articles ADD COLUMN "größe" TEXT"#) }
        #expect(try message("articles", ["GRÖßE"])?.hasPrefix("table 'articles' has no column 'GRÖßE'") == true)
    }

    @Test func noColumnsAtAllAreRefused() throws {
        #expect(try message("articles", []) == "name the columns of table 'articles' to index")
    }

    @Test func aColumnNamedTwiceIsRefused() throws {
        #expect(
            try message("articles", ["title", "Title"])
                == "column 'Title' is named twice for the full-text index of table 'articles'")
    }

    @Test(arguments: ["rank", "rowid", "articles_fts", "Rank"])
    func aColumnWhoseNameFTS5NeedsIsRefused(column: String) throws {
        try queue.write { db in
            try db.execute(sql: "ALTER TABLE articles ADD COLUMN rowid; ALTER TABLE articles ADD COLUMN articles_fts")
        }
        #expect(
            try message("articles", ["title", column])
                == "FTS5 keeps the name '\(column)' for itself, so that column cannot be indexed")
    }

    @Test(arguments: ["nope", "porter nope", "unicode61 bogus 1", "unicode61 tokenchars '-", "porter') --", "a\0b"])
    func aTokenizerThatFTS5DoesNotKnowIsNamed(tokenizer: String) throws {
        #expect(try message("articles", ["title"], tokenizer)?.contains("the tokenizer '\(tokenizer)'") == true)
    }

    @Test(arguments: [
        "porter", "unicode61", "ascii", "trigram", "porter unicode61 remove_diacritics 2",
        "unicode61 tokenchars '-_'", "trigram case_sensitive 1",
    ])
    func aTokenizerOfFTS5Works(tokenizer: String) throws {
        let index = FullTextIndex(table: "articles", columns: ["title"], tokenizer: tokenizer)
        try queue.write { db in
            _ = try index.checkedKey(on: db)
            try index.build(on: db)
            #expect(try index.hits("fox", on: db) == ["k1".databaseValue])
            #expect(try index.isCurrent(on: db))
        }
    }

    @Test func optionsOfATokenizerCount() throws {
        let index = FullTextIndex(table: "articles", columns: ["title"], tokenizer: "unicode61 tokenchars '-_'")
        try queue.write { db in
            try index.build(on: db)
            try db.execute(sql: "UPDATE articles SET title = 'snake_case'")
            #expect(try index.hits("snake", on: db) == [])
            #expect(try index.hits("snake_case", on: db) == ["k1".databaseValue])
        }
    }

    @Test(arguments: [
        "CREATE TABLE articles_fts (x)", "CREATE VIEW articles_fts AS SELECT 1", "CREATE TABLE articles_fts_ids (x)",
        "CREATE VIRTUAL TABLE articles_fts USING rtree(id, a, b)",
        "CREATE VIRTUAL TABLE articles_fts USING fts5(author, remark)",
        "CREATE VIRTUAL TABLE \"articles_fts\" USING fts5(\"title\", tokenize='porter', detail='none')",
        "CREATE VIRTUAL TABLE articles_fts USING fts5(title, content='articles', content_rowid='rank')",
        "CREATE TABLE articles_fts_data (x)", "CREATE TABLE Articles_FTS_idx (x)",
        "CREATE TABLE articles_fts_content (x)",
        "CREATE VIEW articles_fts_docsize AS SELECT 1", "CREATE INDEX articles_fts_config ON pairs (title)",
        "CREATE TRIGGER articles_fts_ai AFTER INSERT ON keyless BEGIN DELETE FROM pairs; END",
        "CREATE TRIGGER articles_fts_au AFTER UPDATE ON articles BEGIN DELETE FROM pairs; END",
    ])
    func whatHasANameOfTheIndexIsNotDropped(sql: String) throws {
        try queue.write { db in try db.execute(sql: sql) }
        #expect(
            try message()?.hasSuffix(
                "which something else has; rename that, or make it anew under another name if it is a full-text table")
                == true)
        try expectDroppingChangesNothing()
    }

    private func expectDroppingChangesNothing() throws {
        try queue.write { db in
            let before = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master")
            try FullTextIndex(table: "articles", columns: ["title"], tokenizer: "porter").drop(on: db)
            #expect(try Row.fetchAll(db, sql: "SELECT * FROM sqlite_master") == before)
        }
    }

    /// As GRDB makes it, by `synchronize(withTable:)`.
    @Test func aFullTextTableOfGRDBsIsNotDropped() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE VIRTUAL TABLE "articles_fts" USING fts5(title, content='articles', content_rowid='rowid');
                    CREATE TRIGGER "__articles_fts_ai" AFTER INSERT ON "articles" BEGIN
                        INSERT INTO "articles_fts"("rowid", "title") VALUES (new."rowid", new."title");
                    END
                    """)
        }
        #expect(
            try message() == "the full-text index of table 'articles' needs the name 'articles_fts', "
                + "which something else has; rename that, or make it anew under another name if it is a full-text table"
        )
        try expectDroppingChangesNothing()
    }
}
