import StorageKit
import StorageTestSupport
import Testing

/// What a monitor hears of commits, where SQLite tells of rows.
@Suite struct CommittedRowsTests {
    private static func store(_ limit: Int) throws -> (TemporaryStore, EventLog) {
        let log = EventLog(committedRowLimit: limit)
        return (
            try TemporaryStore(
                options: { $0.monitor = log },
                schema: { schema in
                    schema.autoSchema(TestUserRecord.self)
                    schema.migration("plain") { db in
                        try db.execute(
                            sql: """
                                CREATE TABLE plain (a INTEGER PRIMARY KEY, b TEXT, c AS (b || '!') VIRTUAL, d TEXT);
                                CREATE TABLE pairs (x TEXT, y TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID;
                                CREATE TABLE sizes (a REAL, b DOUBLE, c NUMERIC, d);
                                """)
                    }
                }), log
        )
    }

    private static func commits(_ log: EventLog) -> [CommittedRows] {
        log.events.compactMap { if case .commit(let rows) = $0 { rows } else { nil } }
    }

    @Test func aCommitIsToldWithItsRowsBeforeAndAfter() async throws {
        let (store, log) = try Self.store(10)
        try await store.storage.save(TestUser("1", name: "Ada"))
        try await store.storage.save(TestUser("1", name: "Grace"))
        _ = try await store.storage.delete(TestUser.self, id: "1")
        let tables = Self.commits(log).flatMap(\.tables).filter { $0.name == "testusers" }
        let names = try tables.map { table in
            let place = try #require(table.columns.firstIndex(of: "name"))
            return table.rows.map { [$0.before?[place], $0.after?[place]] }
        }
        #expect(names == [[[nil, .text("Ada")]], [[.text("Ada"), .text("Grace")]], [[.text("Grace"), nil]]])
    }

    @Test func moreRowsThanAreAskedForAreCountedAlone() async throws {
        let (store, log) = try Self.store(3)
        try await store.storage.save((1...10).map { TestUser("\($0)") })
        let table = try #require(Self.commits(log).last?.tables.first { $0.name == "testusers" })
        #expect(table.rows.count == 3)
        #expect(table.count == 10)
    }

    @Test func rowsThatStayAsTheyWereAreNotCountedWhereNoMoreAreNotedEither() async throws {
        let (store, log) = try Self.store(1)
        try await store.db.write { db in
            try db.execute(
                sql: "INSERT INTO sizes VALUES (1, 1.5, 'x', x'01'), (2, -0.0, 'y', x'02'), (3, 2, 'z', NULL)")
        }
        try await store.db.write { db in
            try db.execute(sql: "UPDATE sizes SET d = x'03' WHERE a = 2")
            try db.execute(sql: "UPDATE sizes SET a = a, b = b, c = c, d = d")
            try db.execute(sql: "UPDATE sizes SET d = x'04' WHERE a = 2")
        }
        let table = try #require(Self.commits(log).last?.tables.first)
        #expect(table.rows.count == 1)
        #expect(table.count == 2)
    }

    @Test func whatIsRolledBackIsNotTold() async throws {
        let (store, log) = try Self.store(10)
        let before = Self.commits(log).count
        await #expect(throws: CancellationError.self) {
            try await store.db.write { db in
                try db.execute(sql: "INSERT INTO plain (b) VALUES ('gone')")
                throw CancellationError()
            }
        }
        try await store.db.write { try $0.execute(sql: "INSERT INTO plain (b) VALUES ('kept')") }
        let commits = Self.commits(log).dropFirst(before)
        #expect(commits.flatMap(\.tables).flatMap(\.rows).map(\.after) == [[.integer(1), .text("kept")]])
    }

    @Test func columnsBehindOneThatIsCalculatedAreLeftOut() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { try $0.execute(sql: "INSERT INTO plain (b, d) VALUES ('x', 'y')") }
        let table = try #require(Self.commits(log).last?.tables.first)
        #expect(table.columns == ["a", "b"])
        #expect(table.rows.map(\.after) == [[.integer(1), .text("x")]])
    }

    @Test func rowsWithoutARowidAndDeletionsOfAllAreToldToo() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { try $0.execute(sql: "INSERT INTO pairs VALUES ('1', '2'), ('3', '4')") }
        try await store.db.write { try $0.execute(sql: "DELETE FROM pairs") }
        let table = try #require(Self.commits(log).last?.tables.first)
        #expect(table.columns == ["x", "y"])
        #expect(table.rows.map(\.before) == [[.text("1"), .text("2")], [.text("3"), .text("4")]])
    }

    @Test func aWholeNumberInAColumnOfRealNumbersIsARealNumber() async throws {
        let (store, log) = try Self.store(10)
        for sql in ["INSERT INTO sizes VALUES (5, 5, 5, 5)", "UPDATE sizes SET a = 6, b = 6.0", "DELETE FROM sizes"] {
            try await store.db.write { try $0.execute(sql: sql) }
        }
        let rows = Self.commits(log).suffix(3).flatMap(\.tables).flatMap(\.rows)
        let first: [SQLiteValue] = [.real(5), .real(5), .integer(5), .integer(5)]
        let second: [SQLiteValue] = [.real(6), .real(6), .integer(5), .integer(5)]
        #expect(rows.map(\.after) == [first, second, nil])
        #expect(rows.map(\.before) == [nil, first, second])
    }

    @Test func whatSQLiteHasRolledBackByItselfIsNotTold() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON plain WHEN NEW.b = 'bad'
                    BEGIN SELECT RAISE(ROLLBACK, 'refused'); END
                    """)
        }
        let before = Self.commits(log).count
        await #expect(throws: (any Error).self) {
            try await store.db.write { db in
                try db.execute(sql: "INSERT INTO plain (b) VALUES ('gone')")
                try db.execute(sql: "INSERT INTO plain (b) VALUES ('bad')")
            }
        }
        try await store.db.write { try $0.execute(sql: "INSERT INTO plain (b) VALUES ('kept')") }
        let rows = Self.commits(log).dropFirst(before).flatMap(\.tables).flatMap(\.rows)
        #expect(rows.map { $0.after?.last } == [.text("kept")])
    }

    /// Of such a statement GRDB does not say that it was committed.
    @Test(arguments: [false, true])
    func aCommitOfAStatementThatIsNotReadToItsEndIsTold(another: Bool) async throws {
        let (store, log) = try Self.store(10)
        let before = Self.commits(log).count
        try await store.context.storage.pool.writeWithoutTransaction { db in
            _ = try Int.fetchOne(db, sql: "INSERT INTO plain (b) VALUES ('x') RETURNING a")
            if another { try db.execute(sql: "INSERT INTO plain (b) VALUES ('y')") }
        }
        try await store.db.write { try $0.execute(sql: "INSERT INTO plain (b) VALUES ('z')") }
        let rows = Self.commits(log).dropFirst(before).flatMap(\.tables).flatMap(\.rows)
        #expect(rows.map { $0.after?.last } == (another ? ["x", "y", "z"] : ["x", "z"]).map { .text($0) })
    }

    /// There no pages are written that would tell.
    @Test func aCommitOfSuchAStatementInMemoryIsToldToo() async throws {
        let log = EventLog(committedRowLimit: 10)
        let context = try StorageKit.startInMemory(options: StorageKit.StartOptions(monitor: log)) { schema in
            schema.migration("plain") { try $0.execute(sql: "CREATE TABLE plain (a INTEGER PRIMARY KEY, b TEXT)") }
        }
        try await context.storage.pool.writeWithoutTransaction { db in
            _ = try Int.fetchOne(db, sql: "INSERT INTO plain (b) VALUES ('x') RETURNING a")
        }
        try await context.storage.dbActor.write { try $0.execute(sql: "INSERT INTO plain (b) VALUES ('z')") }
        let rows = Self.commits(log).flatMap(\.tables).filter { $0.name == "plain" }.flatMap(\.rows)
        #expect(rows.map { $0.after?.last } == [.text("x"), .text("z")])
    }

    @Test func rowsOfATableThatIsDroppedAreCounted() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { db in
            try db.execute(sql: "INSERT INTO pairs VALUES ('1', '2'), ('3', '4'); ALTER TABLE pairs RENAME TO others")
        }
        let table = try #require(Self.commits(log).last?.tables.first { $0.name == "pairs" })
        #expect(table.rows.isEmpty)
        #expect(table.count == 2)
    }

    @Test func rowsFromBeforeAColumnIsDroppedAreCounted() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    INSERT INTO sizes VALUES (1, 2, 3, 4);
                    ALTER TABLE sizes DROP COLUMN a;
                    INSERT INTO sizes VALUES (5, 6, 7);
                    """)
        }
        let table = try #require(Self.commits(log).last?.tables.first { $0.name == "sizes" })
        #expect(table.columns == ["b", "c", "d"])
        #expect(table.rows.last?.after == [.real(5), .integer(6), .integer(7)])
        #expect(!table.rows.contains { $0.after?.first == .real(1) })
        #expect(table.count > table.rows.count)
    }

    /// Many versions of the hook say NULL for the columns that such a row lacks.
    private static func storeOfOldRows(_ limit: Int) async throws -> (TemporaryStore, EventLog) {
        let (store, log) = try Self.store(limit)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE old (id INTEGER PRIMARY KEY, a TEXT);
                    INSERT INTO old VALUES (1, 'p'), (2, 'q'), (3, 'r'), (4, 's');
                    ALTER TABLE old ADD COLUMN b TEXT;
                    ALTER TABLE old ADD COLUMN c TEXT DEFAULT 'usual';
                    ALTER TABLE old ADD COLUMN d REAL DEFAULT 1;
                    ALTER TABLE old ADD COLUMN e TEXT DEFAULT 5;
                    CREATE TABLE plainer (id INTEGER PRIMARY KEY, a TEXT);
                    INSERT INTO plainer VALUES (1, 'p'), (2, 'q');
                    ALTER TABLE plainer ADD COLUMN b TEXT;
                    """)
        }
        return (store, log)
    }

    @Test func aRowThatIsOlderThanAColumnIsToldWithItsDefault() async throws {
        let (store, log) = try await Self.storeOfOldRows(10)
        let before = Self.commits(log).count
        for sql in [
            "UPDATE old SET c = NULL WHERE id = 1", "UPDATE old SET a = 'z' WHERE id = 2",
            "UPDATE old SET a = a WHERE id = 3", "DELETE FROM old WHERE id = 4", "UPDATE plainer SET b = NULL",
        ] {
            try await store.db.write { try $0.execute(sql: sql) }
        }
        let rows = Self.commits(log).dropFirst(before).flatMap(\.tables).flatMap(\.rows)
        func row(_ id: Int64, _ a: String, _ c: SQLiteValue = .text("usual")) -> [SQLiteValue] {
            [.integer(id), .text(a), .null, c, .real(1), .text("5")]
        }
        #expect(rows.map(\.before) == [row(1, "p"), row(2, "q"), row(4, "s")])
        #expect(rows.map(\.after) == [row(1, "p", .null), row(2, "z"), nil])
    }

    @Test func longValuesAreCountedAndNotKept() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write {
            try $0.execute(sql: "INSERT INTO plain (b) VALUES ('short'), (hex(zeroblob(1000000))), ('behind')")
        }
        let table = try #require(Self.commits(log).last?.tables.first)
        #expect(table.rows.map { $0.after?.last } == [.text("short"), .text("behind")])
        #expect(table.count == 3)
    }

    @Test func ofManyLongValuesTheFirstAreKept() async throws {
        let (store, log) = try Self.store(10)
        try await store.db.write { db in
            for _ in 0..<3 { try db.execute(sql: "INSERT INTO sizes (d) VALUES (hex(zeroblob(300000)))") }
        }
        let table = try #require(Self.commits(log).last?.tables.first)
        #expect(table.rows.count == 1)
        #expect(table.count == 3)
    }

    @Test func theBytesOfEachCommitAreCountedAnew() async throws {
        let (store, log) = try Self.store(10)
        for _ in 0..<2 {
            try await store.db.write { try $0.execute(sql: "INSERT INTO sizes (d) VALUES (hex(zeroblob(300000)))") }
        }
        #expect(Self.commits(log).suffix(2).flatMap(\.tables).map(\.rows.count) == [1, 1])
    }

    @Test func aMonitorThatDoesNotAskHearsOfNone() async throws {
        let (store, log) = try Self.store(0)
        try await store.storage.save(TestUser("1"))
        #expect(Self.commits(log).isEmpty)
    }

    @Test func theLineOfACommitHasNoValues() {
        let row = CommittedRows.Row(before: nil, after: [.text("secret")])
        let rows = CommittedRows(tables: [
            .init(name: "notes", columns: ["a"], rows: [row], count: 2),
            .init(name: "tags", columns: ["a"], rows: [row], count: 1),
        ])
        #expect("\(StorageEvent.commit(rows))" == "commit: 2 rows of notes, 1 row of tags")
    }
}
