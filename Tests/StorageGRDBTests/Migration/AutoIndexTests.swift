import StorageKit
import Testing

@testable import StorageGRDB

/// Indexes and unique keys of a model.
@Suite struct AutoIndexTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private func users(_ indexes: IndexSchema..., columns: [ColumnSchema] = [.text("slug"), .text("name")])
        -> TableSchema
    {
        TableSchema(name: "users", columns: [.id] + columns, indexes: indexes)
    }

    @Test func anIndexWhoseNameIsTakenInOtherLettersGetsAnother() throws {
        try file.start(users())
        try file.execute("CREATE TABLE other (x); CREATE INDEX IDX_USERS_SLUG ON other (x)")
        try file.start(users(IndexSchema(["slug"])))
        #expect(try file.values("SELECT count(*) FROM pragma_index_list('users') WHERE origin = 'c'") == ["1"])
    }

    @Test func aUniqueKeyOfSomeRowsByHandIsNoKeyOfTheTable() throws {
        try file.execute(
            """
            CREATE TABLE users (id TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL);
            CREATE UNIQUE INDEX some ON users (id) WHERE name <> '';
            """)
        try file.start(users())
        #expect(throws: DatabaseError.self) {
            try file.execute("INSERT INTO users VALUES ('1', '', ''), ('1', '', '')")
        }
    }

    @Test func anIndexByHandThatIsNotUniqueIsNoKeyOfTheTable() throws {
        try file.execute(
            """
            CREATE TABLE users (id TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT NULL);
            CREATE INDEX mine ON users (id);
            """)
        try file.start(users())
        #expect(throws: DatabaseError.self) {
            try file.execute("INSERT INTO users VALUES ('1', '', ''), ('1', '', '')")
        }
    }

    @Test func aUniqueKeyOfSomeRowsDoesNotStandForOneOfAll() throws {
        try file.start(users(IndexSchema(["slug"], isUnique: true, condition: "name <> ''")))
        try file.start(users(IndexSchema(["slug"], isUnique: true)))
        #expect(throws: DatabaseError.self) {
            try file.execute("INSERT INTO users VALUES ('1', 's', ''), ('2', 's', '')")
        }
    }

    /// An earlier version of StorageKit has put it on record under another name.
    @Test func anIndexOfAnEarlierVersionIsForgottenOnceItIsGone() throws {
        let (with, without) = (
            TableSchema(name: "notes", columns: [.id, .text("body")], indexes: [IndexSchema(["body"])]),
            TableSchema(name: "notes", columns: [.id, .text("body")])
        )
        try file.start(with)
        let name = try file.indexes()[0]
        let sql = try #require(try file.sql(name))
        try file.execute(
            "UPDATE grdb_migrations SET identifier = replace(identifier, 'storage_schema_index:', 'auto_schema_index:')"
        )
        try file.start(without)
        #expect(try file.indexes() == [])
        try file.execute(sql)
        try file.start(without)
        #expect(try file.indexes() == [name])
    }

    @Test func anIndexIsMadeUnderAReadableName() throws {
        let done = try file.start(users(IndexSchema(["slug", "name"])))
        #expect(done == ["Create table 'users'", "Create index 'slug', 'name' of 'users'"])
        #expect(
            try file.sql("idx_users_slug_name") == #"CREATE INDEX "idx_users_slug_name" ON "users" ("slug", "name")"#)
    }

    @Test func aUniqueKeyThatIgnoresCaseRefusesTheSameInCapitals() throws {
        try file.start(users(IndexSchema(["slug"], isUnique: true, ignoresCase: true)))
        let sql = #"CREATE UNIQUE INDEX "unique_users_slug_nocase" ON "users" ("slug" COLLATE NOCASE)"#
        #expect(try file.sql("unique_users_slug_nocase") == sql)
        try file.execute("INSERT INTO users VALUES ('1', 'ada', '')")
        #expect(throws: (any Error).self) { try file.execute("INSERT INTO users VALUES ('2', 'ADA', '')") }
    }

    @Test func anIndexThatTheModelNoLongerHasIsDropped() throws {
        try file.start(users(IndexSchema(["slug"]), IndexSchema(["name"], isUnique: true)))
        let done = try file.start(users(IndexSchema(["name"])))
        #expect(try file.indexes() == ["idx_users_name"])
        #expect(done.contains("Drop index 'unique_users_name' of 'users', which the model no longer has"))
    }

    @Test func aUniqueKeyThatAnotherTableRefersByIsNotDropped() throws {
        try file.start(users(IndexSchema(["slug"], isUnique: true)))
        try file.execute("CREATE TABLE logins (slug TEXT REFERENCES users (slug))")
        let error = try file.refuse(users())
        #expect("\(String(describing: error))".contains("foreign key mismatch"))
    }

    @Test func anIndexMadeByHandStays() throws {
        try file.start(users())
        try file.execute("CREATE INDEX idx_users_name ON users (name); CREATE INDEX mine ON users (slug, id)")
        try file.start(users(IndexSchema(["slug"])))
        try file.start(users(IndexSchema(["name"])))
        #expect(try file.indexes() == ["idx_users_name", "mine"])
    }

    @Test func anIndexMadeByHandDoesForTheModel() throws {
        try file.execute("CREATE TABLE users (id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL)")
        try file.execute("CREATE INDEX mine ON users (name)")
        #expect(try file.start(users(IndexSchema(["name"]), IndexSchema(["slug"], isUnique: true))) == [])
        try file.start(users())
        #expect(try file.indexes() == ["mine"])
    }

    @Test func anIndexOfTheModelThatWasChangedByHandStays() throws {
        try file.start(users(IndexSchema(["slug"])))
        try file.execute("DROP INDEX idx_users_slug; CREATE INDEX idx_users_slug ON users (slug DESC)")
        try file.start(users(IndexSchema(["slug"])))
        #expect(try file.indexes() == ["idx_users_slug", "idx_users_slug_2"])
        try file.start(users())
        #expect(try file.indexes() == ["idx_users_slug"])
    }

    @Test func anIndexThatWentMissingIsMadeAgain() throws {
        try file.start(users(IndexSchema(["slug"])))
        try file.execute("DROP INDEX idx_users_slug")
        #expect(try file.start(users(IndexSchema(["slug"]))) == ["Create index 'slug' of 'users'"])
    }

    @Test func aColumnThatComparesWithoutCaseIsIndexedAsItIs() throws {
        try file.execute(
            "CREATE TABLE users (id TEXT PRIMARY KEY, slug TEXT NOT NULL COLLATE NOCASE, name TEXT NOT NULL)")
        #expect(try file.start(users(IndexSchema(["slug"]))).count == 1)
    }

    @Test func aUniqueKeyThatRowsBreakIsATypedErrorAndChangesNothing() throws {
        try file.start(users())
        try file.execute("INSERT INTO users VALUES ('1', 'a', 'x'), ('2', 'A', 'x'), ('3', 'b', 'x'), ('4', 'a', 'y')")
        let error = try file.refuse(
            users(IndexSchema(["slug"], isUnique: true), columns: [.text("slug"), .text("name"), .text("more")]))
        #expect(
            error as? SchemaConflictError
                == SchemaConflictError(table: "users", columns: ["slug"], reason: .duplicates(rows: 2)))
        #expect(error?.localizedDescription.contains("2 rows share their values") == true)
        let ignoring = try file.refuse(users(IndexSchema(["slug"], isUnique: true, ignoresCase: true)))
        #expect((ignoring as? SchemaConflictError)?.reason == .duplicates(rows: 3))
    }

    @Test func rowsWithoutAValueAreNotCountedAmongThoseThatBreakAUniqueKey() throws {
        let columns: [ColumnSchema] = [.text("slug", notNull: false), .text("name", notNull: false)]
        try file.start(users(columns: columns))
        try file.execute("INSERT INTO users VALUES ('1', NULL, ''), ('2', NULL, ''), ('3', 'a', ''), ('4', 'a', '')")
        let error = try file.refuse(users(IndexSchema(["slug"], isUnique: true), columns: columns))
        #expect((error as? SchemaConflictError)?.reason == .duplicates(rows: 2))
    }

    @Test func aUniqueKeyIsMadeInTheFileThoughATemporaryTableHasTheNameOfItsTable() throws {
        try file.start(users())
        try file.execute("CREATE TEMP TABLE users (x)")
        try file.start(users(IndexSchema(["slug"], isUnique: true)))
        #expect(try file.indexes() == ["unique_users_slug"])
    }

    @Test func aMigrationBehindAutoSchemaMayMakeTheRowsUnique() throws {
        try file.start(users(columns: [.text("name")]))
        try file.execute("INSERT INTO users VALUES ('1', 'x'), ('2', 'y')")
        try file.start(users(IndexSchema(["slug"], isUnique: true))) { schema in
            schema.migration("slugs") { try $0.execute(sql: "UPDATE users SET slug = name") }
        }
        #expect(try file.values("SELECT slug FROM users ORDER BY id") == ["x", "y"])
    }

    @Test func idsThatSQLiteGivesAreNotGivenAgain() throws {
        let lines = TableSchema(
            name: "lines", columns: [ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)],
            givesIds: true)
        try file.start(lines)
        #expect(try file.sql("lines") == #"CREATE TABLE "lines" ("id" INTEGER PRIMARY KEY AUTOINCREMENT)"#)
        try file.execute(
            "INSERT INTO lines VALUES (NULL), (NULL); DELETE FROM lines WHERE id = 2; INSERT INTO lines VALUES (NULL)")
        #expect(try file.values("SELECT id FROM lines") == ["1", "3"])
    }

    @Test func aTableWhoseIdsSQLiteGivesFromNowOnIsMadeAnew() throws {
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "lines", columns: [id, .text("line")]))
        try file.execute("INSERT INTO lines VALUES (7, 'a')")
        let done = try file.start(TableSchema(name: "lines", columns: [id, .text("line")], givesIds: true))
        #expect(done == ["Make 'id' the primary key of 'lines'"])
        try file.execute("DELETE FROM lines; INSERT INTO lines (line) VALUES ('b')")
        #expect(try file.values("SELECT id FROM lines") == ["8"])
    }

    @Test(arguments: [
        "CREATE TABLE lines (id INT, line TEXT NOT NULL)",
        "CREATE TABLE lines (id BIGINT NOT NULL PRIMARY KEY, line TEXT NOT NULL)",
        "CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER UNIQUE, line TEXT NOT NULL)",
    ])
    func idsAreGivenInATableMadeByHandToo(sql: String) throws {
        try file.execute(sql)
        try file.execute("INSERT INTO lines (id, line) VALUES (7, 'a')")
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "lines", columns: [id, .text("line")], givesIds: true))
        try file.execute("INSERT INTO lines (line) VALUES ('b')")
        #expect(try file.values("SELECT id FROM lines ORDER BY id") == ["7", "8"])
    }

    @Test func idsOfATableThatHadAnotherKeyAreNotGivenAgain() throws {
        try file.execute(
            """
            CREATE TABLE lines (number INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER UNIQUE, line TEXT NOT NULL);
            INSERT INTO lines (id, line) VALUES (7, 'a')
            """)
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "lines", columns: [id, .text("line")], givesIds: true))
        try file.execute("DELETE FROM lines; INSERT INTO lines (line) VALUES ('b')")
        #expect(try file.values("SELECT id FROM lines") == ["8"])
    }

    @Test func aUniqueKeyThatTheDefaultOfNullsWouldBreakIsTold() throws {
        let slug = ColumnSchema(name: "slug", type: "TEXT", notNull: true, defaultValue: "''")
        func people(_ slug: ColumnSchema) -> TableSchema {
            TableSchema(name: "people", columns: [.id, slug], indexes: [IndexSchema(["slug"], isUnique: true)])
        }
        try file.start(people(.text("slug", notNull: false)))
        try file.execute("INSERT INTO people VALUES ('1', NULL), ('2', NULL)")
        let error = try file.refuse(people(slug))
        #expect(
            error as? SchemaConflictError
                == SchemaConflictError(table: "people", columns: ["slug"], reason: .nulls(rows: 2)))
    }
}
