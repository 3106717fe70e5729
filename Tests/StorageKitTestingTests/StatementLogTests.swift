import StorageKit
import StorageKitTesting
import Testing

@Suite struct StatementLogTests {
    private let log = StatementLog()
    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore(log: log, options: { $0.memoryCapacity = 0 }) { $0.autoSchema(NoteRecord.self) }
    }

    @Test func aStatementForEachRowShowsAsARepetition() async throws {
        let notes = try await store.fill(20, Note.numbered)
        let statements = try await log.during {
            for note in notes { _ = try await store.storage.get(Note.self, id: note.id) }
        }
        #expect(statements.count == 20)
        #expect(statements.reads == 20)
        #expect(statements.repeated(atLeast: 20).count == 1)
        #expect(statements.repeated(atLeast: 21).isEmpty)
        #expect(statements.description.hasPrefix("20 x SELECT"))
    }

    @Test func oneStatementForAllRowsIsOne() async throws {
        try await store.fill(20, Note.numbered)
        let statements = try await log.during { _ = try await store.storage.all(Note.self) }
        #expect(statements.count == 1, "\(statements)")
        #expect(statements.writes == 0)
    }

    @Test func aQueryThatTakesLongerThanTheLastTimeIsNotedOnce() async throws {
        let notes = store.storage.query(Note.self).limit(100_000)
        for _ in 0..<20 { _ = try await notes.fetch() }
        try await store.fill(1000, Note.numbered)
        let statements = try await log.during { _ = try await notes.fetch() }
        #expect(statements.count == 1, "\(statements)")
    }

    @Test func transactionsAndPragmasAreLeftOut() async throws {
        let statements = try await log.during {
            try await store.db.write { try $0.execute(sql: "DELETE FROM notes; PRAGMA user_version = 3") }
        }
        #expect(statements.sql == ["DELETE FROM notes"])
        #expect(statements.writes == 1)
    }

    @Test(arguments: [
        ("-- The open ones\n  SELECT 1", 1, 0), ("/* All */ -- of them\nDELETE FROM notes", 0, 1),
        // As SQLite tells what a trigger does.
        ("-- Select the rows\nDELETE FROM notes", 0, 1), ("-- DELETE FROM notes\nSELECT 1", 1, 0),
        ("-- TRIGGER mark\nSELECT 1", 1, 0), ("-- With care\n-- Update\nDELETE FROM notes", 0, 1),
    ])
    func aStatementBehindACommentCounts(sql: String, reads: Int, writes: Int) async throws {
        let statements = try await log.during { try await store.db.write { try $0.execute(sql: sql) } }
        #expect(statements.sql == [sql])
        #expect(statements.reads == reads)
        #expect(statements.writes == writes)
    }

    @Test func aStatementBehindACommentCountsEachTimeItRuns() async throws {
        let statements = try await log.during {
            for title in ["one", "two", "two"] {
                try await store.db.write {
                    try $0.execute(sql: "-- By its title\nDELETE FROM notes WHERE title = ?", arguments: [title])
                }
            }
        }
        #expect(statements.sql == Array(repeating: "-- By its title\nDELETE FROM notes WHERE title = ?", count: 3))
    }

    @Test func aStatementThatRunsInsideOneOfTheSameWordsCounts() async throws {
        try await store.fill(2, Note.numbered)
        let statements = try await log.during {
            try await store.db.read { db in
                let outer = try String.fetchCursor(db, sql: "SELECT id FROM notes")
                while try outer.next() != nil { _ = try String.fetchAll(db, sql: "SELECT id FROM notes") }
            }
        }
        #expect(statements.count == 3, "\(statements)")
    }

    @Test func aWriteOfATextThatNamesTheSchemaCounts() async throws {
        let statements = try await log.during {
            try await store.db.write {
                try $0.execute(sql: "INSERT INTO notes VALUES ('1', 'pragma_table_list', 0, '')")
                _ = try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
            }
        }
        #expect(statements.sql == ["INSERT INTO notes VALUES ('1', 'pragma_table_list', 0, '')"])
    }

    @Test(arguments: [
        "SELECT name FROM pragma_settings", "SELECT name FROM my_sqlite_schema", "SELECT 'see sqlite_master'",
        "SELECT 'pragma_table_info(notes)'",
    ])
    func aReadThatOnlySoundsLikeALookAtTheSchemaCounts(sql: String) async throws {
        try await store.db.write {
            try $0.execute(sql: "CREATE TABLE pragma_settings (name TEXT); CREATE TABLE my_sqlite_schema (name TEXT)")
        }
        let statements = try await log.during {
            try await store.db.read { _ = try String.fetchAll($0, sql: sql) }
        }
        #expect(statements.sql == [sql])
    }

    @Test(arguments: [
        "SELECT name FROM main.sqlite_master", #"SELECT name FROM "SQLite_schema""#,
        "SELECT name FROM sqlite_temp_master", "SELECT name FROM pragma_table_info('notes')",
        "SELECT name FROM pragma_table_list WHERE schema = 'main'", "SELECT user_version FROM pragma_user_version",
    ])
    func aLookAtTheSchemaIsLeftOut(sql: String) async throws {
        let statements = try await log.during {
            try await store.db.read { _ = try String.fetchAll($0, sql: sql) }
        }
        #expect(statements.sql == [])
    }

    @Test func whatAFullTextIndexDoesIsNoStatement() async throws {
        try await store.db.write { try $0.execute(sql: "CREATE VIRTUAL TABLE texts USING fts5 (title)") }
        let statements = try await log.during {
            try await store.db.write {
                try $0.execute(sql: "INSERT INTO texts VALUES ('one'); SELECT * FROM texts WHERE texts MATCH 'one'")
            }
        }
        #expect(statements.count == 2, "\(statements)")
    }

    @Test func statementsOfTriggersAreLeftOut() async throws {
        try await store.db.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER mark AFTER DELETE ON notes BEGIN
                        SELECT 1; UPDATE notes
                        SET title = title; DELETE FROM notes WHERE 0;
                        INSERT INTO notes
                        SELECT * FROM notes WHERE title = 'a
                    b';
                    END
                    """)
        }
        try await store.fill(1, Note.numbered)
        let statements = try await log.during { try await store.db.write { try $0.execute(sql: "DELETE FROM notes") } }
        #expect(statements.sql == ["DELETE FROM notes"])
    }

    @Test func whatAForeignKeyDoesToOtherRowsIsNoStatement() async throws {
        try await store.db.write {
            try $0.execute(
                sql: """
                    CREATE TABLE marks (note TEXT REFERENCES notes (id) ON DELETE CASCADE);
                    CREATE TABLE stars (note TEXT REFERENCES notes (id) ON DELETE SET NULL);
                    """)
        }
        try await store.fill(2, Note.numbered)
        try await store.db.write {
            try $0.execute(sql: "INSERT INTO marks SELECT id FROM notes; INSERT INTO stars SELECT id FROM notes")
        }
        let statements = try await log.during {
            try await store.storage.delete(Note.self, id: "0")
            try await store.storage.delete(Note.self, id: "1")
        }
        #expect(statements.count == 2)
    }

    @Test(arguments: [EventLog(slowStatementThreshold: .seconds(1)), EventLog(tellsMissingIndexes: true)])
    func aMonitorThatTimesStatementsIsRefusedBesideALog(monitor: EventLog) throws {
        #expect(throws: StorageError.self) {
            try TemporaryStore(log: log, options: { $0.monitor = monitor }) { $0.autoSchema(NoteRecord.self) }
        }
        _ = try TemporaryStore(log: log, options: { $0.monitor = EventLog() }) { $0.autoSchema(NoteRecord.self) }
    }

    @Test(arguments: [
        ("WITH a AS (SELECT 1) SELECT * FROM a", 1, 0),
        (
            "with a(x) as (select ')'), b as materialized (select 1) delete from notes where id in (select x from a)",
            0, 1
        ),
        ("WITH a AS (SELECT 1) INSERT INTO notes SELECT '1', '', 0, '' FROM a WHERE 0", 0, 1),
        ("WITH a AS (VALUES (1)) UPDATE notes SET title = 'x' WHERE id IN (SELECT * FROM a)", 0, 1),
    ])
    func aStatementThatBeginsWithATableOfItsOwnCountsByWhatItDoes(sql: String, reads: Int, writes: Int) async throws {
        let statements = try await log.during { try await store.db.write { try $0.execute(sql: sql) } }
        #expect(statements.reads == reads)
        #expect(statements.writes == writes)
    }

    @Test func boundValuesAreNotNoted() async throws {
        let statements = try await log.during {
            _ = try await store.storage.query(Note.self).where { $0.title == "secret" }.fetch()
        }
        #expect(statements.count == 1)
        #expect(!statements.description.contains("secret"))
    }

    @Test func whatWasForgottenIsNotCounted() async throws {
        try await store.fill(3, Note.numbered)
        #expect(log.statements.count > 0)
        log.clear()
        #expect(log.statements.count == 0)
    }

    @Test func whatIsForgottenMeanwhileHidesNothingThatComesAfter() async throws {
        try await store.fill(3, Note.numbered)
        let statements = try await log.during {
            log.clear()
            _ = try await store.storage.query(Note.self).fetch()
        }
        #expect(statements.count == 1)
    }

    @Test func whatIsForgottenASecondTimeMeanwhileHidesNothingThatComesAfter() async throws {
        try await store.fill(3, Note.numbered)
        log.clear()
        let statements = try await log.during {
            log.clear()
            _ = try await store.storage.query(Note.self).fetch()
        }
        #expect(statements.count == 1)
    }

    @Test func statementsOfBeforeDoNotCount() async throws {
        try await store.fill(3, Note.numbered)
        #expect(await log.during {}.count == 0)
    }
}
