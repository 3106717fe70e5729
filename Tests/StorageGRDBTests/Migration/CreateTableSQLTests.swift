import StorageKit
import Testing

@testable import StorageGRDB

/// The one clause that is changed in a table's text.
@Suite struct CreateTableSQLTests {
    private let x = ColumnSchema(name: "x", type: "TEXT")

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
        #expect(sql.applying(.allowNull(x)) == before + changed + after)
    }

    @Test(arguments: [
        "CREATE TABLE t (y TEXT NOT NULL)", "CREATE TABLE t (x TEXT)", "CREATE TABLE t (x TEXT CHECK (x NOT NULL))",
        "CREATE TABLE t (y TEXT, CONSTRAINT x CHECK (y NOT NULL))",
        #"CREATE TABLE t (x "NOT" NULL)"#,
    ])
    func whatHasNoSuchClauseIsNotChanged(text: String) throws {
        #expect(try #require(CreateTableSQL(text)).applying(.allowNull(x)) == nil)
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
        #expect(
            sql.applying(.allowNull(ColumnSchema(name: "check", type: "TEXT")))
                == #"CREATE TABLE t ("check" TEXT, CHECK (1))"#)
    }

    @Test func aColumnWithLettersOutsideOfASCIINeedsNoQuotes() throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (größe TEXT NOT NULL)"))
        let column = ColumnSchema(name: "größe", type: "TEXT")
        #expect(sql.applying(.allowNull(column)) == "CREATE TABLE t (größe TEXT)")
    }

    @Test func theWordsOfAutoSchemaAreToldFromOthers() throws {
        let sql = try #require(
            CreateTableSQL(#"CREATE TABLE t ("a" TEXT NOT NULL, b TEXT NOT NULL, "c" TEXT  NOT NULL)"#))
        let declared = ["a", "b", "c", "d"].filter { sql.declares(ColumnSchema(name: $0, type: "TEXT", notNull: true)) }
        #expect(declared == ["a"])
    }

    @Test(arguments: [
        ("x TEXT", "x INTEGER"), ("x", "x INTEGER"), (#""x" VARCHAR(20) NOT NULL"#, #""x" INTEGER NOT NULL"#),
        ("x UNSIGNED BIG INT DEFAULT 3", "x INTEGER DEFAULT 3"), ("x TEXT COLLATE NOCASE", "x INTEGER COLLATE NOCASE"),
        ("x DECIMAL(10, 2) CHECK (x > 0)", "x INTEGER CHECK (x > 0)"),
        ("x REFERENCES t (a)", "x INTEGER REFERENCES t (a)"),
        ("x DECIMAL(10,2)NOT NULL", "x INTEGER NOT NULL"), ("x DECIMAL(10,2)DEFAULT 5", "x INTEGER DEFAULT 5"),
        (#""x"CHECK (x > 0)"#, #""x" INTEGER CHECK (x > 0)"#),
    ])
    func theTypeIsReplacedAndAllElseStays(definition: String, changed: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (id TEXT, \(definition), y)"))
        let changedSQL = sql.applying(.type(x, to: ColumnSchema(name: "x", type: "INTEGER")))
        #expect(changedSQL == "CREATE TABLE t (id TEXT, \(changed), y)")
    }

    @Test(arguments: [
        ("x TEXT", "x TEXT NOT NULL"), ("x TEXT DEFAULT ''", "x TEXT NOT NULL DEFAULT ''"), ("x", "x NOT NULL"),
        ("x TEXT -- why\n", "x TEXT NOT NULL -- why\n"), (#"x "TEXT"CHECK (x)"#, #"x "TEXT" NOT NULL CHECK (x)"#),
    ])
    func notNullStandsBehindTheType(definition: String, changed: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (id TEXT, \(definition))"))
        #expect(sql.applying(.refuseNull(x)) == "CREATE TABLE t (id TEXT, \(changed))")
    }

    @Test(arguments: [
        ("x", "x DEFAULT 7"), ("x TEXT NOT NULL", "x TEXT DEFAULT 7 NOT NULL"), ("x DEFAULT 3", "x DEFAULT 7"),
        ("x TEXT DEFAULT 'a b' NOT NULL", "x TEXT DEFAULT 7 NOT NULL"),
        ("x REAL DEFAULT -1.5e-3 UNIQUE", "x REAL DEFAULT 7 UNIQUE"),
        ("x TEXT CONSTRAINT d DEFAULT (1 + (2)) CHECK (x)", "x TEXT DEFAULT 7 CHECK (x)"),
        (
            "x TEXT DEFAULT x'00' REFERENCES t ON DELETE SET DEFAULT",
            "x TEXT DEFAULT 7 REFERENCES t ON DELETE SET DEFAULT"
        ),
        ("x TEXT NOT NULL DEFAULT NULL", "x TEXT DEFAULT 7 NOT NULL"),
    ])
    func aDefaultTakesThePlaceOfAnother(definition: String, changed: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (id TEXT, \(definition), y DEFAULT 1)"))
        #expect(sql.applying(.changeDefault(of: "x", to: "7")) == "CREATE TABLE t (id TEXT, \(changed), y DEFAULT 1)")
    }

    private static let reference = ReferenceSchema(column: "x", table: "lists", onDelete: .cascade)

    @Test(arguments: [
        "x TEXT REFERENCES lists", #"x TEXT REFERENCES "lists"("id") ON DELETE CASCADE"#,
        "x TEXT CONSTRAINT r REFERENCES Lists (id) ON DELETE SET NULL ON UPDATE NO ACTION",
        "x TEXT REFERENCES [lists] (id) MATCH FULL ON DELETE RESTRICT NOT DEFERRABLE INITIALLY IMMEDIATE",
        "x TEXT REFERENCES lists (id) DEFERRABLE INITIALLY DEFERRED",
    ])
    func aReferenceGoesWithAllThatBelongsToIt(definition: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (id, \(definition) UNIQUE, y REFERENCES lists)"))
        #expect(
            sql.applying(.dropReference(Self.reference)) == "CREATE TABLE t (id, x TEXT UNIQUE, y REFERENCES lists)")
    }

    @Test func aReferenceComesAtTheEndOfItsColumn() throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (id, x TEXT NOT NULL -- why\n, y)"))
        let clause = #"REFERENCES "lists"("id") ON DELETE CASCADE"#
        #expect(
            sql.applying(.addReference(Self.reference)) == "CREATE TABLE t (id, x TEXT NOT NULL \(clause) -- why\n, y)")
    }

    @Test(arguments: [
        ("x TEXT, y TEXT", "x TEXT PRIMARY KEY, y TEXT"),
        ("x TEXT UNIQUE, y TEXT PRIMARY KEY", "x TEXT PRIMARY KEY UNIQUE, y TEXT"),
        (
            "x TEXT, y INTEGER CONSTRAINT k PRIMARY KEY DESC ON CONFLICT FAIL AUTOINCREMENT",
            "x TEXT PRIMARY KEY, y INTEGER"
        ),
        ("x TEXT, y INTEGER PRIMARY KEY ASC", "x TEXT PRIMARY KEY, y INTEGER"),
        ("x TEXT, y, PRIMARY KEY (x, y), CHECK (1)", "x TEXT PRIMARY KEY, y, CHECK (1)"),
        ("x TEXT, y, CONSTRAINT k PRIMARY KEY (y) ON CONFLICT FAIL", "x TEXT PRIMARY KEY, y"),
    ])
    func theKeyIsPutInThePlaceOfTheOneThatWas(columns: String, changed: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (\(columns)) STRICT"))
        #expect(sql.applying(.key(["x"], givesIds: false)) == "CREATE TABLE t (\(changed)) STRICT")
    }

    @Test(arguments: ["PRIMARY KEY (x, y) CHECK (y > 0)", "UNIQUE (y) PRIMARY KEY (x, y)"])
    func aKeyThatSharesItsPlaceWithAnotherConstraintIsNotUnderstood(constraints: String) throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (x TEXT, y, \(constraints))"))
        #expect(sql.applying(.key(["x"], givesIds: false)) == nil)
    }

    @Test func aKeyOfSeveralColumnsStandsBehindThem() throws {
        let sql = try #require(CreateTableSQL("CREATE TABLE t (x TEXT PRIMARY KEY, y)"))
        let changed = sql.applying(.key(["x", "y"], givesIds: false))
        #expect(changed == #"CREATE TABLE t (x TEXT, y, PRIMARY KEY ("x", "y"))"#)
    }
}
