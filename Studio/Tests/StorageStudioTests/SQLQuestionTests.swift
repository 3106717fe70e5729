import Testing

@testable import StorageStudio

@Suite struct SQLQuestionTests {
    @Test(arguments: [SQLQuestion.mostRows, SQLQuestion.mostRows + 1])
    func aThousandRowsAreShownAndIfThereAreMoreItIsSaid(count: Int) async throws {
        let file = try TemporaryFile()
        let numbers = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT \(count)) SELECT x FROM n"
        let answer = try await StudioConnection(file.path, .look).run { connection in
            try SQLQuestion(sql: numbers).answer(connection)
        }
        #expect(answer.rows.count == SQLQuestion.mostRows)
        #expect(answer.isCut == (count > SQLQuestion.mostRows))
    }

    private static let noValues = StudioError(
        .invalid, "parameters have no values here: write the values themselves")

    @Test(arguments: ["?", "?1", ":x", "@x", "$x"])
    func sqlThatReadsHasNoParameters(parameter: String) async throws {
        let file = try TemporaryFile()
        let look = StudioConnection(file.path, .look)
        await #expect(throws: Self.noValues) {
            try await look.run { connection in try SQLQuestion(sql: "SELECT \(parameter)").answer(connection) }
        }
    }

    @Test(arguments: ["?", "?1", ":x", "@x", "$x"])
    func sqlThatWritesHasNoParameters(parameter: String) async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let change = StudioConnection(file.path, .change)
        await #expect(throws: Self.noValues) {
            try await change.write { connection, _ in
                try SQLQuestion(sql: "INSERT INTO t VALUES (\(parameter))").change(connection)
            }
        }
    }

    @Test func sqlThatOnlyReadsIsNoChange() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let change = StudioConnection(file.path, .change)
        await #expect(throws: StudioError(.invalid, "the statement changes nothing")) {
            try await change.write { connection, _ in try SQLQuestion(sql: "SELECT x FROM t").change(connection) }
        }
    }
}
