import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Which rows the hub says changed, by which road.
@Suite struct RowPrecisionTests {
    private let store: ProbedStore

    init() throws {
        store = try ProbedStore(
            sql:
                "CREATE TRIGGER copy AFTER UPDATE ON numbers BEGIN UPDATE bare SET value = new.value WHERE id = 'b'; END"
        )
    }

    @Test(arguments: [
        ("INSERT INTO texts VALUES (3, 'x', NULL)", TableChange.texts("x")),
        ("UPDATE texts SET value = 9 WHERE id = 'b'", .texts("b")),
        ("UPDATE texts SET value = 9", .texts("a", "b")),
        ("UPDATE texts SET id = 'x' WHERE id = 'b'", .texts("b", "x")),
        ("INSERT OR REPLACE INTO texts VALUES (3, 'b', 'u')", .texts("b")),
        ("REPLACE INTO texts VALUES (3, 'x', 't')", .texts("b", "x")),
        ("UPDATE OR REPLACE texts SET slug = 't' WHERE id = 'a'", .texts("a", "b")),
        ("INSERT INTO texts VALUES (3, 'b', 'u') ON CONFLICT (id) DO UPDATE SET value = 3", .texts("b")),
        ("INSERT OR IGNORE INTO texts VALUES (3, 'b', 'u'), (3, 'x', NULL)", .texts("x")),
    ])
    func ofTextKeys(sql: String, change: TableChange) throws {
        #expect(try store.told(sql) == ["texts": [change]])
    }

    @Test(arguments: [
        ("INSERT INTO numbers VALUES (NULL, 3)", TableChange.numbers(3)),
        ("DELETE FROM numbers WHERE id = 1", .numbers(1)),
        ("DELETE FROM numbers", .numbers(1, 2)),
        ("REPLACE INTO numbers VALUES (2, 9)", .numbers(2)),
        ("INSERT INTO numbers VALUES (-9223372036854775808, 0)", .numbers(.min)),
    ])
    func ofIntegerKeys(sql: String, change: TableChange) throws {
        #expect(try store.told(sql) == ["numbers": [change]])
    }

    @Test(arguments: [
        ("INSERT INTO bare VALUES (3, 'x')", TableChange.texts("x")),
        ("UPDATE bare SET value = 9 WHERE id = 'b'", .texts("b")),
        ("UPDATE bare SET id = 'x' WHERE id = 'b'", .texts("b", "x")),
        ("REPLACE INTO bare VALUES (9, 'b')", .texts("b")),
        ("DELETE FROM bare WHERE id = 'a'", .texts("a")),
        ("DELETE FROM bare", .texts("a", "b")),
    ])
    func ofTablesWithoutRowids(sql: String, change: TableChange) throws {
        #expect(try store.told(sql) == ["bare": [change]])
    }

    @Test func ofCascades() throws {
        #expect(
            try store.told("DELETE FROM texts WHERE id = 'a'") == ["texts": [.texts("a")], "children": [.texts("c")]])
    }

    @Test func ofTriggers() throws {
        let told = try store.told("UPDATE numbers SET value = 7 WHERE id = 1")
        #expect(told == ["numbers": [.numbers(1)], "bare": [.texts("b")]])
    }

    @Test func ofSeveralStatementsInOneTransaction() throws {
        let told = try store.told(
            """
            INSERT INTO texts VALUES (3, 'x', NULL); INSERT INTO numbers VALUES (3, 3);
            DELETE FROM texts WHERE id = 'x'; UPDATE TEXTS SET value = 5 WHERE id = 'b'
            """)
        #expect(told == ["texts": [.texts("x", "b")], "numbers": [.numbers(3)]])
    }

    /// Nobody knows what they were in the rows before.
    @Test func ofColumnsThatSomebodyAsksForInTheMiddleOfATransactionNothing() throws {
        try store.pool.write { db in
            try db.execute(sql: "UPDATE texts SET value = 9 WHERE id = 'a'")
            store.hub.track("texts", idColumn: "id", columns: ["value": []])
            try db.execute(sql: "UPDATE texts SET slug = 'x' WHERE id = 'b'")
        }
        #expect(store.take() == ["texts": [.texts("a", "b")]])
    }

    @Test func ofTwoCommitsTheColumnsThatBothKnow() {
        var values = ChangedValues(columns: ["value": .init(), "slug": .init()])
        values.add(ChangedValues(columns: ["value": .init()]))
        #expect(!values.touches(["value"]))
        #expect(values.touches(["slug"]))
    }

    @Test func upToAThousandRowsAreListedAndMoreAreAll() throws {
        func insert(_ count: Int, after first: Int) -> String {
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO numbers SELECT i + \(first), i FROM n
            """
        }
        let listed = try store.told(insert(1000, after: 10))
        #expect(listed == ["numbers": [.rows(Set((11...1010).map { .integer($0) }))]])
        #expect(try store.told(insert(1001, after: 2000)) == ["numbers": [.allRows]])
    }

    @Test func ofARollbackNothing() throws {
        try store.pool.writeWithoutTransaction { db in
            try db.inTransaction {
                try db.execute(sql: "DELETE FROM texts; UPDATE numbers SET value = 4")
                return .rollback
            }
        }
        #expect(store.take().isEmpty)
        #expect(try store.told("INSERT INTO texts VALUES (3, 'x', NULL)") == ["texts": [.texts("x")]])
        #expect(store.hub.isCurrent)
    }

    @Test func ofASavepointRolledBackAtLeastWhatRemains() throws {
        try store.pool.write { db in
            try db.execute(sql: "UPDATE numbers SET value = 5 WHERE id = 1")
            try db.inSavepoint {
                try db.execute(sql: "UPDATE texts SET value = 6 WHERE id = 'a'")
                return .rollback
            }
            try db.execute(sql: "UPDATE texts SET value = 7 WHERE id = 'b'")
        }
        let told = store.take()
        #expect(told["numbers"] == [.numbers(1)])
        guard case .rows(let ids, _) = told["texts"]?.first else {
            Issue.record("\(told)")
            return
        }
        #expect(ids.contains(.text("b")) && ids.isSubset(of: [.text("a"), .text("b")]))
    }

    @Test func ofASecondPoolInThisProcessTheRowsToo() throws {
        let other = try GRDB.DatabasePool(path: store.folder.file().path)
        let otherActor = DatabaseActor(pool: other)
        #expect(otherActor.changes === store.hub)
        try other.write { try $0.execute(sql: "UPDATE texts SET value = 1 WHERE id = 'a'") }
        // The columns are looked up at the end of its first commit.
        _ = store.take()
        try other.write { try $0.execute(sql: "UPDATE texts SET value = 2 WHERE id = 'a'") }
        #expect(store.take() == ["texts": [.texts("a")]])
        #expect(store.hub.isCurrent)
        #expect(try store.told("UPDATE texts SET value = 3 WHERE id = 'b'") == ["texts": [.texts("b")]])
    }

    @Test func ofAPoolThatWasOpenedThroughALinkToo() throws {
        let link = store.folder.file("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.folder.file())
        let other = try GRDB.DatabasePool(path: link.path)
        let otherActor = DatabaseActor(pool: other)
        #expect(otherActor.changes === store.hub)
        try other.write { try $0.execute(sql: "UPDATE texts SET value = 1 WHERE id = 'a'") }
        #expect(store.take()["texts"]?.isEmpty == false)
        #expect(store.hub.isCurrent)
    }

    @Test func aGeneratedColumnBeforeTheIdDoesNotMislead() throws {
        try store.pool.write { db in
            try db.execute(
                sql: "CREATE TABLE made (twice AS (value * 2) VIRTUAL, value INTEGER, id TEXT PRIMARY KEY, last TEXT)")
        }
        let probe = ChangeProbe()
        store.hub.tell(probe, of: "made", idColumn: "id")
        _ = try store.told("UPDATE numbers SET value = 0")
        for sql in ["INSERT INTO made VALUES (1, 'a', 'z')", "UPDATE made SET value = 2", "DELETE FROM made"] {
            _ = try store.told(sql)
            let told = probe.take()
            #expect(told == [.texts("a")] || told == [.allRows], "\(sql)")
        }
    }

    @Test func aColumnAddedLaterDoesNotMislead() throws {
        _ = try store.told("ALTER TABLE texts ADD COLUMN more TEXT DEFAULT 'more'")
        #expect(try store.told("UPDATE texts SET more = 'x' WHERE id = 'a'") == ["texts": [.texts("a")]])
        #expect(try store.told("DELETE FROM texts WHERE id = 'b'")["texts"] == [.texts("b")])
    }

    @Test func whatARowHeldInAColumnThatIsYoungerIsItsDefaultOrNotKnown() throws {
        _ = try store.told("ALTER TABLE texts ADD COLUMN more TEXT DEFAULT 'more'")
        store.hub.track("texts", idColumn: "id", columns: ["more": .formerValues])
        // The columns are looked up at the end of the first commit after that.
        _ = try store.told("UPDATE numbers SET value = 0")
        let told = try store.told("UPDATE texts SET more = 'x' WHERE id = 'a'")
        guard case .rows(_, let values) = told["texts"]?.first, let more = values.columns["more"] else {
            Issue.record("\(told)")
            return
        }
        #expect(more.differs && more.former?.contains(.text("more")) != false)
    }

    @Test func anAttachedTableOfTheSameNameIsAnother() throws {
        let file = store.folder.file("other.sqlite").path
        try store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS other", arguments: [file])
            try db.execute(sql: "CREATE TABLE other.texts (value INTEGER, id TEXT PRIMARY KEY)")
            _ = store.take()
            try db.execute(sql: "INSERT INTO other.texts VALUES (1, 'x'), (2, 'a')")
            #expect(store.take()["texts"] != [.texts("x", "a")])
            try db.execute(sql: "DETACH other")
        }
        _ = try store.told("UPDATE numbers SET value = 0")
        #expect(try store.told("UPDATE texts SET value = 3 WHERE id = 'b'") == ["texts": [.texts("b")]])
        #expect(store.hub.isCurrent)
    }
}
