import Foundation
import StorageSQLite
import Synchronization
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

    private func window(
        _ question: RowQuestion, _ look: StudioConnection, _ orders: RowOrders? = nil
    ) async throws -> RowWindow {
        let orders = orders ?? RowOrders(look.path) { _ in }
        return try await look.run { connection, schema in
            try RowReader(question, connection, schema, orders).window()
        }
    }

    private func ids(_ window: RowWindow) -> [Int] {
        window.rows.compactMap { $0.cells[0].cell.integer.map { Int($0) } }
    }

    @Test func filtersOnAThousandColumnsAreAsked() async throws {
        let file = try TemporaryFile(Self.people)
        let filters = (0..<1200).map { _ in RowFilter(column: "id", text: "=7") }
        let look = StudioConnection(file.path, .look)
        #expect(ids(try await window(RowQuestion(table: "people", filters: filters), look)) == [7])
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
        let orders = RowOrders(file.path) { _ in }
        let count = try await look.run { connection, schema in
            try RowReader(question, connection, schema, orders).count()
        }
        #expect(count == expected.count)
    }

    /// Prices as StorageKit keeps decimals, and days with and without a time.
    static let sales = """
        CREATE TABLE sales (id INTEGER PRIMARY KEY, price DECIMAL_TEXT, day DATETIME);
        INSERT INTO sales VALUES (1, '2', '2019-05-01 08:00:00.000'), (2, '10', '2024-02-01 10:00:00.000'),
            (3, '9.5', '2024-02-01'), (4, '100', '2025-01-01 00:00:00.000'), (5, '-3', NULL), (6, '0.50', '2024-12-31');
        """

    @Test(
        arguments: [
            ("price", ">5", [2, 3, 4]), ("price", "<5", [1, 5, 6]), ("price", "1..20", [1, 2, 3]),
            ("price", "=0.5", [6]),
            ("price", "!=2", [2, 3, 4, 5, 6]),
            ("day", "2024", [2, 3, 6]), ("day", "=2024", [2, 3, 6]), ("day", ">2023", [2, 3, 4, 6]),
            ("day", "<2020", [1]),
            ("day", ">2024", [4]), ("day", "<=2024-02", [1, 2, 3]), ("day", "2019..2024", [1, 2, 3, 6]),
            ("day", "2024-01-01..2024-02-01", [2, 3]), ("day", "!=2024", [1, 4, 5]), ("day", "=2024-02-01", [2, 3]),
        ] as [(String, String, [Int])])
    func aFilterComparesDecimalsAsNumbersAndDatesAsTime(column: String, text: String, expected: [Int]) async throws {
        let file = try TemporaryFile(Self.sales)
        let look = StudioConnection(file.path, .look)
        let question = RowQuestion(table: "sales", filters: [RowFilter(column: column, text: text)])
        #expect(try await ids(window(question, look)) == expected)
    }

    @Test func decimalsAreSortedAsNumbersFromAnyPlace() async throws {
        let file = try TemporaryFile(Self.sales)
        let look = StudioConnection(file.path, .look)
        var question = RowQuestion(table: "sales", sort: "price", limit: 2)
        var seen: [Int] = []
        while let last = try await window(question, look).rows.last {
            seen += try await ids(window(question, look))
            question.after = last.mark
        }
        #expect(seen == [5, 6, 1, 3, 2, 4])
    }

    @Test func aPlaceFarAwayIsFoundOverAnIndex() async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        let rows = try await window(RowQuestion(table: "people", sort: "age", offset: 50, limit: 3), look)
        let expected = try file.value("SELECT id FROM people ORDER BY age, id LIMIT 1 OFFSET 50")
        #expect(rows.rows.first?.cells[0].cell.integer == { if case .integer(let id) = expected { id } else { nil } }())
        #expect(rows.rows.count == 3)
    }

    @Test(arguments: [(nil, 100), (-5, 1), (0, 1), (1, 1), (500, 500), (501, 500)] as [(Int?, Int)])
    func soManyRowsComeAtATime(limit: Int?, expected: Int) async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE numbers (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 600)
            INSERT INTO numbers SELECT x FROM n;
            """)
        let look = StudioConnection(file.path, .look)
        #expect(try await window(RowQuestion(table: "numbers", limit: limit), look).rows.count == expected)
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
        #expect(seen.rows.map { $0.cells[0].cell } == [.text("three"), .text("two")])
        #expect(seen.rows.allSatisfy { $0.key == nil && $0.mark == nil })
    }

    @Test(arguments: [nil, "body"]) func rowsOfAVirtualTableAreShown(sort: String?) async throws {
        let file = try TemporaryFile(
            "CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('b'), ('a'), ('c');")
        let look = StudioConnection(file.path, .look)
        let rows = try await window(RowQuestion(table: "words", sort: sort, offset: 1), look)
        #expect(
            rows.rows.map { $0.cells[0].cell } == (sort == nil ? [.text("a"), .text("c")] : [.text("b"), .text("c")]))
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

    @Test(arguments: ["", "CREATE INDEX long_t ON long (t);"])
    func aLongValueThatIsSortedByComesAsItsBeginning(index: String) async throws {
        let file = try TemporaryFile(
            "CREATE TABLE long (t TEXT); \(index) INSERT INTO long VALUES (printf('%.*c', 100000, 'x'))")
        let rows = try await window(RowQuestion(table: "long", sort: "t"), StudioConnection(file.path, .look))
        #expect(try JSONEncoder().encode(rows).count < 20_000)
    }

    @Test(arguments: [(nil, "age"), ("age", nil)] as [(String?, String?)])
    func aPlaceOfAnotherOrderIsRefused(sort: String?, other: String?) async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        let mark = try await window(RowQuestion(table: "people", sort: sort), look).rows[0].mark
        await #expect(throws: StudioError(.invalid, "the place belongs to another order")) {
            try await window(RowQuestion(table: "people", sort: other, after: mark), look)
        }
    }

    @Test func rowsWithoutAKeyOfTheirOwnAreEachSeenOnce() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (rowid, a, _rowid_, oid, PRIMARY KEY (rowid, a));
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 20)
            INSERT INTO t SELECT NULL, x % 2, x, x FROM n;
            """)
        let look = StudioConnection(file.path, .look)
        var question = RowQuestion(table: "t", limit: 3)
        var seen: [Int] = []
        for offset in stride(from: 0, to: 20, by: 3) {
            question.offset = offset
            let rows = try await window(question, look).rows
            #expect(rows.allSatisfy { $0.mark == nil && $0.key == nil })
            seen += rows.compactMap { $0.cells[2].cell.integer.map { Int($0) } }
        }
        #expect(seen.sorted() == Array(1...20))
    }

    @Test(
        arguments: [
            ("k TEXT PRIMARY KEY", []), ("k TEXT NOT NULL PRIMARY KEY", ["k"]), ("k INTEGER PRIMARY KEY", ["k"]),
        ] as [(String, [String])])
    func aKeyThatMayBeNullSettlesNoOrder(key: String, expected: [String]) async throws {
        let file = try TemporaryFile("CREATE TABLE t (rowid, _rowid_, oid, \(key))")
        let names = try await StudioConnection(file.path, .look).run { _, schema in
            try schema.table("t").orderedIdentity
        }
        #expect(names == expected)
    }

    @Test(
        arguments: [
            ("name", .text("p1"), [1]), ("name", .text("P1"), []), ("id", .integer(7), [7]),
            ("age", nil, Array(stride(from: 7, through: 98, by: 7))),
        ] as [(String, Cell?, [Int])])
    func aLinkFindsExactlyItsValue(column: String, value: Cell?, expected: [Int]) async throws {
        let file = try TemporaryFile(Self.people)
        let filter = RowFilter(column: column, value: value.map { CellJSON($0) }, isExact: true)
        let question = RowQuestion(table: "people", filters: [filter])
        #expect(try await ids(window(question, StudioConnection(file.path, .look))) == expected)
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

    /// A row that the connection can read beside one whose bytes it cannot.
    private static let files = """
        CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, b BLOB);
        INSERT INTO files VALUES (1, 'note', x'01'), (2, 'video', zeroblob(70000000));
        """

    @Test func ofBytesThatAreTooLongToBeReadTheirNumberIsShown() async throws {
        let file = try TemporaryFile(Self.files)
        let rows = try await window(RowQuestion(table: "files"), StudioConnection(file.path, .look)).rows
        #expect(rows.map { $0.cells[1].cell } == [.text("note"), .text("video")])
        #expect(rows.map { $0.cells[2] } == [CellJSON(.blob(Data([1]))), CellJSON(unreadBytes: 70_000_000)])
        #expect(rows.map(\.cells.count) == [3, 3])
    }

    @Test func bytesThatWereNotReadTravelAsTheirNumber() throws {
        let bytes = try JSONEncoder().encode(CellJSON(unreadBytes: 70_000_000))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"n":70000000}"#)
    }

    // MARK: - Indexes

    @Test(
        arguments: [
            ("id", "name", true), ("name", "name", true), ("name", "name COLLATE NOCASE", false),
            ("nick", "nick", true), ("nick", "nick COLLATE BINARY", false), ("price", "price", false),
        ])
    func aColumnIsSortedByAnIndexThatComparesAsItDoes(column: String, indexed: String, expected: Bool) async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, nick TEXT COLLATE NOCASE, price DECIMAL_TEXT);
            CREATE INDEX i ON t (\(indexed));
            """)
        let facts = try await StudioConnection(file.path, .look).run { connection, schema in
            TableFacts(try schema.table("t"), connection, schema)
        }
        #expect(facts.columns.first { $0.name == column }?.isIndexed == expected)
    }

    @Test(
        arguments: [
            ("people", "name", #"CREATE INDEX "people_name" ON "people" ("name")"#), ("people", "age", nil),
            ("people", nil, nil), ("adults", "name", nil), ("sales", "price", nil),
        ] as [(String, String?, String?)])
    func anIndexIsNamedWhereItWouldHelp(table: String, sort: String?, expected: String?) async throws {
        let file = try TemporaryFile(Self.people + Self.sales + "CREATE VIEW adults AS SELECT * FROM people;")
        let index = try await StudioConnection(file.path, .look).run { connection, schema in
            try RowQuestion(table: table, sort: sort).missingIndex(connection, schema)
        }
        #expect(index == expected)
    }

    // MARK: - Orders that no index serves

    /// So many rows that they are sorted once.
    static let shelf = """
        CREATE TABLE shelf (id INTEGER PRIMARY KEY, title TEXT, size INTEGER);
        WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 30000)
        INSERT INTO shelf SELECT x, CASE WHEN x % 9 = 0 THEN NULL ELSE 't' || (x * 7919 % 30000) END, x % 3 FROM n;
        """

    @Test(arguments: [false, true], [nil, "size"])
    func anyPlaceOfALargeTableIsFoundWithoutAnIndex(isDescending: Bool, filter: String?) async throws {
        let file = try TemporaryFile(Self.shelf)
        let look = StudioConnection(file.path, .look)
        let orders = RowOrders(file.path) { _ in }
        let direction = isDescending ? "DESC" : "ASC"
        let condition = filter.map { "\($0) != 1" } ?? "1"
        let expected = try await look.run { connection in
            try connection.rows(
                "SELECT id FROM shelf WHERE \(condition) ORDER BY title \(direction), id \(direction)"
            ).compactMap { $0[0].integer.map { Int($0) } }
        }
        var question = RowQuestion(table: "shelf", sort: "title", isDescending: isDescending, limit: 40)
        if let filter { question.filters = [RowFilter(column: filter, text: "!=1")] }
        for offset in [0, 1, 0, 8191, 8192, 15_000, expected.count - 10, expected.count, 1_000_000] {
            question.offset = offset
            let found = try await window(question, look, orders)
            #expect(found.isNumbered)
            #expect(ids(found) == Array(expected.dropFirst(offset).prefix(40)), "at \(offset)")
        }
    }

    @Test(arguments: [false, true])
    func anyPlaceOfWhatAnIndexFindsIsSortedOnce(isDescending: Bool) async throws {
        let file = try TemporaryFile(Self.shelf + "CREATE INDEX shelf_size ON shelf (size);")
        let heard = Mutex<[SortProgress]>([])
        let orders = RowOrders(file.path) { progress in heard.withLock { $0.append(progress) } }
        let look = StudioConnection(file.path, .look, heartbeat: { orders.beat() })
        var question = RowQuestion(table: "shelf", isDescending: isDescending, limit: 40)
        // All of 30,000 rows but each third of the first thousand.
        question.filters = [RowFilter(column: "size", text: "1..2")]
        try file.run("UPDATE shelf SET size = 1 WHERE id > 1000")
        let expected = (1...30_000).filter { $0 > 1000 || $0 % 3 > 0 }
        for offset in [0, 1, 0, 8191, 15_000, expected.count - 10, expected.count] {
            question.offset = offset
            let found = try await window(question, look, orders)
            #expect(found.isNumbered)
            let order = isDescending ? expected.reversed() : expected
            #expect(ids(found) == Array(order.dropFirst(offset).prefix(40)), "at \(offset)")
        }
        let sorts = heard.withLock { $0 }
        #expect(sorts.first.map { $0.table == "shelf" && $0.sort == nil && $0.count == 30_000 } == true)
        question.offset = 20_000
        _ = try await window(question, look, orders)
        #expect(heard.withLock { $0.count } == sorts.count)
    }

    @Test func anOrderIsMadeOnceAndAgainBehindACommit() async throws {
        let file = try TemporaryFile(Self.shelf)
        let heard = Mutex<[SortProgress]>([])
        let orders = RowOrders(file.path) { progress in heard.withLock { $0.append(progress) } }
        let look = StudioConnection(file.path, .look, heartbeat: { orders.beat() })
        let question = RowQuestion(table: "shelf", sort: "title", offset: 29_999)
        let last = try #require(ids(try await window(question, look, orders)).first)
        let first = heard.withLock { $0 }
        #expect(first.first.map { $0.table == "shelf" && $0.sort == "title" && $0.count == 30_000 } == true)
        #expect(try await ids(window(question, look, orders)) == [last])
        #expect(heard.withLock { $0.count } == first.count)
        try file.run("UPDATE shelf SET title = 'zz' WHERE id = 5")
        #expect(try await ids(window(question, look, orders)) == [5])
        #expect(heard.withLock { $0.count } > first.count)
    }

    @Test func bothDirectionsOfASortAreOrdersOfTheirOwn() async throws {
        let file = try TemporaryFile(Self.shelf)
        let look = StudioConnection(file.path, .look)
        let orders = RowOrders(file.path) { _ in }
        for direction in ["ASC", "DESC"] {
            let sql = "SELECT id FROM shelf ORDER BY title \(direction), id \(direction) LIMIT 3 OFFSET 20000"
            let expected = try await look.run { connection in
                try connection.rows(sql).compactMap { $0[0].integer.map { Int($0) } }
            }
            let question = RowQuestion(
                table: "shelf", sort: "title", isDescending: direction == "DESC", offset: 20_000, limit: 3)
            #expect(try await ids(window(question, look, orders)) == expected)
        }
    }

    /// A name composed and decomposed, which Swift takes for one.
    @Test func sortsByColumnsWhoseNamesDifferInTheirBytesAloneAreOrdersOfTheirOwn() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, "\u{E9}" INTEGER, "e\u{301}" INTEGER);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 30000) INSERT INTO t SELECT x, x, -x FROM n;
            """)
        let look = StudioConnection(file.path, .look)
        let orders = RowOrders(file.path) { _ in }
        for (sort, expected) in [("\u{E9}", [20_001, 20_002]), ("e\u{301}", [10_000, 9999])] {
            let question = RowQuestion(table: "t", sort: sort, offset: 20_000, limit: 2)
            #expect(try await ids(window(question, look, orders)) == expected)
        }
    }

    @Test func theFirstRowsDoNotWaitForASort() async throws {
        let file = try TemporaryFile(Self.shelf)
        let heard = Mutex<[SortProgress]>([])
        let orders = RowOrders(file.path) { progress in heard.withLock { $0.append(progress) } }
        let look = StudioConnection(file.path, .look, heartbeat: { orders.beat() })
        let first = try await window(RowQuestion(table: "shelf", sort: "title", limit: 3), look, orders)
        #expect(first.rows.count == 3)
        #expect(heard.withLock { $0.isEmpty })
        // Far away, it is waited for.
        _ = try await window(RowQuestion(table: "shelf", sort: "title", offset: 20_000, limit: 3), look, orders)
        #expect(heard.withLock { !$0.isEmpty })
    }

    @Test func anIndexNeedsNoOrderAndFewRowsAreSortedEachTime() async throws {
        let file = try TemporaryFile(Self.people)
        let look = StudioConnection(file.path, .look)
        #expect(try await !window(RowQuestion(table: "people", sort: "age", offset: 50), look).isNumbered)
        #expect(try await !window(RowQuestion(table: "people", offset: 50), look).isNumbered)
        let sorted = try await window(RowQuestion(table: "people", sort: "name", offset: 99), look)
        #expect(sorted.isNumbered && ids(sorted) == [99])
    }
}
