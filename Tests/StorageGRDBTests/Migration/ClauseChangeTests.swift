import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Changes for which a table is made anew: types, NOT NULL, keys.
@Suite struct ClauseChangeTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private func things(_ type: String, notNull: Bool = false, default value: String? = nil) -> TableSchema {
        TableSchema(
            name: "things",
            columns: [.id, ColumnSchema(name: "x", type: type, notNull: notNull, defaultValue: value)])
    }

    private func conflict(_ reason: SchemaConflictError.Reason) -> SchemaConflictError {
        SchemaConflictError(table: "things", columns: ["x"], reason: reason)
    }

    /// The values in a column of the old type, and as `quote` writes them in one of the new type.
    @Test(arguments: [
        ("INTEGER", "REAL", ["7", "-1"], ["7.0", "-1.0"]), ("TEXT", "INTEGER", ["'7'", "NULL"], ["7", "NULL"]),
        ("REAL", "INTEGER", ["2.0"], ["2"]), ("INTEGER", "TEXT", ["12"], ["'12'"]),
        ("BLOB", "UNSIGNED BIG INT", ["x'8000000000000000'"], ["X'8000000000000000'"]),
        ("BOOLEAN", "INTEGER", ["1", "0"], ["1", "0"]), ("INTEGER", "BOOLEAN", ["1", "0"], ["1", "0"]),
        ("TEXT", "DECIMAL_TEXT", ["'1.50'", "'007'"], ["'1.50'", "'007'"]),
        ("DATETIME", "TEXT", ["'2026-01-01 00:00:00.000'"], ["'2026-01-01 00:00:00.000'"]),
        (
            "TEXT", "DATETIME", ["'2026-01-01 00:00:00.123'", "'2026-01-01 00:00:00'"],
            ["'2026-01-01 00:00:00.123'", "'2026-01-01 00:00:00'"]
        ),
    ])
    func valuesThatFitStay(old: String, new: String, values: [String], after: [String]) throws {
        try file.start(things(old))
        for (id, value) in values.enumerated() { try file.execute("INSERT INTO things VALUES ('\(id)', \(value))") }
        #expect(try file.start(things(new)) == ["Change column 'x' of 'things' from \(old) to \(new)"])
        #expect(try file.values("SELECT quote(x) FROM things ORDER BY id") == after)
    }

    @Test(arguments: [
        ("TEXT", "INTEGER", "'007'"), ("TEXT", "INTEGER", "'seven'"), ("TEXT", "REAL", "'1.50'"),
        ("REAL", "INTEGER", "0.5"),
        ("TEXT", "DATETIME", "'soon'"), ("BLOB", "TEXT", "x'00ff'"),
        ("TEXT", "DECIMAL_TEXT", "'much'"), ("TEXT", "INTEGER", "'99999999999999999999'"),
        ("INTEGER", "BOOLEAN", "2"), ("TEXT", "BOOLEAN", "'-1'"),
        ("TEXT", "DATETIME", "'2026-03-01T10:00:00Z'"), ("TEXT", "DATETIME", "'2026-03-01'"),
        ("TEXT", "DATETIME", "'2026-03-01 10:00:00.5'"), ("INTEGER", "DATETIME", "1700000000"),
        ("TEXT", "DATETIME", "'20240229'"), ("REAL", "DATETIME", "0.5"),
        ("BLOB", "UNSIGNED BIG INT", "x'0000000000000007'"),
        ("TEXT", "DECIMAL_TEXT", "'1234567890123456789012345678901234567890.12345'"),
        ("TEXT", "DECIMAL_TEXT", "'12345678901234567890123456789012345678912345e2'"),
    ])
    func aValueThatDoesNotFitIsATypedErrorAndChangesNothing(old: String, new: String, value: String) throws {
        try file.start(things(old))
        try file.execute("INSERT INTO things VALUES ('1', \(value)), ('2', NULL), ('3', \(value))")
        let error = try file.refuse(things(new))
        #expect(error as? SchemaConflictError == conflict(.values(type: new, rows: 2)))
        #expect(error?.localizedDescription.contains("Write a migration") == true)
    }

    @Test func aMigrationBeforeOrBehindAutoSchemaMayConvertTheValues() throws {
        try file.start(things("TEXT"))
        try file.execute("INSERT INTO things VALUES ('1', '007')")
        try file.start(things("INTEGER")) { schema in
            schema.migration("numbers") { try $0.execute(sql: "UPDATE things SET x = '7'") }
        }
        #expect(try file.values("SELECT quote(x) FROM things") == ["7"])
    }

    @Test func aColumnThatMayBeNilTakesNullFromThenOn() throws {
        try file.start(things("TEXT", notNull: true))
        #expect(try file.start(things("TEXT")) == ["Let column 'x' of 'things' take NULL"])
        try file.execute("INSERT INTO things VALUES ('1', NULL)")
    }

    @Test func aColumnRefusesNullOnceNoRowHasIt() throws {
        try file.start(things("TEXT"))
        try file.execute("INSERT INTO things VALUES ('1', NULL), ('2', 'a')")
        #expect(try file.refuse(things("TEXT", notNull: true)) as? SchemaConflictError == conflict(.nulls(rows: 1)))
        try file.start(things("TEXT", notNull: true, default: "'none'"))
        #expect(try file.values("SELECT x FROM things ORDER BY id") == ["none", "a"])
        #expect(throws: (any Error).self) { try file.execute("INSERT INTO things VALUES ('3', NULL)") }
    }

    @Test func theDefaultOfThePropertyFillsNulls() throws {
        try file.execute("CREATE TABLE counters (id TEXT PRIMARY KEY, count INTEGER, \"updatedAt\" DATETIME NOT NULL)")
        try file.execute("INSERT INTO counters VALUES ('1', NULL, '2026-01-01 00:00:00.000')")
        try AppMigrations.start(on: file.queue) { $0.autoSchema(CounterRecord.self) }
        #expect(try file.values("SELECT count FROM counters") == ["3"])
    }

    /// One that is there may have parts that are nil.
    @Test func theDefaultOfAnEmbeddedValueIsPutWhereThereIsNone() throws {
        try file.execute(
            """
            CREATE TABLE stays (id TEXT PRIMARY KEY, place_city TEXT, place_note TEXT, "updatedAt" DATETIME NOT NULL);
            INSERT INTO stays VALUES
                ('1', NULL, NULL, '2026-01-01 00:00:00.000'), ('2', 'Kyiv', NULL, '2026-01-01 00:00:00.000');
            """)
        try AppMigrations.start(on: file.queue) { $0.autoSchema(StayRecord.self) }
        #expect(try file.values("SELECT place_city, place_note FROM stays ORDER BY id") == ["? none", "Kyiv NULL"])
    }

    @StorageEntity(table: "counters")
    struct Counter {
        var id: String
        var count: Int = 3
    }

    @StorageEntity(table: "counters")
    struct Level {
        var id: String
        var count: Rank
        enum Rank: String, Codable, Sendable { case low, high }
    }

    @Test func aValueThatThePropertyDoesNotReadIsATypedError() throws {
        try AppMigrations.start(on: file.queue) { $0.autoSchema(CounterRecord.self) }
        try file.execute("INSERT INTO counters VALUES ('1', 7, '2026-01-01 00:00:00.000')")
        let error = #expect(throws: StorageError.self) {
            try AppMigrations.start(on: file.queue) { $0.autoSchema(LevelRecord.self) }
        }
        guard case .migrationFailed(_, let cause as SchemaConflictError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(cause.reason == .values(type: "TEXT", rows: 1))
    }

    enum Whole {
        @StorageEntity(table: "sums")
        struct Sum {
            var id: String
            var amount: Int
        }
    }

    enum Written {
        @StorageEntity(table: "sums")
        struct Sum {
            var id: String
            var amount: String
        }
    }

    enum Short {
        @StorageEntity(table: "sums")
        struct Sum {
            var id: String
            var amount: Float
        }
    }

    enum ShortOrNone {
        @StorageEntity(table: "sums")
        struct Sum {
            var id: String
            var amount: Float?
        }
    }

    enum Rated {
        struct Degree: RawRepresentable, Codable, Sendable { var rawValue: Float }

        @StorageEntity(table: "sums")
        struct Sum {
            var id: String
            var amount: Degree
        }
    }

    private static let records: [any StorageKitEntityRecord.Type] = [
        Short.SumRecord.self, ShortOrNone.SumRecord.self, Rated.SumRecord.self,
    ]

    /// A file in which a model has started, with one row.
    private func sums(_ record: (some StorageKitEntityRecord).Type, _ amount: String) throws -> ModelFile {
        let file = try ModelFile()
        try start(record, file)
        try file.execute("INSERT INTO sums VALUES ('1', \(amount), '2026-01-01 00:00:00.000')")
        return file
    }

    private func start(_ record: (some StorageKitEntityRecord).Type, _ file: ModelFile) throws {
        try AppMigrations.start(on: file.queue) { $0.autoSchema(record) }
    }

    @Test func aNumberThatAFloatWouldRoundIsATypedError() throws {
        for record in Self.records {
            for file in [try sums(Whole.SumRecord.self, "16777217"), try sums(Written.SumRecord.self, "'0.1'")] {
                let error = #expect(throws: StorageError.self) { try start(record, file) }
                guard case .migrationFailed(_, let cause as SchemaConflictError) = error else {
                    Issue.record("unexpected: \(String(describing: error))")
                    return
                }
                #expect(cause.columns == ["amount"] && cause.reason == .values(type: "REAL", rows: 1))
            }
        }
    }

    @Test func aNumberThatAFloatHasStays() throws {
        for record in Self.records {
            for file in [try sums(Whole.SumRecord.self, "16777216"), try sums(Written.SumRecord.self, "'0.5'")] {
                let before = try file.values("SELECT CAST(amount AS REAL) FROM sums")
                try start(record, file)
                #expect(try file.values("SELECT amount FROM sums") == before)
            }
        }
    }

    /// The model has a default, and the file none.
    @Test func aColumnThatRefusesNullSinceAnEarlierModelDoesNotStopSavesOnceItIsGone() throws {
        try file.start(things("TEXT"))
        try file.start(things("TEXT", notNull: true, default: "'none'"))
        try file.start(TableSchema(name: "things", columns: [.id]))
        try file.execute("INSERT INTO things (id) VALUES ('1')")
    }

    // MARK: Keys

    @Test func aTableWithoutTheKeyOfTheModelGetsIt() throws {
        try file.execute("CREATE TABLE things (id TEXT, x TEXT COLLATE NOCASE)")
        try file.execute("INSERT INTO things VALUES ('a', '1'), ('b', '2')")
        #expect(try file.start(things("TEXT")) == ["Make 'id' the primary key of 'things'"])
        #expect(try file.sql("things") == "CREATE TABLE things (id TEXT PRIMARY KEY, x TEXT COLLATE NOCASE)")
        #expect(try file.values("SELECT * FROM things") == ["a 1", "b 2"])
    }

    @Test func aKeyThatRowsBreakIsATypedErrorAndChangesNothing() throws {
        try file.execute("CREATE TABLE things (id TEXT, x TEXT)")
        try file.execute("INSERT INTO things VALUES ('a', '1'), ('a', '2')")
        let error = try file.refuse(things("TEXT")) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "things", columns: ["id"], reason: .duplicates(rows: 2)))
        try file.execute("UPDATE things SET id = NULL")
        #expect((try file.refuse(things("TEXT")) as? SchemaConflictError)?.reason == .nulls(rows: 2))
    }

    @Test func anotherColumnBecomesTheKey() throws {
        try file.execute("CREATE TABLE things (number INTEGER PRIMARY KEY, id TEXT NOT NULL, x TEXT)")
        try file.execute("INSERT INTO things VALUES (7, 'a', '1'), (9, 'b', '2')")
        try file.start(things("TEXT"))
        #expect(try file.values("SELECT rowid, * FROM things ORDER BY id") == ["7 7 a 1", "9 9 b 2"])
        try file.execute("INSERT INTO things (id) VALUES ('c')")
    }

    /// Without rowid its columns refuse NULL, whatever they say.
    @Test(arguments: [false, true], ["x TEXT", "x TEXT NOT NULL"])
    func oneColumnOfAKeyOfTwoBecomesTheKey(notNull: Bool, x: String) throws {
        try file.execute("CREATE TABLE things (id TEXT, \(x), n INTEGER, PRIMARY KEY (id, x)) WITHOUT ROWID")
        try file.execute("INSERT INTO things VALUES ('a', '1', 7), ('b', '1', 8)")
        try file.start(things("TEXT", notNull: notNull))
        #expect(try file.values("SELECT * FROM things ORDER BY id") == ["a 1 7", "b 1 8"])
        let text =
            "CREATE TABLE things (id TEXT PRIMARY KEY, x TEXT\(notNull ? " NOT NULL" : ""), n INTEGER) WITHOUT ROWID"
        #expect(try file.sql("things") == text)
    }

    @Test func aTextKeyOfNumbersBecomesANumber() throws {
        try file.start(things("TEXT"))
        try file.execute("INSERT INTO things VALUES ('7', 'a'), ('12', 'b')")
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "things", columns: [id, .text("x", notNull: false)]))
        #expect(try file.values("SELECT rowid, x FROM things ORDER BY id") == ["7 a", "12 b"])
    }

    @Test func aKeyThatSQLiteCountsBecomesAText() throws {
        try file.execute("CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT)")
        try file.execute("INSERT INTO things (x) VALUES ('a'), ('b')")
        try file.start(things("TEXT"))
        #expect(try file.sql("things") == "CREATE TABLE things (id TEXT PRIMARY KEY, x TEXT)")
        #expect(try file.values("SELECT quote(id), x FROM things ORDER BY id") == ["'1' a", "'2' b"])
    }

    /// As other programs write it.
    @Test func soDoesOneThatIsCountedByAConstraintOfTheTable() throws {
        try file.execute("CREATE TABLE things (id INTEGER, x INTEGER, PRIMARY KEY(\"id\" AUTOINCREMENT))")
        try file.execute("INSERT INTO things (x) VALUES (1), (2)")
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.start(TableSchema(name: "things", columns: [id, .text("x", notNull: false)]))
        #expect(
            try file.sql("things") == "CREATE TABLE things (id INTEGER, x TEXT, PRIMARY KEY(\"id\" AUTOINCREMENT))")
        try file.start(things("TEXT"))
        #expect(try file.sql("things") == "CREATE TABLE things (id TEXT, x TEXT, PRIMARY KEY(\"id\"))")
        #expect(try file.values("SELECT quote(id), quote(x) FROM things ORDER BY id") == ["'1' '1'", "'2' '2'"])
    }

    @Test func aKeyThatHoldsNullDoesNotBecomeANumber() throws {
        try file.execute("CREATE TABLE things (id TEXT PRIMARY KEY, x TEXT)")
        try file.execute("INSERT INTO things VALUES (NULL, 'a'), ('7', 'b')")
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        let model = TableSchema(name: "things", columns: [id, .text("x", notNull: false)])
        let error = try file.refuse(model) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "things", columns: ["id"], reason: .nulls(rows: 1)))
        #expect(try file.values("SELECT quote(id) FROM things ORDER BY id") == ["NULL", "'7'"])
    }

    @Test func aKeyOfBytesIsReportedAndStays() throws {
        try file.execute("CREATE TABLE things (id BLOB PRIMARY KEY, x TEXT); INSERT INTO things VALUES (x'00', 'a')")
        #expect(try file.start(things("TEXT")) == [])
        #expect(try ModelFile.schema([things("TEXT")]).plan(on: file.queue).differences.map(\.kind) == [.type])
    }

    @Test func aKeyWhoseBytesAMigrationHasMadeTextsGetsItsType() throws {
        try file.execute("CREATE TABLE things (id BLOB PRIMARY KEY, x TEXT); INSERT INTO things VALUES (x'61', 'a')")
        try file.start(things("TEXT")) { schema in
            schema.migration("texts") { try $0.execute(sql: "UPDATE things SET id = CAST(id AS TEXT)") }
        }
        #expect(try ModelFile.schema([things("TEXT")]).plan(on: file.queue).differences.isEmpty)
        #expect(try file.values("SELECT quote(id) FROM things") == ["'a'"])
    }

    // MARK: What stays

    @Test func aColumnThatSQLiteComputesStaysAsItIs() throws {
        let sql = "CREATE TABLE things (id TEXT PRIMARY KEY, x TEXT AS (upper(id)))"
        try file.execute(sql)
        #expect(try file.start(things("TEXT", notNull: true)) == [])
        #expect(try file.sql("things") == sql)
    }

    @Test func allElseOfTheTableStaysWordForWord() throws {
        let sql = """
            CREATE TABLE things (
              id TEXT PRIMARY KEY, -- the key
              x TEXT COLLATE NOCASE CHECK (x <> ''), more INTEGER DEFAULT (1 + 1),
              twice TEXT AS (x || x) STORED, UNIQUE (more, x)) STRICT, WITHOUT ROWID
            """
        try file.execute(sql)
        try file.execute("INSERT INTO things (id, x) VALUES ('a', 'A')")
        try file.execute("CREATE INDEX mine ON things (x DESC) WHERE x > 'A'")
        try file.execute(
            "CREATE TRIGGER loud AFTER INSERT ON things BEGIN SELECT 1; END; CREATE VIEW all_things AS SELECT * FROM things"
        )
        let before = try file.dump()
        try file.start(things("TEXT", notNull: true))
        #expect(
            try file.sql("things") == sql.replacingOccurrences(of: "x TEXT COLLATE", with: "x TEXT NOT NULL COLLATE"))
        for name in ["mine", "loud", "all_things"] { #expect(before.text.contains(try #require(try file.sql(name)))) }
        #expect(try file.values("SELECT * FROM things") == ["a A 2 AA"])
    }

    @Test(arguments: [
        "(id TEXT, x TEXT)", "(id TEXT, x TEXT, PRIMARY KEY (id, x))", "(number INTEGER PRIMARY KEY, id TEXT, x TEXT)",
    ])
    func aFullTextIndexWaitsForTheKey(columns: String) throws {
        try file.execute("CREATE TABLE things \(columns); INSERT INTO things (id, x) VALUES ('a', 'zebra')")
        let done = try file.start(things("TEXT")) { $0.addFullTextSearch(table: "things", columns: ["x"]) }
        #expect(done == ["Make 'id' the primary key of 'things'", "Build full-text index of 'things': x"])
        try file.execute("INSERT INTO things (id, x) VALUES ('b', 'lion')")
        #expect(
            try file.values("SELECT x FROM things_fts WHERE things_fts MATCH 'zebra OR lion'") == ["zebra", "lion"])
    }

    @Test func aFullTextIndexSurvivesANewKey() throws {
        try file.execute("CREATE TABLE things (id TEXT, x TEXT)")
        try file.execute("INSERT INTO things VALUES ('a', 'zebra')")
        try file.start(things("TEXT"))
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        try file.execute("UPDATE things SET id = '1'")
        try file.start(things("TEXT")) { $0.addFullTextSearch(table: "things", columns: ["x"]) }
        let numbers = TableSchema(name: "things", columns: [id, .text("x", notNull: false)])
        try file.start(numbers) { $0.addFullTextSearch(table: "things", columns: ["x"]) }
        try file.execute("INSERT INTO things VALUES (2, 'lion')")
        #expect(
            try file.values("SELECT rowid FROM things_fts WHERE things_fts MATCH 'zebra OR lion' ORDER BY rowid") == [
                "1", "2",
            ])
    }

    @Test(arguments: [false, true]) func aFullTextIndexHasTheTextsOfTheNewType(isDeclared: Bool) throws {
        try file.start(things("INTEGER")) { $0.addFullTextSearch(table: "things", columns: ["x"]) }
        try file.execute("INSERT INTO things VALUES ('a', 1984)")
        let done = try file.start(things("REAL")) {
            if isDeclared { $0.addFullTextSearch(table: "things", columns: ["x"]) }
        }
        #expect(done.last == "Build full-text index of 'things': x")
        #expect(try file.values("SELECT x FROM things_fts") == ["1984.0"])
    }

    @Test func aFullTextIndexThatIsNoLongerDeclaredSurvivesANewKey() throws {
        let id = ColumnSchema(name: "id", type: "INTEGER", notNull: true, primaryKey: true)
        let numbers = TableSchema(name: "things", columns: [id, .text("x", notNull: false)])
        try file.start(numbers) { $0.addFullTextSearch(table: "things", columns: ["x"], tokenizer: "unicode61") }
        try file.execute("INSERT INTO things VALUES (1, 'zebra')")
        let done = try file.start(things("TEXT"))
        #expect(done.last == "Build full-text index of 'things': x")
        try file.execute("INSERT INTO things VALUES ('b', 'lion')")
        #expect(
            try file.values("SELECT x FROM things_fts WHERE things_fts MATCH 'zebra OR lion' ORDER BY x") == [
                "lion", "zebra",
            ])
        #expect(try file.sql("things_fts")?.contains("tokenize='unicode61'") == true)
        #expect(try file.start(things("TEXT")) == [])
    }
}

private struct StayPlace: Codable, Sendable {
    var city: String
    var note: String?
    static let unknown = StayPlace(city: "?", note: "none")
}

@StorageEntity(table: "stays")
private struct Stay {
    var id: String
    @StorageEmbedded(prefix: "place_") var place: StayPlace = .unknown
}
