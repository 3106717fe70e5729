import StorageKit
import Testing

@testable import StorageGRDB

/// Tables and columns that have another name in the model than in the file.
@Suite struct RenameTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private func notes(
        _ name: String = "notes", _ columns: ColumnSchema..., former: [String: [String]] = [:],
        formerNames: [String] = [],
        indexes: [IndexSchema] = []
    ) -> TableSchema {
        TableSchema(
            name: name, columns: [.id] + columns, indexes: indexes, formerNames: formerNames, formerColumnNames: former)
    }

    /// Starts with a migration of the app's before the model.
    private func start(_ tables: TableSchema..., behind sql: String) throws {
        try AppMigrations.start(on: file.queue) {
            $0.migration("by hand") { try $0.execute(sql: sql) }
            $0.autoSchema(tables: tables)
        }
    }

    @Test func aFormerPrefixIsThatOfOneEmbeddedValue() throws {
        var schema = AppMigrations()
        schema.autoSchema(TwoHomesRecord.self)
        let error = #expect(throws: StorageError.self) { try schema.run(on: DatabaseQueue()) }
        #expect(error?.localizedDescription.contains("'first_street' and 'second_street' of 'TwoHomes'") == true)
    }

    @Test func aFormerNameIsThatOfOneTable() throws {
        var schema = AppMigrations()
        schema.autoSchema(FirstHeir.HeirRecord.self, SecondHeir.HeirRecord.self)
        let error = #expect(throws: StorageError.self) { try schema.run(on: DatabaseQueue()) }
        #expect(error?.localizedDescription.contains("are both renamed from 'Elders'") == true)
    }

    @Test func tablesThatAreRenamedFromEachOtherAreRefused() throws {
        try file.start(notes("a", .text("x")), notes("b", .text("x")))
        let error = try file.refuse(
            notes("b", .text("x"), formerNames: ["a"]), notes("a", .text("x"), formerNames: ["b"]))
        #expect(error?.localizedDescription.contains("'b', 'a' are renamed from each other") == true)
    }

    @Test func tablesThatHaveChangedPlacesByAThirdNameAreThoseOfTheirRows() throws {
        try file.start(notes("a", .text("x")), notes("b", .text("x")))
        try file.execute("INSERT INTO a VALUES ('1', 'a'); INSERT INTO b VALUES ('1', 'b')")
        try file.start(notes("c", .text("x"), formerNames: ["a"]), notes("b", .text("x")))
        let other = notes("a", .text("x"), formerNames: ["b"])
        try file.start(notes("c", .text("x"), formerNames: ["a"]), other)
        try file.start(notes("b", .text("x"), formerNames: ["a", "c"]), other)
        #expect(try file.values("SELECT x FROM b UNION ALL SELECT x FROM a") == ["a", "b"])
    }

    @Test(arguments: ["plan", "migration"])
    func aRenameIsFollowedByViewsThoughTheAppAsksForTheOldWay(kind: String) throws {
        try file.start(notes("notes", .text("body")))
        try file.execute("CREATE VIEW bodies AS SELECT body FROM notes; INSERT INTO notes VALUES ('1', 'x')")
        let legacy = "PRAGMA legacy_alter_table = ON"
        if kind == "plan" { try file.execute(legacy) }
        try file.start(notes("memos", .text("body"), formerNames: ["notes"])) {
            if kind == "migration" { $0.migration("by hand") { try $0.execute(sql: legacy) } }
        }
        #expect(try file.values("SELECT * FROM bodies") == ["x"])
        #expect(try file.values("PRAGMA legacy_alter_table") == ["1"])
    }

    @Test func aColumnThatAViewNamesIsNotDroppedThoughTheAppAsksForTheOldWay() throws {
        try file.start(notes("notes", .text("body"), .text("more")))
        try file.execute("CREATE VIEW mores AS SELECT more FROM notes; PRAGMA legacy_alter_table = ON")
        let error = try file.refuse(notes("notes", .text("body"))) { $0.drop(column: "more", ofTable: "notes") }
        #expect("\(String(describing: error))".contains("view mores"))
    }

    @Test func aRenamedColumnKeepsItsDataAndWhatHangsOnIt() throws {
        try file.start(notes("notes", .text("body"), indexes: [IndexSchema(["body"])])) {
            $0.addFullTextSearch(table: "notes", columns: ["body"])
        }
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra'); CREATE VIEW bodies AS SELECT body FROM notes")
        let text = notes("notes", .text("text"), former: ["text": ["body"]], indexes: [IndexSchema(["text"])])
        let done = try file.start(text) { $0.addFullTextSearch(table: "notes", columns: ["text"]) }
        #expect(done.first == "Rename column 'body' of 'notes' to 'text'")
        #expect(try file.values("SELECT text FROM notes") == ["zebra"])
        #expect(try file.values("SELECT * FROM bodies") == ["zebra"])
        #expect(try file.indexes() == ["idx_notes_text"])
        #expect(try file.values("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'zebra'") == ["1"])
        try file.start(notes("notes", .text("text"), former: ["text": ["body"]])) {
            $0.addFullTextSearch(table: "notes", columns: ["text"])
        }
        #expect(try file.indexes() == [])
    }

    @Test func whatAMigrationRenamesStaysAutoSchemasOwn() throws {
        func people(
            _ table: String, _ name: String, _ team: String, isUnique: Bool, _ action: ReferenceAction
        ) -> TableSchema {
            TableSchema(
                name: table, columns: [.id, .text("extra", notNull: false), .text(name), .text(team)],
                indexes: isUnique ? [IndexSchema([name], isUnique: true)] : [],
                references: [ReferenceSchema(column: team, table: "teams", onDelete: action)])
        }
        let teams = TableSchema(name: "teams", columns: [.id])
        try file.start(teams, people("users", "name", "teamId", isUnique: true, .cascade))
        try file.execute("INSERT INTO teams VALUES ('t'); INSERT INTO users VALUES ('1', NULL, 'Ada', 't')")
        let rename = """
            ALTER TABLE users RENAME COLUMN name TO fullName;
            ALTER TABLE users RENAME TO people;
            ALTER TABLE people RENAME COLUMN teamId TO groupId;
            """
        try start(teams, people("people", "fullName", "groupId", isUnique: true, .cascade), behind: rename)
        #expect(try file.indexes() == ["idx_people_groupId", "unique_people_fullName"])
        try start(teams, people("people", "fullName", "groupId", isUnique: false, .setNull), behind: rename)
        #expect(try file.values("SELECT on_delete FROM pragma_foreign_key_list('people')") == ["SET NULL"])
        try file.execute("INSERT INTO people VALUES ('2', NULL, 'Ada', 't')")
        #expect(try file.indexes() == ["idx_people_groupId"])
    }

    @Test func whatAMigrationRenamesBesideADroppedColumnStaysAutoSchemasOwn() throws {
        func users(_ name: String, _ team: String, isUnique: Bool, _ action: ReferenceAction) -> TableSchema {
            TableSchema(
                name: "users", columns: [.id, .text(name), .text(team)],
                indexes: isUnique ? [IndexSchema([name], isUnique: true)] : [],
                references: [ReferenceSchema(column: team, table: "teams", onDelete: action)])
        }
        let teams = TableSchema(name: "teams", columns: [.id])
        var first = users("name", "teamId", isUnique: true, .cascade)
        first = TableSchema(
            name: "users", columns: [.id, .text("extra", notNull: false)] + first.columns.dropFirst(),
            indexes: first.indexes, references: first.references)
        try file.start(teams, first)
        try file.execute("INSERT INTO teams VALUES ('t'); INSERT INTO users VALUES ('1', NULL, 'Ada', 't')")
        try start(
            teams, users("fullName", "groupId", isUnique: false, .setNull),
            behind: """
                ALTER TABLE users DROP COLUMN extra;
                ALTER TABLE users RENAME COLUMN name TO fullName;
                ALTER TABLE users RENAME COLUMN teamId TO groupId;
                """)
        #expect(try file.indexes() == ["idx_users_groupId"])
        #expect(try file.values("SELECT on_delete FROM pragma_foreign_key_list('users')") == ["SET NULL"])
    }

    private func users(_ columns: [String], referring: [String], _ action: ReferenceAction = .cascade) -> TableSchema {
        TableSchema(
            name: "users", columns: [.id] + columns.map { .text($0, notNull: false) },
            references: referring.map { ReferenceSchema(column: $0, table: "teams", onDelete: action) })
    }

    @Test func aReferenceThatAMigrationMakesInAnAddedColumnIsNotTakenForAutoSchemas() throws {
        let teams = TableSchema(name: "teams", columns: [.id])
        let own = users(["teamId"], referring: ["teamId"])
        try file.start(teams, own)
        try start(
            teams, own, behind: "ALTER TABLE users ADD COLUMN squadId TEXT REFERENCES teams(id) ON DELETE CASCADE")
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('users')") == ["2"])
        try file.start(teams, users(["teamId"], referring: ["teamId"], .setNull)) {
            $0.migration("by hand") { _ in }
        }
        let actions = "SELECT \"from\", on_delete FROM pragma_foreign_key_list('users') ORDER BY 1"
        #expect(try file.values(actions) == ["squadId CASCADE", "teamId SET NULL"])
    }

    @Test func referencesThatAMigrationRenamesBesideADroppedColumnStayAutoSchemasOwnEach() throws {
        let teams = TableSchema(name: "teams", columns: [.id])
        try file.start(teams, users(["extra", "a", "b"], referring: ["a", "b"]))
        let rename = """
            ALTER TABLE users DROP COLUMN extra;
            ALTER TABLE users RENAME COLUMN a TO x;
            ALTER TABLE users RENAME COLUMN b TO y;
            """
        try start(teams, users(["x", "y"], referring: ["x", "y"], .setNull), behind: rename)
        #expect(
            try file.values("SELECT on_delete FROM pragma_foreign_key_list('users')") == ["SET NULL", "SET NULL"])
    }

    @Test func tablesThatAMigrationMakesAnewKeepTheirReferences() throws {
        let posts = TableSchema(name: "posts", columns: [.id])
        func children(_ action: ReferenceAction) -> [TableSchema] {
            ["comments", "likes"].map { name in
                TableSchema(
                    name: name, columns: [.id, .text("postId")],
                    references: [ReferenceSchema(column: "postId", table: "posts", onDelete: action)])
            }
        }
        try file.start(posts, children(.cascade)[0], children(.cascade)[1])
        let anew = ["comments", "likes"].map { name in
            """
            CREATE TABLE anew (id TEXT NOT NULL PRIMARY KEY, postId TEXT NOT NULL REFERENCES posts(id) ON DELETE CASCADE);
            INSERT INTO anew SELECT * FROM \(name); DROP TABLE \(name); ALTER TABLE anew RENAME TO \(name);
            """
        }
        try start(posts, children(.cascade)[0], children(.cascade)[1], behind: anew.joined())
        try file.start(posts, children(.setDefault)[0], children(.setDefault)[1]) { $0.migration("by hand") { _ in } }
        for name in ["comments", "likes"] {
            #expect(try file.values("SELECT on_delete FROM pragma_foreign_key_list('\(name)')") == ["SET DEFAULT"])
        }
    }

    @Test func aTableThatAMigrationRenamesBesideADroppedColumnStaysOneOfAModel() throws {
        try file.start(notes("notes", .text("title"), .text("body"), .text("extra")))
        try start(
            notes("memos", .text("title")),
            behind: "ALTER TABLE notes RENAME TO memos; ALTER TABLE memos DROP COLUMN extra")
        try file.execute("INSERT INTO memos (id, title) VALUES ('2', 'ant')")
        #expect(try file.values("SELECT body FROM memos") == ["NULL"])
    }

    @Test func aColumnThatAMigrationHasRenamedStaysOneThatAModelHad() throws {
        try file.start(notes("notes", .text("title"), .text("body")))
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'lion')")
        try start(
            notes("memos", .text("title")),
            behind: "ALTER TABLE notes RENAME COLUMN body TO text; ALTER TABLE notes RENAME TO memos")
        try file.execute("INSERT INTO memos (id, title) VALUES ('2', 'ant')")
        #expect(try file.values("SELECT text FROM memos ORDER BY id") == ["lion", "NULL"])
        try file.start(notes("memos", .text("title"), .text("text")))
        #expect(try file.values("SELECT text FROM memos ORDER BY id") == ["lion", ""])
    }

    @Test(arguments: [0, 1]) func aColumnIsRenamedThoughAnotherStepHasItUnderItsNewNameAlone(order: Int) throws {
        try file.start(notes("notes", .text("body"), .text("title")))
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'lion')")
        let steps = [
            notes("notes", .text("text")), notes("notes", .text("text"), .text("title"), former: ["text": ["body"]]),
        ]
        var schema = AppMigrations()
        schema.autoSchema(tables: [steps[order]])
        schema.autoSchema(tables: [steps[1 - order]])
        try schema.run(on: file.queue)
        #expect(try file.values("SELECT text FROM notes") == ["zebra"])
    }

    @Test func aSearchOfARenamedColumnThatIsDeclaredNoMoreGoesWithTheName() throws {
        try file.start(notes("notes", .text("title"), .text("body"))) {
            $0.addFullTextSearch(table: "notes", columns: ["title", "body"])
        }
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'lion')")
        try file.start(notes("notes", .text("heading"), .text("body"), former: ["heading": ["title"]]))
        #expect(try file.values("SELECT count(*) FROM sqlite_master WHERE name LIKE 'notes_fts%'") == ["0"])
        try file.start(notes("notes", .text("body"))) { $0.drop(column: "heading", ofTable: "notes") }
        #expect(try file.values("SELECT body FROM notes") == ["lion"])
    }

    @Test(arguments: [false, true]) func aDroppedColumnIsDroppedFromTheSearch(isDeclared: Bool) throws {
        try file.start(notes("notes", .text("title"), .text("body"))) {
            $0.addFullTextSearch(table: "notes", columns: ["title", "body"])
        }
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'lion')")
        try file.start(notes("notes", .text("title"))) {
            $0.drop(column: "body", ofTable: "notes")
            if isDeclared { $0.addFullTextSearch(table: "notes", columns: ["title"]) }
        }
        try file.execute("INSERT INTO notes VALUES ('2', 'zebra')")
        #expect(try file.values("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'zebra'") == ["2"])
        #expect(try file.values("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'lion'") == ["0"])
    }

    /// There SQLite moves the last table into the place of one that is dropped.
    @Test func inAFileWithAutoVacuumATableIsNotTakenForOneThatIsDropped() throws {
        try file.execute("PRAGMA auto_vacuum = FULL; VACUUM")
        let teams = TableSchema(name: "teams", columns: [.id])
        let columns = [ColumnSchema.id, .text("teamId", notNull: false)]
        let reference = ReferenceSchema(column: "teamId", table: "teams", onDelete: .noAction)
        try file.start(teams, TableSchema(name: "legacies", columns: columns, references: [reference]))
        try file.execute("CREATE TABLE users (id TEXT PRIMARY KEY, teamId TEXT REFERENCES teams(id))")
        let text = try file.sql("users")
        try file.start(teams, TableSchema(name: "users", columns: columns)) { schema in
            schema.migration("legacies go") { try $0.execute(sql: "DROP TABLE legacies") }
        }
        #expect(try file.sql("users") == text)
    }

    @Test func inAFileWithAutoVacuumATableIsKnownByItsNewName() throws {
        try file.execute("PRAGMA auto_vacuum = FULL; VACUUM")
        try file.start(notes("legacies", .text("title")), notes("notes", .text("title"), .text("body")))
        var schema = AppMigrations()
        schema.migration("other names") { db in
            try db.execute(sql: "ALTER TABLE notes RENAME TO memos; DROP TABLE legacies")
        }
        schema.autoSchema(tables: [notes("memos", .text("title"))])
        try schema.run(on: file.queue)
        try file.execute("INSERT INTO memos (id, title) VALUES ('1', 'a')")
        #expect(try file.values("SELECT id, title, body FROM memos") == ["1 a NULL"])
    }

    @Test func inAFileWithAutoVacuumAReferenceThatAMigrationHasGivenAnotherActionIsNotTakenForAutoSchemas() throws {
        try file.execute("PRAGMA auto_vacuum = FULL; VACUUM")
        let (teams, own) = (TableSchema(name: "teams", columns: [.id]), users(["teamId"], referring: ["teamId"]))
        try file.start(teams, own)
        let error = try file.refuse(teams, own) { schema in
            schema.migration("by hand") { db in
                try db.execute(
                    sql: """
                        DROP TABLE users;
                        CREATE TABLE users (
                            id TEXT PRIMARY KEY, teamId TEXT REFERENCES teams(id) ON DELETE CASCADE ON UPDATE CASCADE)
                        """)
            }
        }
        #expect((error as? SchemaConflictError)?.reason == .otherReference)
    }

    /// A trigger of it went missing.
    @Test func aColumnIsDroppedFromASearchThatIsNotWhole() throws {
        try file.start(notes("notes", .text("title"), .text("body"))) {
            $0.addFullTextSearch(table: "notes", columns: ["title", "body"])
        }
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'lion'); DROP TRIGGER notes_fts_ad")
        try file.start(notes("notes", .text("title"))) {
            $0.drop(column: "body", ofTable: "notes")
            $0.addFullTextSearch(table: "notes", columns: ["title"])
        }
        #expect(try file.values("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'zebra'") == ["1"])
        #expect(try file.values("SELECT count(*) FROM notes_fts WHERE notes_fts MATCH 'lion'") == ["0"])
    }

    @Test func whatAMigrationMakesAnewUnderAnOldNameIsNoLongerAutoSchemas() throws {
        let memos = notes("notes", .text("title"), indexes: [IndexSchema(["title"])])
        try file.start(memos)
        let ownIndex = """
            DROP INDEX idx_notes_title;
            CREATE UNIQUE INDEX "idx_notes_title" ON "notes" ("title" COLLATE NOCASE);
            """
        try start(memos, behind: ownIndex)
        try start(memos, behind: ownIndex)
        #expect(
            try file.values("SELECT \"unique\" FROM pragma_index_list('notes') WHERE name = 'idx_notes_title'") == ["1"]
        )
    }

    @Test func aReferenceThatComesToThePlaceOfAnotherIsNotTakenForIt() throws {
        func messages(_ columns: [ColumnSchema], _ action: ReferenceAction) -> TableSchema {
            TableSchema(
                name: "messages",
                columns: [.id] + columns + [.text("senderId", notNull: false), .text("receiverId", notNull: false)],
                references: ["senderId", "receiverId"].map {
                    ReferenceSchema(column: $0, table: "teams", onDelete: action)
                })
        }
        let teams = TableSchema(name: "teams", columns: [.id])
        try file.start(teams, messages([.text("subject", notNull: false)], .cascade))
        let drop = "ALTER TABLE messages DROP COLUMN subject"
        try start(teams, messages([], .cascade), behind: drop)
        try start(teams, messages([], .setNull), behind: drop)
        #expect(
            try file.values("SELECT on_delete FROM pragma_foreign_key_list('messages')") == ["SET NULL", "SET NULL"])
    }

    @Test func referencesWhoseNamesMoveUpStayAutoSchemasOwn() throws {
        func users(_ columns: [String], _ action: ReferenceAction) -> TableSchema {
            TableSchema(
                name: "users", columns: [.id] + columns.map { .text($0, notNull: false) },
                references: columns.map { ReferenceSchema(column: $0, table: "teams", onDelete: action) })
        }
        let teams = TableSchema(name: "teams", columns: [.id])
        try file.start(teams, users(["a", "b"], .cascade))
        let rename = "ALTER TABLE users RENAME COLUMN b TO c; ALTER TABLE users RENAME COLUMN a TO b"
        try start(teams, users(["b", "c"], .cascade), behind: rename)
        try start(teams, users(["b", "c"], .setNull), behind: rename)
        #expect(
            try file.values("SELECT on_delete FROM pragma_foreign_key_list('users')") == ["SET NULL", "SET NULL"])
    }

    @Test(arguments: ["a", "b"]) func renamesChainOverVersions(first: String) throws {
        try file.start(notes("notes", .text(first)))
        try file.execute("INSERT INTO notes VALUES ('1', 'x')")
        #expect(try file.start(notes("notes", .text("c"), former: ["c": ["a", "b"]])).count == 1)
        #expect(try file.values("SELECT c FROM notes") == ["x"])
    }

    @Test func aFormerNameThatIsAnothersNowIsPassedOverWhereALaterOneIsThere() throws {
        try file.start(notes("u", .text("body")))
        try file.execute("INSERT INTO u VALUES ('1', 'x')")
        let other = notes("u", .text("colour"))
        try file.start(notes("w", .text("body"), formerNames: ["u"]), other)
        try file.start(notes("x", .text("body"), formerNames: ["u", "w"]), other)
        #expect(try file.values("SELECT * FROM x") == ["1 x"])
        #expect(
            try file.values("SELECT name FROM sqlite_master WHERE name IN ('u', 'w', 'x') ORDER BY 1") == ["u", "x"])
    }

    @Test func aTableThatAMigrationRenamesLeavesNoSearchBehind() throws {
        try file.start(notes("notes", .text("body"))) { $0.addFullTextSearch(table: "notes", columns: ["body"]) }
        try file.execute(
            """
            INSERT INTO notes VALUES ('1', 'zebra');
            CREATE TRIGGER older AFTER DELETE ON notes BEGIN DELETE FROM notes_fts WHERE rowid = old.rowid; END
            """)
        var schema = AppMigrations()
        schema.migration("by hand") { try $0.execute(sql: "ALTER TABLE notes RENAME TO memos") }
        schema.autoSchema(tables: [notes("memos", .text("body"))])
        schema.addFullTextSearch(table: "memos", columns: ["body"])
        try schema.run(on: file.queue)
        #expect(try file.values("SELECT name FROM sqlite_master WHERE name LIKE 'notes%' OR name = 'older'") == [])
        #expect(try file.values("SELECT count(*) FROM memos_fts WHERE memos_fts MATCH 'zebra'") == ["1"])
    }

    /// It has the name of the search, which is gone.
    @Test(arguments: [false, true])
    func aFullTextTableOfTheAppsOwnStaysWhereItsTableIsRenamed(byHand: Bool) throws {
        try file.start(notes("notes", .text("body"))) { $0.addFullTextSearch(table: "notes", columns: ["body"]) }
        for event in ["ai", "au", "ad"] { try file.execute("DROP TRIGGER notes_fts_\(event)") }
        try file.execute(
            """
            DROP TABLE notes_fts; DROP TABLE notes_fts_ids;
            CREATE VIRTUAL TABLE notes_fts USING fts5(body);
            CREATE TRIGGER filled AFTER INSERT ON notes BEGIN INSERT INTO notes_fts VALUES (new.body); END;
            INSERT INTO notes VALUES ('1', 'zebra');
            """)
        if byHand {
            try start(notes("memos", .text("body")), behind: "ALTER TABLE notes RENAME TO memos")
        } else {
            try file.start(notes("memos", .text("text"), former: ["text": ["body"]], formerNames: ["notes"]))
        }
        try file.execute("INSERT INTO memos VALUES ('2', 'zebra')")
        #expect(try file.values("SELECT body FROM notes_fts WHERE notes_fts MATCH 'zebra'") == ["zebra", "zebra"])
    }

    @Test func aReferenceStaysAutoSchemasOwnWhereItsParentIsMadeAnewBesideARename() throws {
        let teams = TableSchema(name: "teams", columns: [.id])
        try file.start(teams, users(["teamId"], referring: ["teamId"]))
        try start(
            teams, users(["groupId"], referring: ["groupId"], .setNull),
            behind: """
                CREATE TABLE others (id TEXT PRIMARY KEY); INSERT INTO others SELECT id FROM teams;
                DROP TABLE teams; ALTER TABLE others RENAME TO teams;
                ALTER TABLE users RENAME COLUMN teamId TO groupId;
                """)
        #expect(try file.values("SELECT on_delete FROM pragma_foreign_key_list('users')") == ["SET NULL"])
    }

    @Test func aRenamedTableKeepsItsRowsReferencesAndSearch() throws {
        let tags = { (parent: String, action: ReferenceAction?) in
            TableSchema(
                name: "tags", columns: [.id, .text("note", notNull: false)],
                references: action.map { [ReferenceSchema(column: "note", table: parent, onDelete: $0)] } ?? [])
        }
        try file.start(tags("notes", .cascade), notes("notes", .text("body"), indexes: [IndexSchema(["body"])])) {
            $0.addFullTextSearch(table: "notes", columns: ["body"])
        }
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra'); INSERT INTO tags VALUES ('t', '1')")
        let memos = notes(
            "memos", .text("text"), former: ["text": ["body"]], formerNames: ["notes"], indexes: [IndexSchema(["text"])]
        )
        try file.start(tags("memos", .cascade), memos) { $0.addFullTextSearch(table: "memos", columns: ["text"]) }
        #expect(try file.values("SELECT text FROM memos") == ["zebra"])
        #expect(try file.indexes() == ["idx_memos_text", "idx_tags_note"])
        #expect(try file.values("SELECT count(*) FROM memos_fts WHERE memos_fts MATCH 'zebra'") == ["1"])
        #expect(try file.values("SELECT name FROM sqlite_master WHERE name LIKE 'notes%'") == [])
        // Still auto-schema's own, under the new names.
        try file.start(tags("memos", nil), memos) { $0.addFullTextSearch(table: "memos", columns: ["text"]) }
        #expect(try file.values("SELECT count(*) FROM pragma_foreign_key_list('tags')") == ["0"])
    }

    @Test func bothNamesInTheFileAreATypedErrorAndChangeNothing() throws {
        try file.start(notes("notes", .text("body"), .text("text")))
        let error = try file.refuse(notes("notes", .text("text"), former: ["text": ["body"]])) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "notes", columns: ["text"], reason: .formerName("body")))
        try file.execute("CREATE TABLE memos (id TEXT PRIMARY KEY)")
        let tables = try file.refuse(notes("memos", formerNames: ["notes"])) as? SchemaConflictError
        #expect(tables == SchemaConflictError(table: "memos", columns: [], reason: .formerName("notes")))
    }

    @Test func aMigrationBeforeAutoSchemaMayDropTheOtherName() throws {
        try file.start(notes("notes", .text("body"), .text("text")))
        try file.execute("INSERT INTO notes VALUES ('1', 'x', 'y')")
        var schema = AppMigrations()
        schema.migration("text") { db in
            guard try db.columns(in: "notes").contains(where: { $0.name == "text" }) else { return }
            try db.execute(sql: "ALTER TABLE notes DROP COLUMN text")
        }
        schema.autoSchema(tables: [notes("notes", .text("text"), former: ["text": ["body"]])])
        try schema.run(on: file.queue)
        #expect(try file.values("SELECT * FROM notes") == ["1 x"])
    }

    @Test func aFormerNameThatAnotherPropertyHasNowStandsForThatOne() throws {
        try file.start(notes("notes", .text("body")))
        try file.execute("INSERT INTO notes VALUES ('1', 'x')")
        try file.start(notes("notes", .text("text"), .text("body", notNull: false), former: ["text": ["body"]]))
        #expect(try file.values("SELECT text, body FROM notes") == ["x NULL"])
    }

    @Test(arguments: [false, true]) func aFormerNameThatAnotherEntityHasNowStandsForThatOne(isNew: Bool) throws {
        if !isNew {
            try file.start(notes("notes", .text("body")))
            try file.execute("INSERT INTO notes VALUES ('1', 'x')")
        }
        let memos = notes("memos", .text("body"), formerNames: ["notes"])
        let notes = notes("notes", .text("colour"))
        try file.start(memos, notes)
        #expect(try file.values("SELECT * FROM memos") == (isNew ? [] : ["1 x"]))
        #expect(try file.values("SELECT name FROM pragma_table_info('notes')") == ["id", "colour"])
        try file.start(memos) { $0.autoSchema(tables: [notes]) }
        let error = try file.refuse(memos) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "memos", columns: [], reason: .formerName("notes")))
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]], [false, true])
    func namesMoveAlongAChainOfTables(order: [Int], inOneCall: Bool) throws {
        try file.start(notes("a", .text("x")), notes("b", .text("x")))
        try file.execute("INSERT INTO a VALUES ('1', 'a'); INSERT INTO b VALUES ('1', 'b')")
        let chain = [
            notes("a", .text("y")), notes("b", .text("x"), formerNames: ["a"]),
            notes("c", .text("x"), formerNames: ["b"]),
        ]
        let tables = order.map { chain[$0] }
        var schema = AppMigrations()
        if inOneCall {
            schema.autoSchema(tables: tables)
        } else {
            for table in tables { schema.autoSchema(tables: [table]) }
        }
        try schema.run(on: file.queue)
        #expect(try file.values("SELECT * FROM b UNION ALL SELECT * FROM c") == ["1 a", "1 b"])
        #expect(try file.values("SELECT name FROM pragma_table_info('a')") == ["id", "y"])
        #expect(try schema.plan(on: file.queue).operations == [])
    }

    @Test func aColumnThatGoesWhileAnotherComesIsNeverTakenForARename() throws {
        try file.start(notes("notes", .text("body")))
        try file.execute("INSERT INTO notes VALUES ('1', 'x')")
        try file.start(notes("notes", .text("text")))
        #expect(try file.values("SELECT body, text FROM notes") == ["x "])
        try file.execute("INSERT INTO notes (id, text) VALUES ('2', 'y')")
    }

    @Test func aColumnOfARenamedTableThatTheModelNoLongerHasDoesNotStopSaves() throws {
        try file.start(notes("notes", .text("body")))
        try file.start(notes("memos", formerNames: ["notes"]))
        try file.execute("INSERT INTO memos (id) VALUES ('1')")
    }

    // MARK: Dropping

    @Test func aDroppedColumnGoesWithItsIndexAndItsReference() throws {
        let lists = TableSchema(name: "lists", columns: [.id])
        let with = TableSchema(
            name: "notes", columns: [.id, .text("listId", notNull: false), .text("body")],
            indexes: [IndexSchema(["body", "listId"])], references: [ReferenceSchema(column: "listId", table: "lists")])
        try file.start(lists, with)
        try file.execute("INSERT INTO lists VALUES ('l'); INSERT INTO notes VALUES ('1', 'l', 'x')")
        for _ in 0..<2 {
            try file.start(lists, notes("notes", .text("body"))) { $0.drop(column: "listId", ofTable: "notes") }
            #expect(try file.values("SELECT * FROM notes") == ["1 x"])
        }
        #expect(try file.indexes() == [])
    }

    @Test func aColumnThatAnIndexMadeByHandNamesIsNotDropped() throws {
        try file.start(notes("notes", .text("body")))
        try file.execute("CREATE INDEX mine ON notes (id, body)")
        let error = try file.refuse(notes()) { $0.drop(column: "body", ofTable: "notes") }
        #expect("\(String(describing: error))".contains("mine"))
    }

    @Test func aTriggerThatOnlyAnotherProgramCanRunKeepsNoColumn() throws {
        let lists = TableSchema(name: "lists", columns: [.id])
        try file.start(lists, notes("notes", .text("body"), .text("more")))
        try file.execute("CREATE TRIGGER t AFTER UPDATE ON lists BEGIN UPDATE notes SET body = theirs(new.id); END")
        try file.start(lists, notes("notes", .text("body"))) { $0.drop(column: "more", ofTable: "notes") }
        #expect(try file.values("SELECT name FROM pragma_table_info('notes')") == ["id", "body"])
    }

    /// SQLite drops a column whatever columns a trigger writes, and each write that fires it fails then.
    @Test(
        arguments: [
            "AFTER INSERT ON notes BEGIN UPDATE notes SET body = 'x' WHERE id = new.id; END",
            "AFTER UPDATE ON lists BEGIN INSERT INTO notes (id, body) VALUES (new.id, 'x'); END",
            "BEFORE DELETE ON lists BEGIN UPDATE notes SET (id, body) = (old.id, 'x'); END",
            #"AFTER DELETE ON lists BEGIN UPDATE "notes" SET body = 'x'; END"#,
            "AFTER UPDATE ON lists BEGIN UPDATE notes SET body = 'x'; END; ALTER TABLE lists ADD COLUMN copy AS (id)",
        ])
    func aColumnThatATriggerWritesIsNotDropped(trigger: String) throws {
        let lists = TableSchema(name: "lists", columns: [.id])
        try file.start(lists, notes("notes", .text("body")))
        try file.execute("CREATE TRIGGER \"by hand\" \(trigger)")
        let error = try file.refuse(lists, notes()) { $0.drop(column: "body", ofTable: "notes") }
        #expect("\(String(describing: error))".contains("error in trigger by hand: "))
    }

    @Test func aColumnIsDroppedThatNoTriggerNames() throws {
        let columns = TableSchema(name: "notes", columns: [.id, .text("body"), .text("title")])
        try file.start(columns)
        try file.execute(
            """
            ALTER TABLE notes ADD COLUMN size INTEGER AS (length(title));
            CREATE VIEW titles AS SELECT title FROM notes;
            CREATE TRIGGER viewed INSTEAD OF INSERT ON titles BEGIN INSERT INTO notes (id, title) VALUES (new.title, 'x'); END;
            CREATE TRIGGER written AFTER UPDATE OF title ON notes BEGIN DELETE FROM notes WHERE title = 'y'; END;
            """)
        try file.start(notes("notes", .text("title"))) { $0.drop(column: "body", ofTable: "notes") }
        #expect(try file.values("SELECT name FROM pragma_table_info('notes')") == ["id", "title"])
    }

    /// With the triggers of an index that has lost its table SQLite changes nothing in the schema of the rows' table.
    @Test(arguments: ["notes_fts", "notes_fts_ids"])
    func aBrokenSearchKeepsNothingFromBeingRenamedOrDropped(lost: String) throws {
        func search(_ table: String, _ column: String) -> (inout AppMigrations) -> Void {
            { $0.addFullTextSearch(table: table, columns: [column]) }
        }
        try file.start(notes("notes", .text("body"), .text("more")), and: search("notes", "body"))
        try file.execute("INSERT INTO notes VALUES ('1', 'zebra', 'x')")
        try file.execute("DROP TABLE \(lost)")
        let title = notes("notes", .text("title"), .text("more"), former: ["title": ["body"]])
        try file.start(title, and: search("notes", "title"))
        try file.execute("DROP TABLE \(lost)")
        let memos = notes("memos", .text("title"), .text("more"), formerNames: ["notes"])
        try file.start(memos, and: search("memos", "title"))
        try file.execute("DROP TABLE \(lost.replacingOccurrences(of: "notes", with: "memos"))")
        try file.start(notes("memos", .text("title"))) {
            $0.drop(column: "more", ofTable: "memos")
            $0.addFullTextSearch(table: "memos", columns: ["title"])
        }
        #expect(try file.values("SELECT count(*) FROM memos_fts WHERE memos_fts MATCH 'zebra'") == ["1"])
    }

    @Test func aSearchGoesWithTheLastOfItsColumns() throws {
        try file.start(notes("notes", .text("title"), .text("body"))) {
            $0.addFullTextSearch(table: "notes", columns: ["body"])
        }
        try file.start(notes("notes", .text("title"))) { $0.drop(column: "body", ofTable: "notes") }
        #expect(try file.values("SELECT name FROM sqlite_master WHERE name LIKE 'notes_fts%'") == [])
    }

    @Test func whatIsLeftOfASearchKeepsItsTokenizer() throws {
        try file.start(notes("notes", .text("body"), .text("more"))) {
            $0.addFullTextSearch(table: "notes", columns: ["body", "more"], tokenizer: "trigram")
        }
        try file.start(notes("notes", .text("body"))) { $0.drop(column: "more", ofTable: "notes") }
        #expect(try file.sql("notes_fts")?.contains("trigram") == true)
    }

    @Test(arguments: ["body", "Body"]) func anOldNameOfAColumnIsNotDropped(name: String) throws {
        try file.start(notes("notes", .text("body")))
        let renamed = notes("notes", .text("text"), former: ["text": ["body"]])
        var schema = AppMigrations()
        schema.drop(column: name, ofTable: "notes")
        schema.autoSchema(tables: [renamed])
        #expect(throws: StorageError.self) { try schema.run(on: file.queue) }
        #expect(try file.values("SELECT name FROM pragma_table_info('notes')") == ["id", "body"])
    }

    @Test func aColumnThatTheModelHasIsNotDropped() throws {
        let error = try file.refuse(notes("notes", .text("body"))) { $0.drop(column: "BODY", ofTable: "notes") }
        guard case StorageError.invalidConfiguration? = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }
}

private enum FirstHeir {
    @StorageEntity(table: "firstheirs", renamedFrom: "elders")
    struct Heir { var id: String }
}

private enum SecondHeir {
    @StorageEntity(table: "secondheirs", renamedFrom: "Elders")
    struct Heir { var id: String }
}

private struct Home: Codable, Sendable {
    var street: String
}

@StorageEntity
private struct TwoHomes {
    var id: String
    @StorageEmbedded @StorageRenamed(from: "old") var first: Home
    @StorageEmbedded @StorageRenamed(from: "old") var second: Home?
}
