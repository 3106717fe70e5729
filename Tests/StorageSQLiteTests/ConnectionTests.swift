import Foundation
import StorageSQLite
import Testing

@Suite struct ConnectionTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", .create)
    }

    /// SQLite would open the file that is called by what stands before it.
    @Test func aNULEndsNoPath() {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("nul-\(UUID())").path
        #expect(throws: SQLiteFailure(code: 14, message: "the path has a NUL in it")) {
            try Connection(path: path + "\0.sqlite", .create)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: - Preparing

    @Test(arguments: ["", " ; -- nothing\n", "/* nothing */"])
    func aTextWithoutStatementIsRefused(_ sql: String) {
        #expect(throws: SQLiteFailure(code: 1, message: "the SQL has no statement in it", sql: sql)) {
            try connection.prepare(sql)
        }
    }

    @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; nonsense", ";SELECT 1;; /* and */ PRAGMA user_version = 3"])
    func severalStatementsAreRefused(_ sql: String) throws {
        #expect(
            throws: SQLiteFailure(
                code: 1, message: "the SQL has more than one statement; give one at a time", sql: sql)
        ) { try connection.prepare(sql) }
        // What is refused has not been carried out.
        #expect(try connection.value("PRAGMA user_version") == .integer(0))
    }

    @Test(arguments: ["SELECT 1", " ;SELECT 1; -- that is all\n ;", "/* one */ SELECT 1 /* at the end"])
    func aStatementMayHaveBlanksAroundIt(_ sql: String) throws {
        #expect(try connection.value(sql) == .integer(1))
    }

    @Test func aNULEndsNoSQL() {
        #expect(throws: SQLiteFailure(code: 1, message: "the SQL contains a NUL", sql: "SELECT 1\0, 2")) {
            try connection.prepare("SELECT 1\0, 2")
        }
    }

    @Test func theStatementsOfATextArePreparedOneByOne() throws {
        var text = try SQLText("CREATE TABLE t (a);; INSERT INTO t VALUES (1) ;-- end")
        #expect(!text.isAtEnd)
        let create = try #require(try connection.prepareNext(&text))
        #expect(create.handle.sql == "CREATE TABLE t (a);")
        #expect(try !create.handle.step())
        let insert = try #require(try connection.prepareNext(&text, isKept: true))
        #expect(try !insert.handle.step())
        #expect(text.isAtEnd)
        #expect(try connection.prepareNext(&text) == nil)
        #expect(connection.changeCount == 1)
    }

    @Test(arguments: [
        ("PRAGMA user_version", true), (";\u{FEFF} /* a */ explain query plan pragma x", true),
        ("EXPLAIN SELECT 1", false),
        ("SELECT 'pragma'", false), ("/* PRAGMA", false), ("", false), ("pragm", false), ("\u{0B}PRAGMA x", false),
    ])
    func aPragmaIsSeenBeforeItIsCompiled(_ sql: String, _ isPragma: Bool) throws {
        #expect(try SQLText(sql).isAtPragma == isPragma)
    }

    // MARK: - Errors

    @Test func anErrorCarriesCodeMessageAndSQLAndNoValue() throws {
        try connection.run("CREATE TABLE t (a UNIQUE)")
        let sql = "INSERT INTO t VALUES (?)"
        try connection.run(sql, [.text("secret")])
        let error = #expect(throws: SQLiteFailure.self) { try connection.run(sql, [.text("secret")]) }
        #expect(error == SQLiteFailure(code: 2067, message: "UNIQUE constraint failed: t.a", sql: sql))
        #expect(error?.primaryCode == 19)
        #expect(error?.kind == .constraint)
        #expect(throws: SQLiteFailure(code: 1, message: "no such column: b", sql: "SELECT b FROM t")) {
            try connection.prepare("SELECT b FROM t")
        }
    }

    @Test func aFileThatCannotBeOpenedIsAnError() {
        let error = #expect(throws: SQLiteFailure.self) { try Connection(path: "/no/such/folder/file", .create) }
        #expect(error?.kind == .cannotOpen)
        #expect(error?.message == "unable to open database file")
    }

    // MARK: - State

    @Test func whatChangedIsCounted() throws {
        try connection.run("CREATE TABLE t (a); ")
        try connection.run("CREATE TRIGGER more AFTER INSERT ON t WHEN new.a < 2 BEGIN INSERT INTO t VALUES (9); END")
        try connection.run("INSERT INTO t VALUES (1), (2)")
        #expect(connection.changeCount == 2)
        #expect(connection.totalChangeCount == 3)
    }

    @Test func brokenKeysThatAreCheckedLaterAreTold() throws {
        try connection.run("PRAGMA foreign_keys = ON")
        try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, up REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        try connection.run("BEGIN")
        #expect(!connection.isAutocommit)
        try connection.run("INSERT INTO t VALUES (1, 2)")
        #expect(connection.hasBrokenDeferredKeys)
        try connection.run("INSERT INTO t VALUES (2, NULL)")
        #expect(!connection.hasBrokenDeferredKeys)
        try connection.run("COMMIT")
        #expect(connection.isAutocommit)
    }

    @Test func aDatabaseIsCopiedWhole() throws {
        try connection.run("CREATE TABLE t (a)")
        try connection.run("INSERT INTO t VALUES ('x')")
        let copy = try Connection(path: "", .create)
        try connection.copy(to: copy)
        try connection.run("DELETE FROM t")
        #expect(try copy.value("SELECT a FROM t") == .text("x"))
    }

    @Test func aTextEndsWithAStatementOrNot() {
        #expect(Connection.isComplete("SELECT 1;"))
        #expect(!Connection.isComplete("SELECT 1 -- ;"))
        #expect(!Connection.isComplete("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1;"))
    }
}

/// Connections to one file.
@Suite final class ConnectionFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-" + UUID().uuidString)
    /// With signs that mean something in a URI.
    private var path: String { folder.appendingPathComponent("a b?c%20#é.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func aConnectionDoesWhatItIsOpenedFor() throws {
        #expect(throws: SQLiteFailure.self) { try Connection(path: path, .write) }
        try Connection(path: path, .create).run("CREATE TABLE t (a)")
        try Connection(path: path, .write).run("INSERT INTO t VALUES (1)")
        for access in [Connection.Access.read, .readUnchanging] {
            let reader = try Connection(path: path, access)
            #expect(try reader.value("SELECT a FROM t") == .integer(1))
            let error = #expect(throws: SQLiteFailure.self) { try reader.run("DELETE FROM t") }
            #expect(error?.kind == .readOnly)
        }
    }

    @Test func anUnchangingFileIsReadWithoutAnotherBesideIt() throws {
        try Connection(path: path, .create).run("PRAGMA journal_mode = WAL")
        let reader = try Connection(path: path, .readUnchanging)
        #expect(try reader.value("SELECT COUNT(*) FROM sqlite_master") == .integer(0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test func anUnchangingFileMayHaveALineBreakInItsName() throws {
        let path = folder.appendingPathComponent("a\nb.sqlite").path
        try Connection(path: path, .create).run("CREATE TABLE t (a)")
        #expect(try Connection(path: path, .readUnchanging).value("SELECT count(*) FROM t") == .integer(0))
    }

    @Test func aFileHasALogForAsLongAsItsHeaderSaysSo() throws {
        let writer = try Connection(path: path, .create)
        #expect(!writer.isInWALMode)
        try writer.run("PRAGMA journal_mode = WAL")
        #expect(writer.isInWALMode)
        #expect(try Connection(path: path, .read).isInWALMode)
        try writer.run("PRAGMA journal_mode = DELETE")
        #expect(!writer.isInWALMode)
        #expect(try !Connection(path: ":memory:", .create).isInWALMode)
    }

    @Test func theLogStaysIfItIsToBeKept() throws {
        do {
            let writer = try Connection(path: path, .create)
            try writer.run("PRAGMA journal_mode = WAL")
            #expect(writer.isInWALMode)
            #expect(!writer.keepsLog)
            try writer.keepLog()
            #expect(writer.keepsLog)
            let before = writer.pagesWritten
            try writer.run("CREATE TABLE t (a)")
            #expect(writer.pagesWritten > before)
        }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test func theBusyTimeoutIsSuspendedAndRestored() throws {
        let writer = try Connection(path: path, .create)
        try writer.run("BEGIN IMMEDIATE")
        let other = try Connection(path: path, .write, busyTimeout: 30_000)
        let timeout = try BusyTimeout(of: other.pointer)
        let start = ContinuousClock.now
        let error = #expect(throws: SQLiteFailure.self) {
            try timeout.suspended(on: other.pointer) { try other.run("BEGIN IMMEDIATE") }
        }
        #expect(error?.kind == .busy)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(try other.value("PRAGMA busy_timeout") == .integer(30_000))
    }

    @Test func eachStatementHasAllTheTimeToWaitForLocks() throws {
        let writer = try Connection(path: path, .create)
        try writer.run("BEGIN IMMEDIATE")
        let other = try Connection(path: path, .write)
        var questions = 0
        other.waitForLocks(200) {
            questions += 1
            return false
        }
        var asked: [Int] = []
        for _ in 0..<3 {
            questions = 0
            let error = #expect(throws: SQLiteFailure.self) { try other.run("BEGIN IMMEDIATE") }
            #expect(error?.kind == .busy)
            asked.append(questions)
        }
        // A machine may be so busy that the time of one is over before it is first asked.
        #expect(asked.dropFirst().contains { $0 > 0 })
    }

    @Test func aScriptIsRunUpToItsFirstError() throws {
        let connection = try Connection(path: ":memory:", .create)
        try connection.runAll("CREATE TABLE t (a); -- one\nINSERT INTO t VALUES (';'); INSERT INTO t VALUES (2)")
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(2))
        #expect(throws: SQLiteFailure.self) { try connection.runAll("DELETE FROM t; DELETE FROM u; DROP TABLE t;") }
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(0))
        try connection.runAll(" -- nothing\n;")
    }
}
