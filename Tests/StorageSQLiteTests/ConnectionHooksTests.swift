import Foundation
import StorageSQLite
import Testing

/// What SQLite calls: functions, collations, and whoever may refuse or stop a statement.
@Suite struct ConnectionHooksTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", .create)
    }

    /// Runs until it is stopped, or ends after so many rows.
    private static func counting(_ rows: Int) -> String {
        "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT \(rows)) SELECT COUNT(*) FROM c"
    }

    @Test(arguments: StatementHandleTests.values)
    func aFunctionGetsAndGivesEveryValue(_ value: SQLiteValue) throws {
        connection.addFunction("same") { $0[0].value }
        #expect(try connection.value("SELECT same(?)", [value]) == value)
    }

    @Test func anErrorOfSQLitesThatAFunctionThrowsIsTheStatements() throws {
        connection.addFunction("long") { _ in throw SQLiteFailure(code: 18, message: "too long") }
        let failure = #expect(throws: SQLiteFailure.self) { try connection.value("SELECT long(1)") }
        #expect(failure?.kind == .tooBig && failure?.message == "too long")
    }

    @Test func aFunctionIsLetGoOfWithItsConnection() throws {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let connection = try Connection(path: ":memory:", .create)
            let kept = Token()
            token = kept
            connection.addFunction("f") { _ in withExtendedLifetime(kept) { .null } }
            connection.addCollation("c") { _, _ in withExtendedLifetime(kept) { .orderedSame } }
            #expect(try connection.value("SELECT f(1)") == .null)
        }
        #expect(token == nil)
    }

    @Test func theSumOfAnAggregateIsLetGoOf() throws {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let connection = try Connection(path: ":memory:", .create)
            let kept = Token()
            token = kept
            connection.addAggregate("f", from: { kept }, step: { _, _ in }, result: { _ in .null })
            #expect(try connection.value("SELECT f(1)") == .null)
        }
        #expect(token == nil)
    }

    @Test func aCollationSortsAndCompares() throws {
        connection.addCollation("backwards") { left, right in
            left == right ? .orderedSame : left < right ? .orderedDescending : .orderedAscending
        }
        let sql =
            "SELECT group_concat(column1, '') FROM (SELECT * FROM (VALUES ('a'), ('c'), ('b')) ORDER BY 1 COLLATE backwards)"
        #expect(try connection.value(sql) == .text("cba"))
        #expect(try connection.value("SELECT 'a' < 'b' COLLATE backwards") == .integer(0))
    }

    @Test func aStatementIsRefusedOrDoesLess() throws {
        var isInTransactionControl = false
        connection.authorize { action in
            switch action {
            case .attachment: return .refuse
            case .transactionControl: isInTransactionControl = true
            case .pragma("user_version", argument: "7"): return .ignore
            default: break
            }
            return .allow
        }
        let error = #expect(throws: SQLiteFailure.self) { try connection.run("ATTACH ':memory:' AS other") }
        #expect(error?.kind == .refused)
        #expect(!isInTransactionControl)
        try connection.run("SAVEPOINT a")
        #expect(isInTransactionControl)
        try connection.run("PRAGMA user_version = 7")
        #expect(try connection.value("PRAGMA user_version") == .integer(0))
        try connection.run("PRAGMA user_version = 8")
        #expect(try connection.value("PRAGMA user_version") == .integer(8))
    }

    @Test func aStatementSaysWhatItReadsCallsAndWrites() throws {
        try connection.runAll("CREATE TABLE said (a, b)")
        var said: [String] = []
        connection.authorize { action in
            said.append("\(action)")
            return .allow
        }
        _ = try connection.prepare("SELECT upper(a) FROM said")
        #expect(
            said.sorted() == [#"function("upper")"#, #"reading(table: "said", column: "a")"#, "selection"])
        said = []
        _ = try connection.prepare("INSERT INTO said (a) VALUES (1)")
        _ = try connection.prepare("UPDATE said SET b = 2")
        _ = try connection.prepare("DELETE FROM said")
        #expect(said == [#"insertion("said")"#, #"update(table: "said", column: "b")"#, #"deletion("said")"#])
    }

    @Test func aStatementIsInterruptedOnCondition() throws {
        var isStopped = false
        connection.interrupt { isStopped }
        #expect(try connection.value(Self.counting(10_000)) == .integer(10_000))
        isStopped = true
        let error = #expect(throws: SQLiteFailure.self) { try connection.value(Self.counting(-1)) }
        #expect(error?.kind == .interrupted)
    }

    @Test func aStatementOutlivesTheHooksOfItsConnection() throws {
        var connection: Connection? = try Connection(path: ":memory:", .create)
        connection?.interrupt { false }
        connection?.authorize { _ in .allow }
        let statement = try #require(try connection?.prepare(Self.counting(10_000)))
        connection = nil
        #expect(try statement.handle.step())
        #expect(statement.handle.row == [.integer(10_000)])
    }

    @Test func quotationMarksAreAlwaysOfNamesWhereThatIsAskedFor() throws {
        #expect(try connection.value(#"SELECT "x""#) == .text("x"))
        connection.disableDoubleQuotedStringLiterals()
        #expect(throws: SQLiteFailure.self) { try connection.value(#"SELECT "x""#) }
    }

    // MARK: - Step limit

    @Test func theStepLimitLetsPassWhatIsShort() throws {
        #expect(try StepLimit.run(on: connection.pointer) { try connection.value(Self.counting(20)) } == .integer(20))
        // An error of another kind is thrown on.
        #expect(throws: SQLiteFailure.self) {
            try StepLimit.run(on: connection.pointer) { try connection.run("nonsense") }
        }
    }

    @Test func theStepLimitStopsWhatIsLongAndNothingAfterIt() throws {
        #expect(try StepLimit.run(on: connection.pointer) { try connection.value(Self.counting(-1)) } == nil)
        #expect(try connection.value(Self.counting(100_000)) == .integer(100_000))
    }
}
