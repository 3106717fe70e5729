import GRDB
import StorageKit
import StorageTestSupport
import Testing

/// What a start with copies looks at before it commits.
@Suite struct StartCheckTests {
    private let store: GuardedStore

    init() async throws {
        store = try GuardedStore()
        try await store.make()
        try store.run(
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id));
            CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES parents (id));
            INSERT INTO parents VALUES (1), (2);
            INSERT INTO children VALUES (10, 1), (11, 2);
            INSERT INTO pets VALUES (20, 1);
            """)
    }

    private func findings(_ body: @escaping @Sendable (Database) throws -> Void) throws -> [StartCheckError.Finding] {
        let before = try DatabaseDump(of: store.file)
        let error = #expect(throws: StorageError.self) { try store.start(1, failing: body) }
        guard case .migrationFailed("check", let cause as StartCheckError) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return []
        }
        #expect(try DatabaseDump(of: store.file) == before)
        return cause.findings
    }

    @Test func allBrokenReferencesAreToldAndNothingIsChanged() throws {
        let findings = try findings { try $0.execute(sql: "DELETE FROM parents") }
        #expect(
            Set(findings) == [
                .reference(table: "children", rowid: 10, parent: "parents"),
                .reference(table: "children", rowid: 11, parent: "parents"),
                .reference(table: "pets", rowid: 20, parent: "parents"),
            ])
    }

    @Test func aNullWhereNoneMayBeIsTold() throws {
        let findings = try findings { db in
            try db.execute(
                sql: """
                    CREATE TABLE strict (id INTEGER PRIMARY KEY, word TEXT);
                    INSERT INTO strict VALUES (1, NULL);
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = replace(sql, 'word TEXT', 'word TEXT NOT NULL') WHERE name = 'strict';
                    PRAGMA writable_schema = RESET;
                    """)
        }
        #expect(findings.count == 1)
        #expect("\(findings)".contains("strict.word"))
    }

    @Test func allOfManyFindingsAreTold() throws {
        let findings = try findings { db in
            try db.execute(
                sql: """
                    CREATE TABLE strict (id INTEGER PRIMARY KEY, word TEXT);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
                    INSERT INTO strict SELECT i, NULL FROM n;
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = replace(sql, 'word TEXT', 'word TEXT NOT NULL') WHERE name = 'strict';
                    PRAGMA writable_schema = RESET;
                    """)
        }
        #expect(findings.count == 150)
    }

    @Test func severalKindsOfFindingsAreToldTogether() throws {
        let findings = try findings { db in
            try db.execute(
                sql: """
                    DELETE FROM parents WHERE id = 2;
                    CREATE TABLE strict (id INTEGER PRIMARY KEY, word TEXT);
                    INSERT INTO strict VALUES (1, NULL);
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = replace(sql, 'word TEXT', 'word TEXT NOT NULL') WHERE name = 'strict';
                    PRAGMA writable_schema = RESET;
                    """)
        }
        #expect(findings.count == 2)
        #expect(findings.contains(.reference(table: "children", rowid: 11, parent: "parents")))
    }

    @Test func referencesThatWereBrokenBeforeAreNoFinding() throws {
        try store.run("PRAGMA foreign_keys = OFF; INSERT INTO children VALUES (12, 99)")
        try store.start(2)
        #expect(try store.copies().count == 1)
    }

    @Test func aStartWithoutSafetyThrowsAtTheFirstBrokenReference() throws {
        let error = #expect(throws: StorageError.self) {
            try store.start(1, keeping: nil) { try $0.execute(sql: "DELETE FROM parents") }
        }
        #expect(error?.startCause is ForeignKeysBrokenError)
    }
}
