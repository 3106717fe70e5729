import Testing

@testable import StorageStudio

@Suite struct RowFilterTests {
    private func ids(_ script: String, _ table: String, _ column: String, _ text: String) async throws -> [Int] {
        let file = try TemporaryFile(script)
        let question = RowQuestion(table: table, filters: [RowFilter(column: column, text: text)], limit: 200)
        let orders = RowOrders(file.path) { _ in }
        let window = try await StudioConnection(file.path, .look).run { connection, schema in
            try RowReader(question, connection, schema, orders).window()
        }
        return window.rows.compactMap { $0.cells[0].cell.integer.map { Int($0) } }
    }

    @Test(arguments: [">=2024", ">= 2024-02", ">=2024-02-01"])
    func aDateIsFoundWithAllThatFollows(text: String) async throws {
        #expect(try await ids(RowWindowTests.sales, "sales", "day", text) == [2, 3, 4, 6])
    }

    @Test(arguments: [("NULL", 14), ("Null", 14), ("!NULL", 86)])
    func nullIsAskedForInAnyCase(text: String, count: Int) async throws {
        #expect(try await ids(RowWindowTests.people, "people", "age", text).count == count)
    }

    @Test func aNumberIsPartOfATextInAColumnOfTexts() async throws {
        #expect(try await ids(RowWindowTests.people, "people", "name", "10") == [10, 100])
    }

    @Test(arguments: ["", "BLOB", "STRING", "JSON", "NUMERIC"])
    func aNumberIsItselfAndPartOfATextInAColumnOfAllValues(type: String) async throws {
        let script = """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a \(type));
            INSERT INTO t VALUES (1, 'the year 2024 was'), (2, 2024), (3, 12024), (4, 'x'), (5, NULL), (6, x'32303234');
            """
        #expect(try await ids(script, "t", "a", "2024") == [1, 2])
    }

    @Test func aNumberIsPartOfATextInAFullTextTable() async throws {
        let script = """
            CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, body);
            INSERT INTO words VALUES (1, 'the year 2024 was'), (2, 'another one');
            """
        #expect(try await ids(script, "words", "body", "2024") == [1])
    }

    @Test func aTextOfTheGreatestLengthIsLookedFor() async throws {
        let text = String(repeating: "x", count: 298)
        let script = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, '-\(text)-'), (2, 'x')"
        #expect(try await ids(script, "t", "a", text) == [1])
    }

    @Test(arguments: [String(repeating: "x", count: 299), String(repeating: "中", count: 100)])
    func aLongerTextIsRefusedWithTheLimit(text: String) async throws {
        let error = await #expect(throws: StudioError.self) {
            try await ids("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "t", "a", text)
        }
        #expect(error?.message.contains("298 bytes at the most") == true)
    }

    /// Texts with what LIKE and ranges have a meaning for.
    private static let signs = #"""
        CREATE TABLE signs (id INTEGER PRIMARY KEY, t TEXT);
        INSERT INTO signs VALUES (1, 'a_b'), (2, 'axb'), (3, 'a\b'), (4, 'ab'), (5, '50%'), (6, '501'),
            (7, 'wait... what');
        """#

    @Test(arguments: [("a_b", [1]), (#"a\b"#, [3]), ("0%", [5]), ("wait... what", [7])] as [(String, [Int])])
    func signsAreMeantAsTheyStand(text: String, expected: [Int]) async throws {
        #expect(try await ids(Self.signs, "signs", "t", text) == expected)
    }
}
