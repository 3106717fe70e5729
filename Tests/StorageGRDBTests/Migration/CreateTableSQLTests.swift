import StorageKit
import Testing

@testable import StorageGRDB

/// The one clause that is taken out of a table's text.
@Suite struct CreateTableSQLTests {
    @Test(arguments: [
        ("x TEXT NOT NULL", "x TEXT"),
        (#""x" TEXT NOT NULL"#, #""x" TEXT"#),
        ("'x' TEXT NOT NULL", "'x' TEXT"),
        ("`X` TEXT not null", "`X` TEXT"),
        ("[x]NOT NULL", "[x]"),
        ("x NOT NULL", "x"),
        ("x UNSIGNED BIG INT NOT NULL UNIQUE", "x UNSIGNED BIG INT UNIQUE"),
        ("x DECIMAL(10, 2) NOT NULL COLLATE NOCASE", "x DECIMAL(10, 2) COLLATE NOCASE"),
        ("x TEXT NOT NULL ON CONFLICT REPLACE UNIQUE", "x TEXT UNIQUE"),
        ("x TEXT CONSTRAINT there NOT NULL CHECK (x <> '')", "x TEXT CHECK (x <> '')"),
        (#"x TEXT CONSTRAINT "not null" NOT NULL"#, "x TEXT"),
        ("x TEXT CHECK (x IS NOT NULL) NOT NULL", "x TEXT CHECK (x IS NOT NULL)"),
        ("x TEXT CHECK (x <> 'NOT NULL)') NOT NULL", "x TEXT CHECK (x <> 'NOT NULL)')"),
        ("x TEXT CHECK (x <> 'it''s NOT NULL') NOT NULL", "x TEXT CHECK (x <> 'it''s NOT NULL')"),
        (
            "x TEXT REFERENCES t (a) ON DELETE SET NULL NOT NULL NOT DEFERRABLE",
            "x TEXT REFERENCES t (a) ON DELETE SET NULL NOT DEFERRABLE"
        ),
        ("x TEXT NOT NULL NOT NULL", "x TEXT"),
        ("x TEXT /* NOT NULL, */ NOT NULL", "x TEXT /* NOT NULL, */"),
        ("x TEXT -- ) NOT NULL\n NOT NULL", "x TEXT -- ) NOT NULL\n"),
        ("x TEXT NOT /* so */ NULL", "x TEXT"),
        ("x TEXT NOT NULL-- why\n", "x TEXT -- why\n"),
    ])
    func theClauseGoesAndAllElseStays(definition: String, changed: String) throws {
        let (before, after) = (
            #"CREATE TABLE "a (,""b" (id TEXT NOT NULL, "#, ", y TEXT NOT NULL, CHECK (x NOT NULL)) STRICT"
        )
        let sql = try #require(CreateTableSQL(before + definition + after))
        #expect(sql.allowingNull(in: "x") == before + changed + after)
    }

    @Test(arguments: [
        "CREATE TABLE t (y TEXT NOT NULL)", "CREATE TABLE t (x TEXT)", "CREATE TABLE t (x TEXT CHECK (x NOT NULL))",
        "CREATE TABLE t (y TEXT, CONSTRAINT x CHECK (y NOT NULL))",
        #"CREATE TABLE t (x "NOT" NULL)"#,
    ])
    func whatHasNoSuchClauseIsNotChanged(text: String) throws {
        #expect(try #require(CreateTableSQL(text)).allowingNull(in: "x") == nil)
    }

    @Test(arguments: [
        "", "CREATE VIRTUAL TABLE t USING fts5(x)", "CREATE TABLE t (x TEXT NOT NULL",
        "CREATE TABLE t (x 'TEXT NOT NULL)",
        "CREATE TABLE t AS SELECT 1",
    ])
    func whatIsNoTextOfATableIsNotUnderstood(text: String) {
        #expect(CreateTableSQL(text) == nil)
    }

    @Test func aColumnCalledLikeAConstraintIsFoundBetweenQuotes() throws {
        let sql = try #require(CreateTableSQL(#"CREATE TABLE t ("check" TEXT NOT NULL, CHECK (1))"#))
        #expect(sql.allowingNull(in: "check") == #"CREATE TABLE t ("check" TEXT, CHECK (1))"#)
    }

    @Test func theWordsOfAutoSchemaAreToldFromOthers() throws {
        let sql = try #require(
            CreateTableSQL(#"CREATE TABLE t ("a" TEXT NOT NULL, b TEXT NOT NULL, "c" TEXT  NOT NULL)"#))
        let declared = ["a", "b", "c", "d"].filter { sql.declares(ColumnSchema(name: $0, type: "TEXT", notNull: true)) }
        #expect(declared == ["a"])
    }
}
