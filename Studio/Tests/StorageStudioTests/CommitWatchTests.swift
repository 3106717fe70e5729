import Foundation
import StorageSQLite
import Synchronization
import Testing

@testable import StorageStudio

@Suite struct CommitWatchTests {
    /// What is told of changes that another program makes to a file.
    private func commit(of changes: String, to script: String) async throws -> Commit {
        let file = try TemporaryFile(script)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run(changes)
        return try #require(try await watch.poll())
    }

    @Test func aFileInThePlaceOfAnotherIsToldAsACommit() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'old')")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try FileManager.default.removeItem(atPath: file.path)
        try Connection(path: file.path, .create).runAll(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'new')")
        let told = try #require(try await watch.poll()).tables.flatMap(\.changes)
        #expect(told.map(\.after) == [[CellJSON(.integer(1)), CellJSON(.text("new"))]])
    }

    @Test func aRowThatIsDeletedIsToldAsItWas() async throws {
        let told = try await commit(
            of: "DELETE FROM t WHERE id = 1",
            to: "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t (x) VALUES ('old'), ('kept')")
        let changes = told.tables.flatMap(\.changes)
        #expect(changes.map(\.kind) == [.deleted])
        #expect(changes.map(\.before) == [[CellJSON(.integer(1)), CellJSON(.text("old"))]])
        #expect(changes.allSatisfy { $0.after == nil })
    }

    @Test func aTableThatIsDroppedIsToldWithoutColumns() async throws {
        let told = try await commit(
            of: "DROP TABLE t",
            to: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2); CREATE TABLE z (x)")
        #expect(told.tables.map(\.name) == ["t"])
        #expect(told.tables.map(\.columns) == [[]])
        #expect(told.tables.map(\.more) == [0])
    }

    /// SQLite reads the rows in the order of the index from then on.
    @Test func anIndexThatIsNewIsNoChangeOfRows() async throws {
        let told = try await commit(
            of: "CREATE INDEX i ON t (b)",
            to: """
                CREATE TABLE t (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
                INSERT INTO t VALUES (1, 3), (2, 2), (3, 1);
                """)
        #expect(told.tables.isEmpty)
    }

    /// A name composed and decomposed, which Swift takes for one.
    @Test(arguments: ["\u{E9}", "e\u{301}"])
    func ofTablesWhoseNamesDifferInTheirBytesAloneTheOneThatChangedIsTold(name: String) async throws {
        let told = try await commit(
            of: "UPDATE \"\(name)\" SET x = 2",
            to: """
                CREATE TABLE "\u{E9}" (id INTEGER PRIMARY KEY, x); INSERT INTO "\u{E9}" VALUES (1, 1);
                CREATE TABLE "e\u{301}" (id INTEGER PRIMARY KEY, x); INSERT INTO "e\u{301}" VALUES (1, 1);
                """)
        #expect(told.tables.map { Array($0.name.utf8) } == [Array(name.utf8)])
        #expect(told.tables.flatMap(\.changes).map(\.kind) == [.updated])
    }

    @Test func theRowsOfATableThatIsNewAreTold() async throws {
        let told = try await commit(
            of: "CREATE TABLE new (id INTEGER PRIMARY KEY); INSERT INTO new VALUES (7)", to: "CREATE TABLE t (x)")
        #expect(told.tables.map(\.name) == ["new"])
        #expect(told.tables.flatMap(\.changes).map(\.after) == [[CellJSON(.integer(7))]])
        #expect(told.uncompared.isEmpty)
    }

    @Test func ofACommitOfManyRowsSoManyAreToldAndTheOthersAreCounted() async throws {
        let told = try await commit(
            of: "UPDATE t SET x = 1",
            to: """
                CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER);
                WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 600)
                INSERT INTO t SELECT x, 0 FROM n;
                """)
        #expect(told.tables.map(\.changes.count) == [CommitWatch.mostChanges])
        #expect(told.tables.map(\.more) == [600 - CommitWatch.mostChanges])
    }

    @Test func aValueThatIsTooLongToBeReadLeavesItsTableUncomparedAndOthersAreTold() async throws {
        let told = try await commit(
            of: "INSERT INTO other VALUES (1)",
            to: """
                CREATE TABLE files (id INTEGER PRIMARY KEY, b BLOB); INSERT INTO files VALUES (1, zeroblob(70000000));
                CREATE TABLE other (id INTEGER PRIMARY KEY);
                """)
        #expect(told.tables.map(\.name) == ["other"])
        #expect(told.uncompared == ["files"])
    }

    @Test func aTableOfMoreColumnsThanAreReadAtATimeIsUncomparedAndOthersAreTold() async throws {
        let names = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
        let told = try await commit(
            of: "INSERT INTO other VALUES (1)",
            to: "CREATE TABLE wide (\(names)); CREATE TABLE other (id INTEGER PRIMARY KEY);")
        #expect(told.tables.map(\.name) == ["other"])
        #expect(told.uncompared == ["wide"])
    }

    @Test func rowsThatNoKeyTellsApartAreUncompared() async throws {
        let told = try await commit(
            of: "DELETE FROM t WHERE x = 1",
            to: """
                CREATE TABLE t (rowid, _rowid_, oid, x, k TEXT PRIMARY KEY);
                INSERT INTO t (x, k) VALUES (1, NULL), (2, NULL);
                """)
        #expect(told.tables.isEmpty)
        #expect(told.uncompared == ["t"])
    }

    // MARK: - Limits

    /// What is told of a change to one of two tables of a row each.
    private func commit(within limits: LookLimits) async throws -> Commit {
        let file = try TemporaryFile(
            "CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT); INSERT INTO a VALUES ('a'); INSERT INTO b VALUES ('b')")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits(), limits: limits)
        _ = try await watch.poll()
        try file.run("UPDATE b SET x = 'new'")
        return try #require(try await watch.poll())
    }

    @Test func ofTablesThatThereIsNoRoomToKeepItIsToldWhichChanged() async throws {
        let told = try await commit(within: LookLimits(keptBytes: 0))
        #expect(told.tables.map(\.name) == ["b"])
        #expect(told.tables.map(\.changes.count) == [0])
        #expect(told.uncompared.isEmpty)
    }

    @Test func tablesThatALookHasNoTimeToReadAreUncompared() async throws {
        let told = try await commit(within: LookLimits(readBytes: 0))
        #expect(told.tables.isEmpty)
        #expect(told.uncompared == ["a", "b"])
    }

    @Test func aTableThatIsAsItWasIsStillComparedAtItsNextChange() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE a (x TEXT); CREATE TABLE b (x TEXT); INSERT INTO a VALUES ('a'); INSERT INTO b VALUES ('b')")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("UPDATE a SET x = 'new'")
        _ = try await watch.poll()
        try file.run("UPDATE b SET x = 'new'")
        let told = try #require(try await watch.poll()).tables.flatMap(\.changes)
        #expect(told.map(\.before) == [[CellJSON(.text("b"))]])
        #expect(told.map(\.after) == [[CellJSON(.text("new"))]])
    }

    @Test func aTableWhoseLongValueChangedBehindItsBeginningIsTold() async throws {
        let told = try await commit(
            of: "UPDATE t SET b = CAST(zeroblob(9999) || x'01' AS BLOB)",
            to: "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (1, zeroblob(10000))")
        #expect(told.tables.map(\.name) == ["t"])
        #expect(told.tables.flatMap(\.changes).isEmpty)
    }

    // MARK: - What is known of commits

    /// An app that tells which rows it commits to a table of nearly as many rows as are read.
    private final class TellingApp: Sendable {
        let file: TemporaryFile
        private let commits = KnownCommits()
        private let next = Mutex<Int?>(nil)

        init() throws {
            file = try TemporaryFile(
                """
                PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY);
                CREATE TABLE other (id INTEGER PRIMARY KEY);
                WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT \(CommitWatch.mostRows - 1))
                INSERT INTO t SELECT x FROM n;
                """)
        }

        func insert(_ id: Int) throws {
            try file.run("INSERT INTO t VALUES (\(id))")
            let row = CommittedRows.Row(before: nil, after: [.integer(Int64(id))])
            commits.add(CommittedRows(tables: [.init(name: "t", columns: ["id"], rows: [row], count: 1)]))
        }

        /// Inserts while the next look reads the table.
        func insertBehindTheNextLook(_ id: Int) {
            next.withLock { $0 = id }
        }

        /// A watch of the file.
        func watch(limits: LookLimits = LookLimits()) -> CommitWatch {
            let connection = StudioConnection(
                file.path, .look,
                heartbeat: {
                    self.next.withLock { id in
                        if let id { try? self.insert(id) }
                        id = nil
                    }
                })
            return CommitWatch(connection, commits, limits: limits)
        }
    }

    @Test func rowsOfACommitRightBehindALookAreToldThoughTheTableIsTooLargeAtTheNext() async throws {
        let app = try TellingApp()
        let watch = app.watch()
        _ = try await watch.poll()
        let last = CommitWatch.mostRows
        try app.insert(last)
        app.insertBehindTheNextLook(last + 1)
        let first = try #require(try await watch.poll())
        #expect(first.tables.flatMap(\.changes).map(\.after) == [[CellJSON(.integer(Int64(last)))]])
        let second = try #require(try await watch.poll())
        #expect(second.tables.flatMap(\.changes).map(\.after) == [[CellJSON(.integer(Int64(last + 1)))]])
        #expect(second.uncompared.isEmpty)
    }

    @Test func rowsOfACommitRightBehindALookAreToldOnceWhereNoRowsAreKept() async throws {
        let app = try TellingApp()
        let watch = app.watch(limits: LookLimits(keptBytes: 0))
        _ = try await watch.poll()
        try app.file.run("INSERT INTO other VALUES (1)")
        app.insertBehindTheNextLook(CommitWatch.mostRows)
        let first = try #require(try await watch.poll())
        #expect(first.tables.map(\.name) == ["other"])
        let second = try #require(try await watch.poll())
        let row = [CellJSON(.integer(Int64(CommitWatch.mostRows)))]
        #expect(second.tables.flatMap(\.changes).map(\.after) == [row])
    }

    private func rows(_ columns: [String], of table: String = "t") -> CommittedRows {
        let row = CommittedRows.Row(before: nil, after: columns.map { _ in SQLiteValue.integer(1) })
        return CommittedRows(tables: [.init(name: table, columns: columns, rows: [row], count: 1)])
    }

    @Test func rowsOfTablesWhoseNamesDifferInTheirBytesAloneAreKeptApart() {
        let commits = KnownCommits()
        for name in ["\u{E9}", "e\u{301}"] { commits.add(rows(["a"], of: name)) }
        #expect(commits.take().values.map(\.count) == [1, 1])
    }

    @Test func rowsOfOtherColumnsAreCountedAlone() {
        let commits = KnownCommits()
        commits.add(rows(["a"]))
        commits.add(rows(["a", "b"]))
        let table = commits.take()[Array("t".utf8)]
        #expect(table?.columns == ["a", "b"])
        #expect(table?.rows == rows(["a", "b"]).tables[0].rows)
        #expect(table?.count == 2)
    }

    @Test func ofManyCommitsSoManyRowsAreKeptAndAllAreCounted() {
        let commits = KnownCommits()
        for _ in 0...KnownCommits.mostRows { commits.add(rows(["a"])) }
        let table = commits.take()[Array("t".utf8)]
        #expect(table?.rows.count == KnownCommits.mostRows)
        #expect(table?.count == KnownCommits.mostRows + 1)
    }
}
