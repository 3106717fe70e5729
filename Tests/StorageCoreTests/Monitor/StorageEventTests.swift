import StorageCore
import Testing

@Suite struct StorageEventTests {
    @Test func anEventIsOneLineWhateverItTells() {
        let statement = SlowStatement(
            sql: "SELECT *\n  FROM users", duration: .milliseconds(250),
            plan: ["SCAN users", "USE TEMP B-TREE FOR ORDER BY"])
        #expect(
            "\(StorageEvent.slowStatement(statement))"
                == "slow statement, 250 ms: SELECT * FROM users [SCAN users; USE TEMP B-TREE FOR ORDER BY]")
        #expect("\(StorageEvent.migration("Create table\n'users'"))" == "migration: Create table 'users'")
    }

    @Test func aStatementWithoutAPlanHasNoBrackets() {
        #expect("\(SlowStatement(sql: "COMMIT", duration: .seconds(2)))" == "slow statement, 2000 ms: COMMIT")
    }

    @Test func aReadOfAStreamTellsWhatWhyAndHowLong() {
        var read = StreamRead(
            table: "notes", sql: "SELECT * FROM notes", scope: .rows, rowCount: 1, isNew: true,
            duration: .microseconds(42))
        #expect(
            "\(StorageEvent.streamRead(read))" == "stream read 1 row (the changed rows) in 42 µs: SELECT * FROM notes")
        read.sql = "SELECT *\n  FROM notes"
        #expect("\(read)" == "stream read 1 row (the changed rows) in 42 µs: SELECT * FROM notes")
        (read.sql, read.scope, read.rowCount, read.isNew) = ("", .all, nil, false)
        #expect("\(read)" == "stream read a value (all of it, nothing new) in 42 µs: of notes")
    }

    @Test(arguments: [
        (StorageEvent.migration("Create table 'users'"), false), (.cacheStatistics(CacheStatistics()), false),
        (.cacheError(StorageError.invalidTableName("x")), true),
        (.streamError(StorageError.invalidTableName("x")), true),
        (.slowStatement(SlowStatement(sql: "COMMIT", duration: .seconds(1))), true),
    ])
    func onlyWhatIsSlowOrFailedIsAProblem(event: StorageEvent, isProblem: Bool) {
        #expect(event.isProblem == isProblem)
    }
}
