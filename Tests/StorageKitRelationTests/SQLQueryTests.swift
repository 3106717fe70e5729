import GRDBSQLite
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

import class GRDB.DatabaseFunction

@StorageSelection
private struct YearCount: Equatable, Sendable { let year: String?; let n: Int }

@StorageSelection
private struct Typed: Equatable, Sendable {
    enum Level: Int, Codable, Sendable { case low = 1, medium, high }

    let id: UUID
    let priority: Level?
    let links: [URL]
    let place: Place?
    var `default` = 0
    let isBuilt: Bool
    let kind = "row"

    init(id: UUID) {
        self.id = id
        priority = nil
        links = []
        place = nil
        isBuilt = false
    }
}

@StorageSelection
private struct Swapped: Equatable, Sendable { let a: Int; let b: Int }

@StorageSelection
private struct WithEntity: Sendable { let list: RemindersList }

/// Whole statements in SQL as queries.
@Suite struct SQLQueryTests {
    private let some = SomeReminders()
    private let log = StatementLog()
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() async throws {
        store = try await some.store(log: log)
    }

    private func years(_ id: UUID) -> SQLQuery<YearCount> {
        storage.sql(
            """
            SELECT count(*) AS n, strftime('%Y', dueDate) AS year FROM reminders WHERE listId = \(id)
            GROUP BY 2 ORDER BY 2
            """, as: YearCount.self)
    }

    // MARK: - Values

    @Test func decimalsAreComparedAsNumbers() async throws {
        let tracks = try await tracksStore()
        func count(_ condition: SQLText) async throws -> Int? {
            try await tracks.storage.sql(condition, as: Int.self).fetchOne()
        }
        #expect(try await count("SELECT count(*) FROM tracks WHERE price > \(Decimal(9))") == 1)
        #expect(
            try await count("SELECT count(*) FROM tracks WHERE price BETWEEN \(Decimal(2)) AND \(Decimal(10))") == 4)
        let text = try await storage.sql("SELECT \(Decimal(2)) || ''", as: String.self).fetchOne()
        #expect(text == "2")
    }

    @Test func textsThatSwiftTakesForEqualAreTwo() async throws {
        let (composed, decomposed) = ("SELECT length('\u{e9}')", "SELECT length('e\u{301}')")
        for _ in 1...2 {
            let one = storage.sql(SQLText(stringLiteral: composed), as: Int.self)
            let two = storage.sql(SQLText(stringLiteral: decomposed), as: Int.self)
            #expect(try await one.fetchOne() == 1)
            #expect(try await two.fetchOne() == 2)
            #expect(try await StreamProbe(one.observe()).next() == [1])
            #expect(try await StreamProbe(two.observe()).next() == [2])
        }
    }

    // MARK: - Rows

    @Test(arguments: ["b, a", "b, c, a"])
    func columnsAreFoundByNameInATableThatWasMadeAnew(columns: String) async throws {
        try await store.db.write { try $0.execute(sql: "CREATE TABLE pairs (a, b); INSERT INTO pairs VALUES (1, 2)") }
        let query = storage.sql("SELECT * FROM pairs", as: Swapped.self)
        #expect(try await query.fetch() == [Swapped(a: 1, b: 2)])
        try await store.db.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE others (\(columns)); INSERT INTO others (a, b) SELECT a, b FROM pairs;
                    DROP TABLE pairs; ALTER TABLE others RENAME TO pairs;
                    """)
        }
        #expect(try await query.fetch() == [Swapped(a: 1, b: 2)])
        #expect(try await query.fetchOne() == Swapped(a: 1, b: 2))
    }

    @Test func aStreamFollowsTheTablesOfAViewThatWasMadeAnew() async throws {
        try await store.db.write {
            try $0.execute(
                sql: "CREATE TABLE first (a); CREATE TABLE second (a); CREATE VIEW shown AS SELECT a FROM first")
        }
        let probe = StreamProbe(storage.sql("SELECT count(*) FROM shown", as: Int.self).observeDistinct())
        #expect(try await probe.next() == [0])
        try await store.db.write {
            try $0.execute(
                sql: """
                    INSERT INTO second VALUES (1); DROP VIEW shown; CREATE VIEW shown AS SELECT a FROM second
                    """)
        }
        #expect(try await probe.next() == [1])
        try await store.db.write { try $0.execute(sql: "INSERT INTO second VALUES (2)") }
        #expect(try await probe.next() == [2])
        probe.cancel()
    }

    @Test func aStreamFollowsTheTablesOfAViewThatWasMadeAnewWhileItWasRead() async throws {
        // The first two reads rest.
        let rests = [Rest(), Rest()]
        let reads = Mutex(0)
        let rest = DatabaseFunction("rest", argumentCount: 0) { _ in
            let number = reads.withLock { reads in
                defer { reads += 1 }
                return reads
            }
            if number < rests.count { rests[number].enter() }
            return 0
        }
        let store = try TemporaryStore(options: { $0.pool.alsoPrepare { $0.add(function: rest) } }) { _ in }
        try await store.db.write {
            try $0.execute(
                sql: "CREATE TABLE first (a); CREATE TABLE second (a); CREATE VIEW shown AS SELECT a FROM first")
        }
        let probe = StreamProbe(store.storage.sql("SELECT count(*) + rest() FROM shown", as: Int.self).observe())
        await rests[0].begun()
        try await store.db.write {
            try $0.execute(sql: "DROP VIEW shown; CREATE VIEW shown AS SELECT a FROM second")
        }
        rests[0].leave()
        await rests[1].begun()
        try await store.db.write { try $0.execute(sql: "INSERT INTO second VALUES (1)") }
        rests[1].leave()
        _ = try await probe.first { $0 == [1] }
    }

    @Test func columnsFindPropertiesByName() async throws {
        #expect(
            try await years(some.home.id).fetch() == [YearCount(year: nil, n: 1), YearCount(year: "2026", n: 2)])
        #expect(try await years(some.home.id).fetchOne() == YearCount(year: nil, n: 1))
        #expect(try await years(some.empty.id).fetchOne() == nil)
    }

    @Test func propertiesAreReadAsEntitiesReadThem() async throws {
        var milk = some.reminders[0]
        milk.priority = .high
        milk.links = [try #require(URL(string: "https://example.org"))]
        milk.place = Place(city: "Kyiv", latitude: 50.5)
        try await storage.save(milk)
        let rows = try await storage.sql(
            "SELECT place, 7 AS \"default\", links, isFlagged AS isbuilt, priority, id FROM reminders ORDER BY id",
            as: Typed.self
        ).fetch()
        let row = try #require(rows.first)
        #expect(row.id == milk.id && row.priority == .high && row.links == milk.links && row.place == milk.place)
        #expect(row.default == 7 && row.isBuilt && row.kind == "row")
        #expect(rows[1].priority == nil && rows[1].place == nil && rows[1].links.isEmpty)
    }

    @Test func entitiesAreFoundInAnyOrderOfColumns() async throws {
        let all = try await storage.sql("SELECT * FROM persons ORDER BY name", as: Person.self).fetch()
        #expect(all == [some.ada, some.bob])
        let turned = try await storage.sql(
            "SELECT 1 AS one, name, p.* FROM (SELECT updatedAt, id FROM persons) AS p JOIN persons USING (id) ORDER BY name",
            as: Person.self
        ).fetch()
        #expect(turned == [some.ada, some.bob])
    }

    @Test func singleValuesAreTheOneColumn() async throws {
        #expect(try await storage.sql("SELECT count(*) FROM reminders", as: Int.self).fetchOne() == 5)
        let titles = try await storage.sql("SELECT title FROM reminders ORDER BY 1 LIMIT \(2)", as: String.self).fetch()
        #expect(titles == ["Bread", "Call"])
        let dates = try await storage.sql("SELECT dueDate FROM reminders ORDER BY 1", as: Date?.self).fetch()
        #expect(dates == [nil, nil, SomeReminders.day, SomeReminders.day, SomeReminders.day + 60])
        let date = try await storage.sql("SELECT max(dueDate) FROM reminders", as: Date.self).fetchOne()
        #expect(date == SomeReminders.day + 60)
        let none = try await storage.sql("SELECT dueDate FROM reminders WHERE dueDate IS NULL", as: Date?.self)
            .fetchOne()
        #expect(none == .some(nil))
    }

    @StorageEntity(table: "sqlnodes")
    struct Node: Equatable {
        var id: Int
        var name: String
        var parentId: Int?
    }

    @Test func anEntityIsReadFromItsPropertiesAlone() async throws {
        let store = try TemporaryStore { $0.autoSchema(NodeRecord.self) }
        let nodes = [Node(id: 1, name: "a"), Node(id: 2, name: "b", parentId: 1)]
        try await store.storage.save(nodes)
        let tree = store.storage.sql(
            """
            WITH RECURSIVE tree(id, name, parentId) AS (
                SELECT id, name, parentId FROM sqlnodes WHERE id = \(1)
                UNION ALL SELECT n.id, n.name, n.parentId FROM sqlnodes n JOIN tree ON n.parentId = tree.id)
            SELECT * FROM tree ORDER BY id
            """, as: Node.self)
        #expect(try await tree.fetch() == nodes)
        let missing = store.storage.sql("SELECT id, name FROM sqlnodes", as: Node.self)
        await #expect(throws: StorageError.self) { try await missing.fetch() }
    }

    @Test func aValueThatMayBeNilIsBoundAsItIs() async throws {
        let title: String? = "Bread"
        let none: String? = nil
        let found = storage.sql("SELECT count(*) FROM reminders WHERE title IS \(title)", as: Int.self)
        #expect(try await found.fetchOne() == 1)
        #expect(try await storage.sql("SELECT \(none) IS NULL", as: Bool.self).fetchOne() == true)
    }

    @Test func aRowIsARawValue() async throws {
        let statuses = storage.sql("SELECT status FROM reminders ORDER BY id", as: Reminder.Status.self)
        let all: [Reminder.Status] = [.incomplete, .completed, .incomplete, .incomplete, .completed]
        #expect(try await statuses.fetch() == all)
        #expect(try await statuses.fetchOne() == .incomplete)
        #expect(try await StreamProbe(statuses.observeDistinct()).next() == all)
        let priorities = storage.sql("SELECT priority FROM reminders ORDER BY id", as: Reminder.Priority?.self)
        #expect(try await priorities.fetch() == [nil, nil, .high, .low, nil])
        try await storage.transaction { tx in
            #expect(try statuses.fetch(in: tx) == all)
            let high = try tx.sql("SELECT status FROM reminders WHERE priority = 3", as: Reminder.Status.self)
            #expect(high == [.incomplete])
            let three = try tx.sql("SELECT priority FROM reminders ORDER BY id LIMIT 3", as: Reminder.Priority?.self)
            #expect(three == [nil, nil, .high])
        }
    }

    @Test func recursiveStatementsAndWindowsAreAsked() async throws {
        let numbers = storage.sql(
            "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(3)) SELECT i FROM n",
            as: Int.self)
        #expect(try await numbers.fetch() == [1, 2, 3])
        let ranks = storage.sql(
            "SELECT row_number() OVER (PARTITION BY listId ORDER BY position) FROM reminders ORDER BY id", as: Int.self)
        #expect(try await ranks.fetch() == [1, 2, 3, 1, 2])
        #expect(try await storage.sql("VALUES (1), (2)", as: Int.self).fetch() == [1, 2])
    }

    /// Of the app's texts there may be any number.
    @Test func statementsInSQLOfTheAppAreNotKept() async throws {
        try await storage.transaction { [storage] transaction in
            func ask(_ number: Int) throws {
                _ = try transaction.sql(SQLText(stringLiteral: "SELECT \(number) AS n"), as: Int.self)
                let condition = SQLText(stringLiteral: "\(number) = 1")
                _ = try storage.query(Reminder.self).where { _ in Column<Bool>(sql: condition) }.count(in: transaction)
            }
            try ask(0)
            let before = try transaction.database.preparedStatements
            for number in 1...20 { try ask(number) }
            #expect(try transaction.database.preparedStatements == before)
        }
    }

    @Test func valuesAreBoundAndNeverText() async throws {
        let evil = "'; DROP TABLE reminders; --"
        let found = storage.sql(
            "SELECT \(evil) || \(1) WHERE \(Reminder.Status.completed) = 1 AND \(nil as Int?) IS NULL", as: String.self)
        #expect(try await found.fetch() == [evil + "1"])
        #expect(try await storage.query(Reminder.self).count() == 5)
    }

    @Test func aValueOfAnotherQueryStandsInAStatement() async throws {
        let most = storage.query(Reminder.self).aggregate { $0.max(\.position) }
        let titles = storage.sql("SELECT title FROM reminders WHERE position = \(most.value)", as: String.self)
        #expect(try await titles.fetch() == ["Call"])
    }

    // MARK: - What is refused

    @Test func onlyOneStatementThatReadsIsTaken() async throws {
        for text in [
            "DELETE FROM reminders", "UPDATE reminders SET title = ''", "DROP TABLE tags", "COMMIT", "BEGIN",
            "PRAGMA user_version = 3",
            "ATTACH 'x' AS y", "VACUUM", "",
        ] as [SQLText] {
            await expectRefusal("neither SELECT, WITH nor VALUES") { try await storage.sql(text, as: Int.self).fetch() }
        }
        await expectRefusal("writes") {
            try await storage.sql("WITH x AS (SELECT 1) DELETE FROM reminders", as: Int.self).fetch()
        }
        await expectRefusal("writes") {
            try await storage.sql("WITH x AS (SELECT 1) DELETE FROM reminders RETURNING position", as: Int.self).fetch()
        }
        await expectRefusal("semicolon") {
            try await storage.sql("SELECT 1; DELETE FROM reminders", as: Int.self).fetch()
        }
        #expect(try await storage.sql("SELECT 1 ;\n", as: Int.self).fetch() == [1])
        await expectRefusal("parameter") { try await storage.sql("SELECT ?1", as: Int.self).fetch() }
        await expectRefusal("quotation") { try await storage.sql("SELECT '\(1)'", as: String.self).fetch() }
        await expectRefusal("comment") { try await storage.sql("SELECT 1 -- \(1)", as: Int.self).fetch() }
        #expect(try await storage.query(Reminder.self).count() == 5)
    }

    @Test func whatSQLiteDoesNotUnderstandThrows() async throws {
        await #expect(throws: StorageError.self) { try await storage.sql("SELECT nonsense", as: Int.self).fetch() }
        await #expect(throws: StorageError.self) { try await storage.sql("SELECT FROM", as: Int.self).fetchOne() }
        await expectRefusal("outside of all queries") {
            try await storage.sql("SELECT \(Column<String>("title")) FROM reminders", as: String.self).fetch()
        }
    }

    @Test func aMissingColumnIsNamed() async throws {
        await expectRefusal("no column 'year'; did you mean 'years'?") {
            try await storage.sql("SELECT 1 AS n, 'a' AS years", as: YearCount.self).fetch()
        }
        await expectRefusal("2 columns 'n'") {
            try await storage.sql("SELECT 1 AS n, 2 AS n, 'a' AS year", as: YearCount.self).fetch()
        }
        await expectRefusal("no column 'name'") {
            try await storage.sql("SELECT id, updatedAt FROM persons", as: Person.self).fetch()
        }
        await expectRefusal("2 columns, a, b") { try await storage.sql("SELECT 1 AS a, 2 AS b", as: Int.self).fetch() }
        await expectRefusal("column 'list'") {
            try await storage.sql("SELECT 1 AS list", as: WithEntity.self).fetch()
        }
    }

    @Test func aMissingColumnIsNamedWithoutARowToo() async throws {
        await expectRefusal("no column 'year'") {
            try await storage.sql("SELECT 1 AS n, 'a' AS years WHERE 0", as: YearCount.self).fetch()
        }
    }

    @Test func aValueOfAnotherTypeIsNamedWithItsColumn() async throws {
        await expectRefusal("'n'") { try await storage.sql("SELECT 'x' AS n, 'a' AS year", as: YearCount.self).fetch() }
        await expectRefusal("'n'") {
            try await storage.sql("SELECT NULL AS n, 'a' AS year", as: YearCount.self).fetch()
        }
        await expectRefusal("'total'") { try await storage.sql("SELECT 'x' AS total", as: Int.self).fetch() }
        let error = await #expect(throws: StorageError.self) {
            try await storage.sql("SELECT 5 AS name, id, updatedAt FROM persons", as: Person.self).fetch()
        }
        guard case .entityDecodingFailed(type: "Person", let underlying as ColumnDecodingError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(underlying.column == "name")
    }

    @Test func anUnknownRawValueIsNamedWithItsColumn() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await storage.sql("SELECT 7 AS status", as: Reminder.Status.self).fetch()
        }
        guard case .queryFailed(_, let underlying as ColumnDecodingError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(underlying.column == "status" && underlying.expected == "Status" && underlying.found == "INTEGER")
        await expectRefusal("'status'") {
            try await storage.sql("SELECT 7 AS status", as: Reminder.Status?.self).fetch()
        }
        await expectRefusal("'status'") {
            try await storage.sql("SELECT NULL AS status", as: Reminder.Status.self).fetch()
        }
        await expectRefusal("2 columns, a, b") {
            try await storage.sql("SELECT 1 AS a, 2 AS b", as: Reminder.Status?.self).fetch()
        }
    }

    // MARK: - Live and in transactions

    @Test func aStreamHearsOfTheTablesThatSQLiteNamesAndOfNoOthers() async throws {
        let titles = storage.sql(
            "SELECT l.title FROM reminderslists AS l JOIN reminders AS r ON r.listId = l.id WHERE r.isFlagged ORDER BY 1",
            as: String.self)
        let probe = StreamProbe(titles.observe())
        #expect(try await probe.next() == ["Home"])
        let before = runs("SELECT l.title")
        try await storage.save(Person(id: SomeReminders.id(99), name: "Eve"))
        try await storage.save(Tag(id: "new"))
        var home = some.home
        home.title = "House"
        try await storage.save(home)
        #expect(try await probe.next() == ["House"])
        #expect(runs("SELECT l.title") == before + 1)
        try await storage.query(Reminder.self).updateAll { [$0.isFlagged.set(to: true)] }
        #expect(try await probe.next() == ["House", "House", "House", "Work", "Work"])
    }

    private func runs(_ sql: String) -> Int { log.statements.sql.filter { $0.hasPrefix(sql) }.count }

    @Test func aViewIsTheTablesBehindIt() async throws {
        try await store.db.write { db in
            try db.execute(sql: "CREATE VIEW names AS SELECT name FROM persons")
        }
        let probe = StreamProbe(storage.sql("SELECT name FROM names ORDER BY 1", as: String.self).observe())
        #expect(try await probe.next() == ["Ada", "Bob"])
        try await storage.save(Person(id: some.ada.id, name: "Eve"))
        #expect(try await probe.next() == ["Bob", "Eve"])
    }

    @Test func whatSQLiteChangesByItselfIsReadAfterEachCommit() async throws {
        try await store.db.write { db in
            try db.execute(sql: "CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT)")
        }
        let last = storage.sql("SELECT seq FROM sqlite_sequence WHERE name = 'numbered'", as: Int.self)
        let lists = storage.sql("SELECT count(*) FROM pragma_index_list('numbered')", as: Int.self)
        let (numbers, counts) = (StreamProbe(last.observe()), StreamProbe(lists.observe()))
        #expect(try await numbers.next() == [])
        #expect(try await counts.next() == [0])
        try await store.db.write { try $0.execute(sql: "INSERT INTO numbered DEFAULT VALUES") }
        #expect(try await numbers.first { $0 == [1] } == [1])
    }

    @Test func equalRowsAreLeftOutOfADistinctStream() async throws {
        let counts = storage.sql("SELECT count(*) FROM persons WHERE name = \("Ada")", as: Int.self)
        let probe = StreamProbe(counts.observeDistinct())
        #expect(try await probe.next() == [1])
        try await storage.save(Person(id: SomeReminders.id(98), name: "Eve"))
        try await storage.save(Person(id: SomeReminders.id(99), name: "Ada"))
        #expect(try await probe.next() == [2])
    }

    @Test func whatCannotBeAskedIsReportedAndAskedAgain() async throws {
        let errors = ErrorLog()
        let probe = StreamProbe(storage.sql("SELECT a FROM later", as: Int.self).observe(onError: errors.handler))
        try await untilTrue { errors.cases == ["queryFailed"] }
        try await store.db.write { db in try db.execute(sql: "CREATE TABLE later AS SELECT 7 AS a") }
        #expect(try await probe.next() == [7])
    }

    @Test func aDistinctStreamWithAHandlerOfItsOwnTellsThatOne() async throws {
        let (own, others) = (ErrorLog(), ErrorLog())
        let handler = others.handler
        let store = try TemporaryStore(options: { $0.onObservationError = handler }) { _ in }
        let probe = StreamProbe(
            store.storage.sql("SELECT a FROM nowhere", as: Int.self).observeDistinct(onError: own.handler))
        try await untilTrue { own.cases.count + others.cases.count == 1 }
        #expect(others.cases == [])
        probe.cancel()
    }

    @MainActor @Test func aLiveQueryHoldsAStatement() async throws {
        let live = LiveQuery(storage.sql("SELECT name FROM persons ORDER BY 1", as: String.self))
        await live.refresh()
        #expect(live.value == ["Ada", "Bob"])
        live.stop()
    }

    @Test func aTransactionSeesWhatItWrote() async throws {
        let names = storage.sql("SELECT name FROM persons ORDER BY 1", as: String.self)
        try await storage.transaction { tx in
            try tx.save(Person(id: some.bob.id, name: "Zoe"))
            #expect(try names.fetch(in: tx) == ["Ada", "Zoe"])
            #expect(try names.fetchOne(in: tx) == "Ada")
            #expect(try tx.sql("SELECT count(*) FROM persons WHERE name = \("Zoe")", as: Int.self) == [1])
            let error = #expect(throws: StorageError.self) { try tx.sql("COMMIT", as: Int.self) }
            #expect(error?.description.contains("neither") == true)
        }
        let count = try await storage.snapshot { tx in try tx.sql("SELECT count(*) FROM persons", as: Int.self) }
        #expect(count == [2])
    }
}

extension Database {
    /// How many statements the connection has prepared and not given back.
    fileprivate var preparedStatements: Int {
        var (count, statement) = (0, sqlite3_next_stmt(sqliteConnection, nil))
        while statement != nil { (count, statement) = (count + 1, sqlite3_next_stmt(sqliteConnection, statement)) }
        return count
    }
}
