import Foundation
import StorageSQLite
import Testing

@testable import StorageStudio

@Suite struct RowWindowTests {
    /// 100 people, some without an age, many of the same one.
    static let people = """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
        CREATE INDEX people_age ON people (age);
        WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 100)
        INSERT INTO people SELECT x, 'p' || x, CASE WHEN x % 7 = 0 THEN NULL ELSE x % 5 END FROM n;
        """

    private func window(_ question: RowQuestion, _ look: StudioConnection) async throws -> RowWindow {
        try await look.run { connection, schema in try RowReader(question, connection, schema).window() }
    }

    private func ids(_ window: RowWindow) -> [Int] {
        window.rows.compactMap { $0.cells[0].cell.integer.map { Int($0) } }
    }

    @Test(arguments: [nil, "age", "name", "id"], [false, true])
    func scrollingByKeysBothWaysSeesEachRowOnceInTheOrderOfSQL(sort: String?, isDescending: Bool) async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        let direction = isDescending ? "DESC" : "ASC"
        let order = [sort, "rowid"].compactMap { $0 }.map { "\($0) \(direction)" }.joined(separator: ", ")
        let expected = try await look.run { connection in
            try connection.rows("SELECT id FROM people ORDER BY \(order)").compactMap { $0[0].integer.map { Int($0) } }
        }
        var question = RowQuestion(table: "people", sort: sort, isDescending: isDescending, limit: 7)
        var seen: [Int] = []
        var last: RowMark?
        while true {
            question.after = last
            let rows = try await window(question, look)
            guard let end = rows.rows.last else { break }
            seen += ids(rows)
            last = end.mark
        }
        #expect(seen == expected)

        question.after = nil
        question.offset = 99
        var back = try await window(question, look)
        #expect(ids(back) == [expected[99]])
        seen = ids(back)
        while let first = back.rows.first?.mark {
            question.offset = nil
            question.before = first
            back = try await window(question, look)
            seen = ids(back) + seen
        }
        #expect(seen == expected)
    }

    @Test(
        arguments: [
            ("name", "p10", [10, 100]), ("name", "=p10", [10]), ("name", "\"p10\"", [10, 100]), ("name", "%", []),
            ("name", "P9", Array(90...99) + [9]),
            ("id", "7", [7]), ("id", ">98", [99, 100]), ("id", "<= 2", [1, 2]), ("id", "3..5", [3, 4, 5]),
            ("id", "!=1", Array(2...100)),
            ("age", "null", Array(stride(from: 7, through: 98, by: 7))), ("name", "", Array(1...100)),
        ] as [(String, String, [Int])])
    func aFilterFindsWhatPeopleMean(column: String, text: String, expected: [Int]) async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        let question = RowQuestion(table: "people", filters: [RowFilter(column: column, text: text)], limit: 200)
        #expect(try await ids(window(question, look)) == expected.sorted())
        let count = try await look.run { connection, schema in try RowReader(question, connection, schema).count() }
        #expect(count == expected.count)
    }

    @Test func aPlaceFarAwayIsFoundOverAnIndex() async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        let rows = try await window(RowQuestion(table: "people", sort: "age", offset: 50, limit: 3), look)
        let expected = try file.value("SELECT id FROM people ORDER BY age, id LIMIT 1 OFFSET 50")
        #expect(rows.rows.first?.cells[0].cell.integer == { if case .integer(let id) = expected { id } else { nil } }())
        #expect(rows.rows.count == 3)
    }

    @Test func rowsWithoutRowidAndOfViewsAreShown() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE pairs (a TEXT, b INTEGER, c TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
            INSERT INTO pairs VALUES ('x', 1, 'one'), ('x', 2, 'two'), ('y', 1, 'three');
            CREATE VIEW seen AS SELECT c FROM pairs ORDER BY c;
            """)
        let look = StudioConnection(file.path, .look)
        let first = try await window(RowQuestion(table: "pairs", limit: 1), look)
        let rest = try await window(RowQuestion(table: "pairs", after: first.rows[0].mark), look)
        #expect(rest.rows.map { $0.cells[2].cell } == [.text("two"), .text("three")])
        let seen = try await window(RowQuestion(table: "seen", offset: 1), look)
        #expect(seen.rows.map { $0.cells[0].cell } == [.text("three"), .text("two")].dropFirst(0).map { $0 })
        #expect(seen.rows.allSatisfy { $0.key == nil && $0.mark == nil })
    }

    @Test func longValuesComeAsTheirBeginning() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE long (t TEXT, b BLOB); INSERT INTO long VALUES (printf('%.*c', 100000, 'é'), zeroblob(100000))"
        )
        let look = StudioConnection(file.path, .look)
        let rows = try await window(RowQuestion(table: "long"), look)
        let json = String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
        #expect(json.utf8.count < 10_000)
        #expect(json.contains("\"n\":100000"))
    }

    @Test func anIntegerOf64BitsTravelsAsText() throws {
        let cell = CellJSON(.integer(9_007_199_254_740_993))
        #expect(String(decoding: try JSONEncoder().encode(cell), as: UTF8.self) == #"{"i":"9007199254740993"}"#)
    }

    @Test(arguments: [
        Cell.null, .integer(.min), .real(0.1), .real(-.infinity), .text(""), .text("</script>"), .blob(Data([0, 255])),
        .blob(Data()),
        .brokenText(Data([0xC3])),
    ])
    func aValueComesBackAsItWent(cell: Cell) throws {
        let bytes = try JSONEncoder().encode([CellJSON(cell)])
        #expect(try JSONDecoder().decode([CellJSON].self, from: bytes)[0].cell == cell)
    }
}
