import Foundation
import StorageKit
import StorageKitTesting
import Testing

private enum First {
    @StorageEntity(table: "tasks")
    struct Task {
        enum Kind: String, Codable, CaseIterable, Sendable { case home, work }
        var id: String
        var title: String
        var kind: Kind
        var due: Date?
        @StorageJSON var links: [URL]
    }

    static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(TaskRecord.self)
        schema.addFullTextSearch(table: "tasks", columns: ["title"])
    }
}

private enum Second {
    @StorageEntity(table: "tasks")
    struct Task {
        var id: String
        var title: String
        var kind: First.Task.Kind
        var due: Date?
        @StorageJSON var links: [URL]
        var notes = ""
    }

    static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(TaskRecord.self)
        schema.addFullTextSearch(table: "tasks", columns: ["title"])
    }
}

private enum Spelled {
    @StorageEntity(table: "accounts")
    struct Account {
        var id: String
        var userID: String
    }
}

private enum Respelled {
    @StorageEntity(table: "accounts")
    struct Account {
        var id: String
        var userId: String
    }
}

private enum Library {
    struct Settings: Codable, Sendable {
        var colour: String
        var size: Int
    }

    @StorageEntity(table: "shelves")
    struct Shelf {
        var id: String
        @StorageJSON var settings: Settings
    }

    @StorageEntity(table: "volumes")
    struct Volume {
        var id: String
        @StorageReference(Shelf.self) var shelfId: String
    }

    @StorageEntity(table: "pages")
    struct Page {
        var id: String
        @StorageReference(Volume.self, onDelete: .cascade) var volumeId: String
    }

    @StorageEntity(table: "marks")
    struct Mark {
        var id: String
        @StorageReference(Page.self, onDelete: .restrict) var pageId: String
    }

    static func describe(_ schema: inout AppMigrations) {
        schema.autoSchema(ShelfRecord.self, VolumeRecord.self, PageRecord.self, MarkRecord.self)
    }
}

struct SchemaSnapshotsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func snapshots(_ schema: (inout AppMigrations) -> Void) -> SchemaSnapshots {
        SchemaSnapshots(folder: folder.file("Schemas"), schema: schema)
    }

    private func findings(_ snapshots: SchemaSnapshots) throws -> String {
        try #require(throws: SchemaSnapshotError.self) { try snapshots.check() }.description
    }

    @Test func withoutASnapshotTheCheckSaysHowToMakeOne() throws {
        #expect(try findings(snapshots(First.describe)).contains("STORAGEKIT_SNAPSHOT=<version> swift test"))
    }

    @Test func aSchemaThatWasKeptPasses() throws {
        try snapshots(First.describe).record("1.0")
        try snapshots(First.describe).check()
    }

    @Test func aTableOfAMigrationThatGetsTheTimeOfTheSavePasses() throws {
        let adopted = snapshots { schema in
            schema.migration("v1") {
                try $0.execute(sql: "CREATE TABLE shelves (id TEXT PRIMARY KEY NOT NULL, settings TEXT NOT NULL)")
            }
            schema.autoSchema(Library.ShelfRecord.self)
        }
        try adopted.record("1.0")
        try adopted.check()
    }

    @Test func aChangedModelWithoutASnapshotIsTold() throws {
        try snapshots(First.describe).record("1.0")
        let text = try findings(snapshots(Second.describe))
        #expect(text.contains("the newest snapshot, 1.0"))
        #expect(text.contains("new: column 'tasks.notes' TEXT NOT NULL"))
    }

    @Test func aStoreOfAnEarlierVersionBecomesTodays() throws {
        try snapshots(First.describe).record("1.9")
        try snapshots(Second.describe).record("1.10")
        #expect(try snapshots(Second.describe).names == ["1.9", "1.10"])
        try snapshots(Second.describe).check()
    }

    @Test func aSnapshotHasRowsOfEachTableThatTheSearchFinds() async throws {
        let url = try snapshots(First.describe).record("1.0")
        let old = folder.file("old.sqlite")
        try await DatabaseQueue(path: old.path).writeWithoutTransaction {
            try $0.execute(sql: String(contentsOf: url, encoding: .utf8))
        }
        let store = try TemporaryStore(copyOf: old, schema: First.describe)
        let tasks = try await store.storage.query(First.Task.self).fetch()
        #expect(tasks.count == 3)
        #expect(Set(tasks.map(\.kind)) == [.home, .work])
        #expect(try await store.storage.query(First.Task.self).matching("text").count() == 3)
    }

    @Test func rowsWhoseParentCannotBeMadeUpAreLeftOut() throws {
        let url = try snapshots(Library.describe).record("1.0")
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("-- table 'shelves' has no rows"))
        #expect(text.contains("-- table 'volumes' has fewer rows"))
        try snapshots(Library.describe).check()
    }

    @Test func rowsWhoseParentTheAppAddsStay() throws {
        let snapshots = SchemaSnapshots(
            folder: folder.file("Schemas"),
            rows: {
                try $0.execute(
                    sql: """
                        INSERT INTO shelves (id, settings, updatedAt)
                        VALUES ('text 1', '{"colour": "", "size": 1}', '2026-01-01 00:00:00.000')
                        """)
            },
            schema: Library.describe)
        let text = try String(contentsOf: snapshots.record("1.0"), encoding: .utf8)
        #expect(text.contains("-- table 'volumes' has fewer rows"))
        try snapshots.check()
        #expect(text.components(separatedBy: "INSERT INTO \"marks\"").count == 1 + 1)
    }

    @Test func aSchemaWithACommentAtTheEndOfAStatementIsKept() throws {
        let schema = snapshots { schema in
            First.describe(&schema)
            schema.migration("index") { try $0.execute(sql: "CREATE INDEX by_due ON tasks (due) -- for the calendar") }
        }
        try schema.record("1.0")
        try schema.check()
    }

    @Test func aViewWhoseNameBeginsLikeSQLitesIsCompared() throws {
        try snapshots(First.describe).record("1.0")
        let text = try findings(
            snapshots { schema in
                First.describe(&schema)
                schema.migration("2026-11-29_view") { db in
                    // Only a fresh store gets it.
                    guard try Int.fetchOne(db, sql: "SELECT count(*) FROM tasks") == 0 else { return }
                    try db.execute(sql: "CREATE VIEW sqliteTotals AS SELECT count(*) FROM tasks")
                }
            })
        #expect(text.contains("view 'sqliteTotals'"))
    }

    @Test func theReleaseIsNewerThanWhatCameBeforeIt() throws {
        let snapshots = snapshots(First.describe)
        for name in ["1.10", "1.4", "1.4-beta", "1.4-alpha"] { try snapshots.record(name) }
        #expect(try snapshots.names == ["1.4-alpha", "1.4-beta", "1.4", "1.10"])
    }

    @Test func aMigrationThatFailsIsToldWithItsSnapshot() throws {
        try snapshots(First.describe).record("1.0")
        let text = try findings(
            snapshots { schema in
                Second.describe(&schema)
                // There are rows with one and the same list in snapshots only.
                schema.migration("2026-11-24_key") {
                    try $0.execute(sql: "CREATE UNIQUE INDEX tasks_by_links ON tasks (links)")
                }
            })
        #expect(text.contains("1.0: "))
        #expect(text.contains("2026-11-24_key"))
    }

    @Test func aSnapshotThatCannotBeReadIsToldBesideTheOthers() throws {
        try snapshots(First.describe).record("1.0")
        let newest = try snapshots(Second.describe).record("1.1")
        try "CREATE TABLE tasks (".write(to: newest, atomically: true, encoding: .utf8)
        let text = try findings(
            snapshots { schema in
                Second.describe(&schema)
                schema.migration("2026-11-24_key") {
                    try $0.execute(sql: "CREATE UNIQUE INDEX tasks_by_links ON tasks (links)")
                }
            })
        #expect(text.hasPrefix("1.0: ") && text.contains("2026-11-24_key") && text.contains("\n1.1: "), "\(text)")
    }

    @Test func aStoreThatTheAppWouldEraseIsUpgraded() throws {
        try snapshots(First.describe).record("1.0")
        let text = try findings(
            snapshots { schema in
                schema.setOptions(Options(eraseDatabaseOnSchemaChange: true))
                Second.describe(&schema)
                schema.migration("2026-11-24_key") {
                    try $0.execute(sql: "CREATE UNIQUE INDEX tasks_by_links ON tasks (links)")
                }
            })
        #expect(text.hasPrefix("1.0: ") && text.contains("2026-11-24_key"), "\(text)")
    }

    @Test func aPropertyWhoseNameChangedInItsCapitalsOnlyPasses() throws {
        try snapshots { $0.autoSchema(Spelled.AccountRecord.self) }.record("1.0")
        try snapshots { $0.autoSchema(Respelled.AccountRecord.self) }.check()
    }

    @Test func whatOnlyAFreshStoreHasIsTold() throws {
        func describe(_ schema: inout AppMigrations, index: Bool) {
            First.describe(&schema)
            schema.migration("index") { db in
                if index { try db.execute(sql: "CREATE INDEX tasks_by_due ON tasks (due)") }
            }
        }
        try snapshots { describe(&$0, index: false) }.record("1.0")
        try snapshots { describe(&$0, index: true) }.record("1.1")
        let text = try findings(snapshots { describe(&$0, index: true) })
        #expect(
            text == "1.0: a fresh store has, and this one has not: index 'tasks_by_due': "
                + "CREATE INDEX tasks_by_due ON tasks (due)")
    }

    @Test func anotherDefaultIsTold() throws {
        func describe(_ schema: inout AppMigrations, value: Int) {
            First.describe(&schema)
            schema.migration("rank") {
                try $0.execute(sql: "CREATE TABLE ranks (id TEXT PRIMARY KEY, rank INTEGER DEFAULT \(value))")
            }
        }
        try snapshots { describe(&$0, value: 1) }.record("1.0")
        let text = try findings(snapshots { describe(&$0, value: 2) })
        #expect(text.contains("DEFAULT 1") && text.contains("DEFAULT 2"), "\(text)")
    }

    @Test(arguments: ["min", "max"]) func aRowThatCannotBeReadIsTold(which: String) throws {
        let row = "(SELECT \(which)(rowid) FROM tasks)"
        let text = try findingsOfRows("UPDATE tasks SET kind = 'garden' WHERE rowid = \(row)")
        #expect(text.hasPrefix("1.0: row \(which == "min" ? 1 : 3) of table 'tasks' cannot be read: "))
        #expect(text.contains("kind"))
    }

    @Test func eachRowThatCannotBeReadIsTold() throws {
        let lines = try findingsOfRows("UPDATE tasks SET kind = 'garden'").split(separator: "\n")
        #expect(lines.count == 3)
        for (line, row) in zip(lines, 1...) {
            #expect(line.hasPrefix("1.0: row \(row) of table 'tasks' cannot be read: "))
        }
    }

    @Test(arguments: [(2, 0), (3, 1), (9, 7)])
    func ofManyRowsThatCannotBeReadFiveAreTold(added: Int, others: Int) throws {
        let text = try findingsOfRows(
            """
            WITH RECURSIVE numbers (number) AS (
                VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < \(added))
            INSERT INTO tasks (id, title, kind, links, updatedAt)
            SELECT number, '', 'garden', '[]', '2026-01-01 00:00:00.000' FROM numbers;
            UPDATE tasks SET kind = 'garden'
            """)
        let rows = text.components(separatedBy: "of table 'tasks' cannot be read: ").count - 1
        #expect(rows == 5)
        let rest = "\n1.0: rows of table 'tasks' that cannot be read either: \(others)"
        #expect(text.hasSuffix(rest) == (others > 0), "\(text)")
        #expect(text.contains("either") == (others > 0))
    }

    /// What is found once a migration changes the rows of a store that a snapshot makes.
    private func findingsOfRows(_ change: String) throws -> String {
        func describe(_ schema: inout AppMigrations, _ change: String) {
            First.describe(&schema)
            schema.migration("rows") { try $0.execute(sql: change) }
        }
        try snapshots(First.describe).record("1.0")
        try snapshots { describe(&$0, "SELECT 1") }.record("1.1")
        return try findings(snapshots { describe(&$0, change) })
    }

    @Test func aRowWithoutTheOneThatItRefersToIsTold() throws {
        let url = try snapshots(Library.describe).record("1.0")
        let row = "INSERT INTO volumes (id, shelfId, updatedAt) VALUES ('1', 'none', '2026-01-01 00:00:00.000');\n"
        let text = try String(contentsOf: url, encoding: .utf8) + row
        try text.write(to: url, atomically: true, encoding: .utf8)
        #expect(
            try findings(snapshots(Library.describe))
                == "1.0: a row of table 'volumes' refers to one of 'shelves' that is not there")
    }

    @Test func aSchemaWithACollationOfTheAppsOwnIsCheckedAsTheAppStarts() throws {
        let pool = PoolOptions(configure: { configuration in
            configuration.prepareDatabase { db in
                db.add(
                    collation: .init("byLength") { left, right in
                        left.count == right.count
                            ? .orderedSame : left.count < right.count ? .orderedAscending : .orderedDescending
                    })
            }
        })
        let snapshots = SchemaSnapshots(folder: folder.file("Schemas"), options: .init(pool: pool)) { schema in
            First.describe(&schema)
            schema.migration("index") { try $0.execute(sql: "CREATE INDEX i ON tasks (title COLLATE byLength)") }
        }
        try snapshots.record("1.0")
        try snapshots.check()
    }

    @Test func anErrorSaysItsFindingsWhereItIsShown() throws {
        let error = #expect(throws: SchemaSnapshotError.self) { try snapshots(First.describe).check() }
        #expect(error?.localizedDescription.contains("there is no snapshot of the schema") == true)
    }

    @Test(arguments: ["", "a/b", "1 0", "../x", ".", ".1"]) func aNameThatIsNoFileIsRefused(_ name: String) throws {
        #expect(throws: SchemaSnapshotError.self) { try snapshots(First.describe).record(name) }
    }
}
