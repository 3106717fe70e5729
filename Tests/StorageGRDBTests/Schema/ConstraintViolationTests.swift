import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// What a broken constraint is told as: its kind, table and columns, and no value.
@Suite(.timeLimit(.minutes(20))) struct ConstraintViolationTests {
    private static let secret = "s3cr3tZq9"
    private static let new = TestUser("new", name: secret, age: 7, email: secret)

    /// A rule that ``new`` breaks.
    struct Rule: Sendable, CustomTestStringConvertible {
        /// Makes `testusers` anew, or things beside it.
        var sql: String
        /// The name, age and email of a row that is there.
        var old = "'\(secret)', 7, '\(secret)'"
        let kind: ConstraintViolation.Kind
        var table: String? = "testusers"
        var columns: [String] = []
        var says: [String] = []
        /// Whether the commit of a batch finds it, when nobody knows whose row it was.
        var isFoundByCommit = false

        var testDescription: String { sql }
    }

    private static let plain = "name TEXT, age INTEGER, email TEXT, isActive BOOLEAN, updatedAt TEXT"

    private static func table(
        id: String = "id TEXT PRIMARY KEY", _ rules: String = "", columns: String = plain, options: String = ""
    ) -> String {
        "DROP TABLE testusers; CREATE TABLE testusers (\(id), \(columns)\(rules)) \(options);"
    }

    /// A trigger that does something where the new row is written.
    private static func trigger(_ body: String) -> String {
        "CREATE TRIGGER t BEFORE INSERT ON testusers WHEN NEW.id = 'new' BEGIN \(body); END;"
    }

    // MARK: - Saves

    static let uniqueKeys = [
        Rule(sql: "CREATE UNIQUE INDEX emails ON testusers (email)", kind: .unique, columns: ["email"]),
        Rule(
            sql: "CREATE UNIQUE INDEX both ON testusers (email, name)", kind: .unique, columns: ["email", "name"],
            says: ["'testusers'", "'email', 'name'"]),
        Rule(sql: table(", UNIQUE (age, email)"), kind: .unique, columns: ["age", "email"]),
        Rule(sql: "CREATE UNIQUE INDEX some ON testusers (EMAIL) WHERE age > 0", kind: .unique, columns: ["email"]),
        Rule(sql: #"CREATE UNIQUE INDEX "a'b.c, d" ON testusers (lower(email))"#, kind: .unique, says: ["a''b.c, d"]),
        Rule(
            sql: table(id: "id TEXT UNIQUE", ", PRIMARY KEY (email, age)"), kind: .unique, columns: ["email", "age"]),
        Rule(
            sql: table(id: "id TEXT UNIQUE", ", PRIMARY KEY (email)", options: "WITHOUT ROWID"), kind: .unique,
            columns: ["email"]),
        Rule(sql: table(id: "id TEXT UNIQUE", ", PRIMARY KEY (age)"), kind: .unique, columns: ["age"]),
        Rule(
            sql: "CREATE TABLE log (at TEXT);"
                + trigger("INSERT INTO log (rowid, at) VALUES (1, 'x'); INSERT INTO log (rowid, at) VALUES (1, 'x')"),
            kind: .unique, table: "log"),
    ]

    static let otherRules = [
        Rule(
            sql: table(columns: "name TEXT, age INTEGER, email TEXT, isActive BOOLEAN NOT NULL, updatedAt TEXT")
                + trigger("UPDATE testusers SET isActive = NULL"),
            kind: .notNull, columns: ["isActive"], says: ["'isActive' of 'testusers'"]),
        Rule(
            sql: table(", CONSTRAINT \"no, adults\" CHECK (age < 7)"), old: "'', 5, ''", kind: .check,
            says: ["no, adults"]),
        Rule(
            sql: table(", CHECK (length(\"name\") > 100 OR id = 'old')"), kind: .check,
            says: ["length(\"name\") > 100"]),
        Rule(
            sql: table(", CONSTRAINT \"it\"\"s\" CHECK (age < 7)"), old: "'', 5, ''", kind: .check, says: ["it\"s"]),
        Rule(sql: table(", CONSTRAINT 'it''s' CHECK (age < 7)"), old: "'', 5, ''", kind: .check),
        Rule(sql: table(", CONSTRAINT `it``s` CHECK (age < 7)"), old: "'', 5, ''", kind: .check),
        Rule(
            sql: """
                CREATE TEMP TABLE log (at TEXT CHECK (at <> 'x'));
                CREATE TEMP TRIGGER t BEFORE INSERT ON main.testusers WHEN NEW.id = 'new' BEGIN
                    INSERT INTO log VALUES ('x');
                END;
                """,
            kind: .check, table: "log"),
        Rule(
            sql: table(", CHECK (age < 7)") + "CREATE TABLE other (age, CHECK (age < 7))", old: "'', 5, ''",
            kind: .check, table: nil),
        Rule(
            sql: table(
                columns: "name INTEGER, age INTEGER, email TEXT, isActive INTEGER, updatedAt TEXT", options: "STRICT"),
            old: "1, 1, ''", kind: .type, columns: ["name"], says: ["TEXT", "INTEGER"]),
        Rule(sql: trigger("SELECT RAISE(ABORT, 'not today')"), kind: .trigger, table: nil, says: ["not today"]),
        Rule(sql: trigger("SELECT RAISE(FAIL, 'not today')"), kind: .trigger, table: nil, says: ["not today"]),
        Rule(sql: trigger("SELECT RAISE(ROLLBACK, 'not today')"), kind: .trigger, table: nil, says: ["not today"]),
        Rule(
            sql: "CREATE VIRTUAL TABLE boxes USING rtree(id, x, y);" + trigger("INSERT INTO boxes VALUES (1, 2, 1)"),
            kind: .other, table: nil, says: ["boxes"]),
    ]

    static let references = [
        Rule(
            sql: table(", FOREIGN KEY (email) REFERENCES testusers"), old: "'', 1, NULL", kind: .foreignKey,
            columns: ["email"], says: ["'testusers'", "'email'"]),
        Rule(
            sql: table(", FOREIGN KEY (email) REFERENCES testusers DEFERRABLE INITIALLY DEFERRED"), old: "'', 1, NULL",
            kind: .foreignKey, columns: ["email"]),
        Rule(
            sql: "CREATE TABLE parents (a TEXT, b INTEGER, PRIMARY KEY (a, b));"
                + table(", FOREIGN KEY (NAME, age) REFERENCES Parents"), old: "NULL, 1, 'x'",
            kind: .foreignKey, columns: ["name", "age"]),
        Rule(
            sql: "CREATE TABLE parents (a TEXT, b INTEGER, UNIQUE (b, a)); INSERT INTO parents VALUES ('\(secret)', 8);"
                + table(", FOREIGN KEY (age, name) REFERENCES parents (b, a) DEFERRABLE INITIALLY DEFERRED"),
            old: "NULL, 1, 'x'", kind: .foreignKey, columns: ["age", "name"], isFoundByCommit: true),
        // The first of them is as it should be, and the key in another order than the columns.
        Rule(
            sql:
                "CREATE TABLE parents (a TEXT, b INTEGER, PRIMARY KEY (b, a)); INSERT INTO parents VALUES ('\(secret)', 7);"
                + table(", FOREIGN KEY (age, name) REFERENCES parents, FOREIGN KEY (email) REFERENCES testusers"),
            old: "NULL, 1, NULL", kind: .foreignKey, columns: ["email"]),
        // The first of them is as it should be.
        Rule(
            sql: """
                CREATE TABLE parents (a TEXT UNIQUE, b TEXT UNIQUE); INSERT INTO parents VALUES ('\(secret)', 'x');
                """ + table(", FOREIGN KEY (name) REFERENCES parents (A), FOREIGN KEY (email) REFERENCES parents (B)"),
            old: "NULL, 1, NULL", kind: .foreignKey, columns: ["email"]),
        Rule(
            sql: #"CREATE TABLE "p.a, ""r" ("i'd. x" TEXT PRIMARY KEY);"#
                + table(#", FOREIGN KEY (email) REFERENCES "p.a, ""r" ("i'd. x")"#),
            old: "NULL, 1, NULL", kind: .foreignKey, columns: ["email"]),
        // Of what a trigger writes nobody knows.
        Rule(
            sql: "CREATE TABLE log (at TEXT REFERENCES log (number), number TEXT PRIMARY KEY);"
                + trigger("INSERT INTO log VALUES ('x', 'y')"),
            kind: .foreignKey, table: nil),
    ]

    /// Tables with names that look like others in SQLite's text, which has no quotes.
    static let names = [
        Rule(
            sql: #"CREATE TABLE "a.b" ("c.d" UNIQUE);"#
                + trigger(#"INSERT INTO "a.b" VALUES (1); INSERT INTO "a.b" VALUES (1)"#),
            kind: .unique, table: nil),
        // A mark at the beginning of a name makes one character with the dot before it.
        Rule(
            sql: "CREATE TABLE a (\"\u{301}b\" UNIQUE);"
                + trigger("INSERT INTO a VALUES (1); INSERT INTO a VALUES (1)"),
            kind: .unique, table: "a", columns: ["\u{301}b"]),
        Rule(
            sql: #"CREATE TABLE a ("b, a.c" NOT NULL);"# + trigger("INSERT INTO a VALUES (NULL)"), kind: .notNull,
            table: nil),
        // It is taken for the two columns that it looks like.
        Rule(
            sql: #"CREATE TABLE "a" ("b, a.c" UNIQUE, b, c, UNIQUE (b, c));"#
                + trigger("INSERT INTO a VALUES (1, 1, 1); INSERT INTO a VALUES (1, 2, 2)"),
            kind: .unique, table: "a", columns: ["b", "c"]),
        Rule(
            sql: #"CREATE TABLE "a" ("b.c" UNIQUE); CREATE TABLE "a.b" (c UNIQUE);"#
                + trigger("INSERT INTO a VALUES (1); INSERT INTO a VALUES (1)"),
            kind: .unique, table: nil, columns: []),
        Rule(
            sql: #"CREATE TABLE "index 'a" ("b'" UNIQUE);"#
                + trigger(#"INSERT INTO "index 'a" VALUES (1); INSERT INTO "index 'a" VALUES (1)"#),
            kind: .unique, table: nil),
        Rule(
            sql: #"CREATE TABLE "It ""is"", 'Größe'" ("Straße. x" NOT NULL);"#
                + trigger(#"INSERT INTO "It ""is"", 'Größe'" VALUES (NULL)"#),
            kind: .notNull, table: nil),
        Rule(
            sql: #"CREATE TABLE "a column b.c" ("d column e.f" INTEGER) STRICT;"#
                + trigger(#"INSERT INTO "a column b.c" VALUES ('x')"#),
            kind: .type, table: nil),
        Rule(
            sql: "CREATE TABLE log (at TEXT);"
                + trigger("SELECT RAISE(ABORT, 'UNIQUE constraint failed: log.at')"), kind: .trigger, table: nil),
    ]

    @Test(arguments: uniqueKeys + otherRules + references + names) func aSaveThatBreaksARule(_ rule: Rule) async throws
    {
        for hasDiskCache in [false, true] {
            let store = try await store(with: rule, hasDiskCache: hasDiskCache)
            try await expect(rule, of: store) { try await store.storage.save(Self.new) }
            try await expect(rule, of: store) {
                try await whileWriting(store) { try await store.storage.save(Self.new) }
            }
            var rule = rule
            if rule.isFoundByCommit { (rule.table, rule.columns) = (nil, []) }
            let other = TestUser("other", email: "other")
            // Of foreign keys the first is told that an entity breaks, and the other breaks some as well.
            let batch = rule.kind == .foreignKey ? [Self.new, other] : [other, Self.new]
            try await expect(rule, of: store) { try await store.storage.save(batch) }
        }
    }

    @StorageEntity
    struct Essay {
        var id: String
        @StorageReference(Writer.self) var authorId: String?
        @StorageReference(Writer.self) var editorId: String?
    }

    @StorageEntity
    struct Writer { var id: String }

    @Test func aReferenceOfNilIsNotTheBrokenOne() async throws {
        let store = try TemporaryStore { $0.autoSchema(WriterRecord.self, EssayRecord.self) }
        for (author, editor, column) in [(nil, "x", "editorId"), ("x", nil, "authorId")] {
            let error = await storageError {
                try await store.storage.save(Essay(id: "1", authorId: author, editorId: editor))
            }
            guard case .constraintViolated(let violation) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
            #expect(violation.columns == [column])
        }
    }

    @Test func theReferenceOfALaterEntityOfABatchIsTold() async throws {
        let rule = Rule(
            sql: "CREATE TABLE parents (id TEXT PRIMARY KEY); INSERT INTO parents VALUES ('x');"
                + Self.table(", FOREIGN KEY (email) REFERENCES parents"),
            old: "NULL, 1, NULL", kind: .foreignKey, columns: ["email"], says: ["'testusers'", "'email'"])
        let store = try await store(with: rule)
        let users = [TestUser("1"), TestUser("2", email: "x"), TestUser("3", email: Self.secret), TestUser("4")]
        try await expect(rule, of: store) { try await store.storage.save(users) }
        try await expect(rule, of: store) { try await store.storage.transaction { try $0.save(users) } }
    }

    @Test func thePositionOfTheEntityThatBreaksARuleIsTold() async throws {
        let store = try await store(
            with: Rule(
                sql: "CREATE TABLE parents (id TEXT PRIMARY KEY); INSERT INTO parents VALUES ('x');"
                    + Self.table(", UNIQUE (name), FOREIGN KEY (email) REFERENCES parents"),
                old: "NULL, 1, NULL", kind: .unique))
        let taken = TestUser("taken", name: "Ada", email: nil)
        let lost = TestUser("lost", name: "Bo", email: "nobody")
        let good = (0..<3).map { TestUser("\($0)", name: "\($0)", email: "x") }
        try await store.storage.save(TestUser("ada", name: "Ada", email: nil))
        for (wrong, position) in [(taken, 0), (taken, 2), (lost, 0), (lost, 3)] {
            let users = Array(good.prefix(position)) + [wrong] + Array(good.dropFirst(position))
            let errors = await [
                storageError { try await store.storage.save(users) },
                storageError { _ = try await store.storage.insert(users) },
                storageError { try await store.storage.transaction { _ = try $0.save(users) } },
                storageError { try await store.storage.transaction { _ = try $0.insert(users) } },
            ]
            #expect(errors.map { $0?.violation?.position } == Array(repeating: position, count: errors.count))
            #expect(errors.allSatisfy { "\($0!)".contains("position \(position)") })
        }
        #expect(try await store.storage.count(TestUser.self) == 2)
        let alone = await [
            storageError { try await store.storage.save(taken) }, storageError { try await store.storage.save([lost]) },
            storageError { _ = try await store.storage.insert([taken]) },
        ]
        #expect(alone.map { $0?.violation == nil } == [false, false, false])
        #expect(alone.map { $0?.violation?.position } == [nil, nil, nil])
    }

    @Test func anUpdateThatBreaksARule() async throws {
        let rule = Rule(
            sql: Self.table(
                ", UNIQUE (email)", columns: "name TEXT, age INT CHECK (age < 9), email TEXT, isActive, updatedAt"),
            kind: .unique, columns: ["email"])
        let store = try await store(with: rule)
        try await store.storage.save(TestUser("mine", name: Self.secret, email: "mine"))
        try await expect(rule, of: store) { try await store.storage.save(TestUser("mine", email: Self.secret)) }
        let users = store.storage.query(TestUser.self)
        try await expect(rule, of: store) { _ = try await users.updateAll { [$0.email.set(to: Self.secret)] } }
        try await expect(Rule(sql: "", kind: .check), of: store) {
            _ = try await users.updateAll { [$0.age.set(to: 9)] }
        }
    }

    @Test func whatIsNoConstraintFailsAsBefore() async throws {
        let store = try await store(with: Rule(sql: "DROP TABLE testusers", old: "", kind: .other))
        let error = await storageError { try await store.storage.save(Self.new) }
        guard case .transactionFailed = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func rowsThatReferWhereTheyMayAreSaved() async throws {
        let store = try await store(
            with: Rule(
                sql: "CREATE TABLE parents (a TEXT COLLATE NOCASE PRIMARY KEY, b INTEGER UNIQUE);"
                    + Self.table(", FOREIGN KEY (email) REFERENCES testusers, FOREIGN KEY (name) REFERENCES parents"),
                old: "NULL, 1, NULL", kind: .foreignKey))
        try await store.db.write { try $0.execute(sql: "INSERT INTO parents VALUES ('Ada', 1)") }
        try await store.storage.save(TestUser("self", name: "ADA", email: "self"))
        try await store.storage.save(TestUser("child", name: "ada", email: "self"))
        try await store.storage.save(TestUser("none", name: "Ada", email: nil))
        var error = await storageError { try await store.storage.save(TestUser("self", name: "Bo", email: "self")) }
        #expect(error?.violation?.columns == ["name"])
        error = await storageError { try await store.storage.save(TestUser("child", name: "ada", email: "nobody")) }
        #expect(error?.violation?.columns == ["email"])
    }

    // MARK: - Deletions

    private static let oldRow =
        "INSERT INTO testusers VALUES ('old', '\(secret)', 7, '\(secret)', 1, '2020-01-01 00:00:00.000');"

    static let children = [
        Rule(
            sql: oldRow + "CREATE TABLE pets (Owner TEXT REFERENCES TESTUSERS); INSERT INTO pets VALUES ('old');",
            old: "", kind: .foreignKey, table: "pets", columns: ["Owner"], says: ["'pets'", "'Owner'"]),
        Rule(
            sql: oldRow + """
                CREATE TABLE pets (owner TEXT REFERENCES testusers (ID) DEFERRABLE INITIALLY DEFERRED);
                INSERT INTO pets VALUES ('old');
                """, old: "", kind: .foreignKey, table: "pets", columns: ["owner"]),
        Rule(
            sql: oldRow + """
                CREATE TABLE cats (owner TEXT REFERENCES testusers ON DELETE CASCADE); INSERT INTO cats VALUES ('old');
                CREATE TABLE dogs (owner TEXT REFERENCES testusers); INSERT INTO dogs VALUES (NULL);
                CREATE TABLE pets (owner TEXT REFERENCES testusers ON DELETE RESTRICT); INSERT INTO pets VALUES ('old');
                """, old: "", kind: .foreignKey, table: "pets", columns: ["owner"]),
        Rule(
            sql: oldRow + """
                CREATE UNIQUE INDEX both ON testusers (email, name);
                CREATE TABLE "a.b, ""c" ("x.y" TEXT, "it's, z" TEXT,
                    FOREIGN KEY ("it's, z", "x.y") REFERENCES testusers (email, name));
                INSERT INTO "a.b, ""c" VALUES ('\(secret)', '\(secret)');
                """, old: "", kind: .foreignKey, table: #"a.b, "c"#, columns: ["it's, z", "x.y"]),
        Rule(
            sql: table(", FOREIGN KEY (email) REFERENCES testusers")
                + "INSERT INTO testusers (id, email) VALUES ('old', 'old'), ('child', 'old');",
            old: "", kind: .foreignKey, columns: ["email"]),
        // It refers to itself too, which is in nobody's way.
        Rule(
            sql: table(", FOREIGN KEY (email) REFERENCES testusers") + """
                INSERT INTO testusers (id, email) VALUES ('old', 'old');
                CREATE TABLE zoo (keeper TEXT REFERENCES testusers); INSERT INTO zoo VALUES ('old');
                """, old: "", kind: .foreignKey, table: "zoo", columns: ["keeper"]),
        // What a cascade meets is not looked for.
        Rule(
            sql: oldRow + """
                CREATE TABLE cats (id INTEGER PRIMARY KEY, owner TEXT REFERENCES testusers ON DELETE CASCADE);
                CREATE TABLE kittens (mother INTEGER REFERENCES cats);
                INSERT INTO cats VALUES (1, 'old'); INSERT INTO kittens VALUES (1);
                """, old: "", kind: .foreignKey, table: nil),
    ]

    @Test(arguments: children) func aDeletionThatRowsForbid(_ rule: Rule) async throws {
        let store = try await store(with: rule)
        try await expect(rule, of: store) { try await store.storage.delete(TestUser.self, id: "old") }
        // The key of the row is gone where SQLite sees to it later.
        let old = store.storage.query(TestUser.self).where { $0.id == "old" }
        try await expect(Rule(sql: "", kind: .foreignKey, table: nil), of: store) { _ = try await old.deleteAll() }
        try await expect(rule, of: store) {
            try await whileWriting(store) { try await store.storage.delete(TestUser.self, id: "old") }
        }
    }

    @Test func aRowThatRefersToItselfMayGo() async throws {
        let store = try await store(
            with: Rule(sql: Self.table(", FOREIGN KEY (email) REFERENCES testusers"), old: "'', 1, 'old'", kind: .other)
        )
        try await store.storage.delete(TestUser.self, id: "old")
        #expect(try await store.storage.count(TestUser.self) == 0)
    }

    // MARK: - Words

    @Test(arguments: [
        ConstraintViolation.Kind.unique, .foreignKey, .notNull, .check, .trigger, .type, .other,
    ])
    func aViolationSaysAsMuchAsIsKnown(_ kind: ConstraintViolation.Kind) {
        let known = StorageError.constraintViolated(
            ConstraintViolation(kind: kind, table: "users", columns: ["a", "b"], message: "refused"))
        let unknown = StorageError.constraintViolated(ConstraintViolation(kind: kind))
        for error in [known, unknown] { #expect(error.localizedDescription.hasSuffix(".")) }
        #expect(known.localizedDescription.contains("users") || kind == .trigger)
        #expect(!unknown.localizedDescription.contains("'"))
        #expect(known.violation != unknown.violation)
    }

    // MARK: - Helpers

    private func store(with rule: Rule, hasDiskCache: Bool = false) async throws -> TemporaryStore {
        let store = try TemporaryStore { schema in
            if hasDiskCache { schema.addKVCache() }
            schema.autoSchema(TestUserRecord.self)
        }
        try await store.db.write { db in
            try db.execute(sql: rule.sql)
            if !rule.old.isEmpty {
                let row = "('old', \(rule.old), 1, '2020-01-01 00:00:00.000')"
                try db.execute(sql: "INSERT INTO testusers (id, name, age, email, isActive, updatedAt) VALUES \(row)")
            }
        }
        return store
    }

    /// Calls while somebody else writes, so that the call shares a commit with another.
    private func whileWriting(_ store: TemporaryStore, _ body: @escaping DatabaseActor.Call) async throws {
        let results = try await store.db.queued([{ try await store.db.writer.queue(.init { _ in }) }, body])
        try results[0].get()
        try results[1].get()
    }

    private func expect(
        _ rule: Rule, of store: TemporaryStore, at location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await store.db.read { try DatabaseDump($0) }
        let error = await storageError(body)
        let violation = try #require(error?.violation, "\(String(describing: error))", sourceLocation: location)
        #expect(violation.kind == rule.kind, sourceLocation: location)
        #expect(violation.table == rule.table, sourceLocation: location)
        #expect(violation.columns == rule.columns, sourceLocation: location)
        let text = "\(error?.localizedDescription ?? "") \(violation) \(String(reflecting: error))"
        for part in rule.says { #expect(text.contains(part), sourceLocation: location) }
        #expect(!text.contains(Self.secret), sourceLocation: location)
        // Nothing is written, and the next call is served.
        #expect(try await store.db.read { try DatabaseDump($0) } == before, sourceLocation: location)
        try await store.db.write { try $0.execute(sql: "CREATE TABLE next (x); DROP TABLE next") }
    }
}

extension StorageError {
    fileprivate var violation: ConstraintViolation? {
        if case .constraintViolated(let violation) = self { violation } else { nil }
    }
}
