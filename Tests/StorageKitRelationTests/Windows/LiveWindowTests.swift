import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@StorageEntity(table: "shelves") private struct Shelf {
    var id: UUID
}

@StorageEntity(table: "boxes") private struct Box {
    var id: String
    @StorageReference(Shelf.self) var shelfId: UUID
    @StorageBelongsTo(foreignKey: "shelfId") var shelf: Shelf?
}

/// What a window of a list shows, and what comes in and goes.
@MainActor @Suite struct LiveWindowTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    /// A hundred users, each a year older than the one before.
    private var byAge: Query<TestUser> { storage.query(TestUser.self).orderBy(\.age) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await storage.save((0..<100).map { TestUser("\($0)", age: $0) })
    }

    private func window(_ query: Query<TestUser>? = nil, pages: Int = 3) async -> LiveWindow<TestUser> {
        let window = LiveWindow(query ?? byAge, pageSize: 10, maximumPages: pages)
        await window.settle()
        return window
    }

    /// Changes the file by a connection that the library knows nothing of.
    private func somebodyElse(_ sql: String) async throws {
        let stranger = try GRDB.DatabaseQueue(path: store.url.path)
        try await stranger.write { try $0.execute(sql: sql) }
    }

    /// 45 users more who are fifty years old.
    private static let bulkInTheMiddle = """
        INSERT INTO testusers (id, name, age, isActive, updatedAt)
        SELECT 'x' || id, name, 50, isActive, updatedAt FROM testusers WHERE age < 45
        """

    private func expect(
        _ window: LiveWindow<TestUser>, _ ages: some Sequence<Int>, before: Bool, after: Bool,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(window.items.map(\.age) == Array(ages), sourceLocation: location)
        #expect(window.hasMoreBefore == before, sourceLocation: location)
        #expect(window.hasMoreAfter == after, sourceLocation: location)
        #expect(window.error == nil, sourceLocation: location)
    }

    // MARK: - Going

    @Test func aRowBehindThePageThatCannotBeReadKeepsNothingBack() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 'perhaps' WHERE id = '10'") }
        let window = await window()
        expect(window, 0..<10, before: false, after: true)
        await window.loadNext()
        #expect(window.error is StorageError)
        #expect(window.items.map(\.age) == Array(0..<10))
    }

    @Test func itBeginsWithTheFirstPage() async {
        let window = LiveWindow(byAge, pageSize: 10)
        #expect(window.items.isEmpty)
        await window.settle()
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func itKeepsSomePagesAndGivesBackTheOthers() async {
        let window = await window()
        for _ in 0..<3 { await window.loadNext() }
        expect(window, 10..<40, before: true, after: true)
        await window.loadPrevious()
        expect(window, 0..<30, before: false, after: true)
    }

    @Test func loadsRunOneAfterTheOther() async {
        let window = await window()
        async let first: Void = window.loadNext()
        async let second: Void = window.loadNext()
        _ = await (first, second)
        expect(window, 0..<30, before: false, after: true)
    }

    @Test func atTheEndOfTheListThereIsNothingToLoad() async {
        let window = await window()
        await window.jumpToEnd()
        expect(window, 90..<100, before: true, after: false)
        await window.loadNext()
        expect(window, 90..<100, before: true, after: false)
        await window.jumpToStart()
        expect(window, 0..<10, before: false, after: true)
        await window.loadPrevious()
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func halfAPageStandsBeforeTheRowThatIsJumpedTo() async {
        let window = await window()
        #expect(await window.jump(to: "50"))
        expect(window, 45..<55, before: true, after: true)
        #expect(await window.jump(to: "2"))
        expect(window, 0..<10, before: false, after: true)
        #expect(await window.jump(to: "98"))
        expect(window, 90..<100, before: true, after: false)
    }

    @Test func aJumpToARowThatTheQueryDoesNotHoldChangesNothing() async {
        let window = await window(byAge.where { $0.age < 60 })
        #expect(await window.jump(to: "80") == false)
        #expect(await window.jump(to: "nobody") == false)
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func aJumpToWhatCannotBeStoredChangesNothing() async {
        let window = await window()
        #expect(await window.jump(to: Double.nan) == false)
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func aJumpMayBeTheFirstThatIsAskedFor() async {
        let window = LiveWindow(byAge, pageSize: 10)
        #expect(await window.jump(to: "50"))
        expect(window, 45..<55, before: true, after: true)
    }

    // MARK: - Changes

    @Test func whatComesAtAnOpenSideComesInAndTheFarSideGivesBackAPage() async throws {
        let window = await window(pages: 1)
        await window.jumpToEnd()
        try await storage.save(TestUser("new", age: 100))
        await window.settle()
        expect(window, 91..<101, before: true, after: false)
        let wide = await self.window(pages: 2)
        await wide.jumpToEnd()
        await wide.loadPrevious()
        expect(wide, 81..<101, before: true, after: false)
        try await storage.save(TestUser("newer", age: 101))
        await wide.settle()
        expect(wide, 91..<102, before: true, after: false)
    }

    @Test func aClosedSideLetsNothingIn() async throws {
        let window = await window()
        try await storage.save(TestUser("50", age: 10))
        try await storage.save(TestUser("new", age: 9))
        await window.settle()
        // The id of the one that is as old as the last row comes after it.
        expect(window, 0..<10, before: false, after: true)
        try await storage.save(TestUser("60", age: 5))
        await window.settle()
        expect(window, [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9], before: false, after: true)
    }

    @Test func aRowOfTheEdgeMayGoAndChangesNothingElse() async throws {
        let window = await window()
        await window.loadNext()
        try await storage.delete(TestUser.self, id: "19")
        await window.settle()
        expect(window, 0..<19, before: false, after: true)
        try await storage.save(TestUser("19", age: 19))
        await window.settle()
        expect(window, 0..<20, before: false, after: true)
    }

    @Test func whetherTheListGoesOnIsTrueOfTheLastCommit() async throws {
        let window = await window(byAge.where { $0.age < 11 })
        expect(window, 0..<10, before: false, after: true)
        try await storage.delete(TestUser.self, id: "10")
        await window.settle()
        expect(window, 0..<10, before: false, after: false)
        try await storage.save(TestUser("10", age: 10))
        await window.settle()
        expect(window, 0..<11, before: false, after: false)
    }

    @Test func aWindowWithLessThanAPageIsFilledAgainAtTheEndFirst() async throws {
        let window = await window()
        _ = await window.jump(to: "50")
        try await storage.query(TestUser.self).where { $0.age.in([46, 51, 52]) }.deleteAll()
        await window.settle()
        expect(window, [45, 47, 48, 49, 50, 53, 54, 55, 56, 57], before: true, after: true)
        try await storage.query(TestUser.self).where { $0.age > 54 }.deleteAll()
        await window.settle()
        expect(window, [42, 43, 44, 45, 47, 48, 49, 50, 53, 54], before: true, after: false)
    }

    @Test func aCommitOfAnotherProcessIsTakenIn() async throws {
        let window = await window()
        try await somebodyElse("DELETE FROM testusers WHERE age IN (3, 10)")
        await window.settle()
        expect(window, [0, 1, 2, 4, 5, 6, 7, 8, 9, 11], before: false, after: true)
    }

    @Test func afterABulkOfAnotherProcessTheFarSideGivesBackWholePages() async throws {
        let window = await window()
        await window.jumpToEnd()
        let stranger = try GRDB.DatabaseQueue(path: store.url.path)
        try await stranger.write { db in
            for age in 100..<145 {
                try db.execute(
                    sql: """
                        INSERT INTO testusers (id, name, age, isActive, updatedAt)
                        VALUES (?, '', ?, 1, '2026-01-01 00:00:00.000')
                        """, arguments: ["\(age)", age])
            }
        }
        await window.settle()
        expect(window, 120..<145, before: true, after: false)
    }

    @Test func afterABulkInTheMiddleTheFarSideGivesBackWholePages() async throws {
        let window = await window()
        _ = await window.jump(to: "50")
        try await somebodyElse(LiveWindowTests.bulkInTheMiddle)
        await window.settle()
        // Of 55 rows, the last three pages are given back.
        expect(window, Array(45...50) + Array(repeating: 50, count: 19), before: true, after: true)
    }

    @Test func afterABulkThatEndsTheListTheFirstPagesAreGivenBack() async throws {
        let window = await window()
        _ = await window.jump(to: "50")
        try await somebodyElse(LiveWindowTests.bulkInTheMiddle + "; DELETE FROM testusers WHERE age > 54")
        await window.settle()
        expect(window, Array(repeating: 50, count: 21) + [51, 52, 53, 54], before: true, after: false)
    }

    @Test func afterABulkThatBeginsAndEndsTheListTheLastPagesAreGivenBack() async throws {
        let window = await window()
        _ = await window.jump(to: "50")
        try await somebodyElse(LiveWindowTests.bulkInTheMiddle + "; DELETE FROM testusers WHERE age < 45 OR age > 54")
        await window.settle()
        expect(window, Array(45...50) + Array(repeating: 50, count: 19), before: false, after: true)
    }

    @Test(arguments: [true, false])
    func afterABulkThatMovesAllRowsTheWindowStaysAtItsEndOfTheList(byAnother: Bool) async throws {
        func move(by years: Int) async throws {
            if byAnother {
                try await somebodyElse("UPDATE testusers SET age = age + \(years)")
            } else {
                try await storage.query(TestUser.self).updateAll { [$0.age.set(to: $0.age + years)] }
            }
        }
        let first = await window()
        // All rows stand before where the window ended.
        try await move(by: -1000)
        await first.settle()
        expect(first, -1000..<(-970), before: false, after: true)
        let last = await window()
        await last.jumpToEnd()
        // All rows stand behind where the window began.
        try await move(by: 1000)
        await last.settle()
        expect(last, 70..<100, before: true, after: false)
    }

    @Test func whatManyTasksWriteAtOnceIsInItsPlace() async throws {
        let (storage, byAge) = (storage, byAge)
        let window = await window(pages: 30)
        while window.hasMoreAfter { await window.loadNext() }
        for round in 0..<30 {
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        let id = "\(task * 20 + round % 20)"
                        try await storage.save(TestUser(id, name: "\(round)", age: (task * 37 + round * 11) % 150))
                        if (round + task) % 3 == 0 { try await storage.delete(TestUser.self, id: id) }
                    }
                }
                try await group.waitForAll()
            }
            await window.settle()
            let list = try await byAge.orderBy(\.id).fetch().map { "\($0.id) \($0.name)" }
            #expect(window.items.map { "\($0.id) \($0.name)" } == list)
            #expect(!window.hasMoreBefore && !window.hasMoreAfter)
        }
    }

    // MARK: - Beyond

    /// A window of ten of a hundred, what is written, and how many reads that makes.
    struct Write: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reads: ClosedRange<Int>
        let run: @Sendable (Storage) async throws -> Void

        init(_ name: String, reads: ClosedRange<Int>, _ run: @escaping @Sendable (Storage) async throws -> Void) {
            (testDescription, self.reads, self.run) = (name, reads, run)
        }

        static let all = [
            Write("a row beyond moves and stays there", reads: 0...0) { try await $0.save(TestUser("70", age: 71)) },
            Write("a row beyond changes and stays there", reads: 0...0) {
                try await $0.save(TestUser("70", name: "x", age: 70))
            },
            Write("a row beyond goes", reads: 0...0) { try await $0.delete(TestUser.self, id: "80") },
            Write("a row comes beyond", reads: 0...0) { try await $0.save(TestUser("new", age: 30)) },
            Write("many rows come on both sides", reads: 0...0) { storage in
                try await storage.save((0..<50).map { TestUser("new\($0)", age: $0 % 2 == 0 ? 30 : 70) })
            },
            Write("a row changes and a savepoint takes it back", reads: 0...0) { storage in
                try await storage.transaction { db in
                    try? db.savepoint {
                        try db.save(TestUser("70", age: 72))
                        throw CancellationError()
                    }
                    try db.save(TestUser("80", age: 82))
                }
            },
            Write("a row comes from beyond", reads: 1...1) { try await $0.save(TestUser("70", age: 50)) },
            Write("a row goes from one side to the other", reads: 0...0) { try await $0.save(TestUser("70", age: 7)) },
            Write("a row comes that is alike to the last one", reads: 1...1) {
                try await $0.save(TestUser("new", age: 54))
            },
            Write("the row that follows goes", reads: 1...3) { try await $0.delete(TestUser.self, id: "55") },
            Write("the row before goes", reads: 1...3) { try await $0.delete(TestUser.self, id: "44") },
        ]
    }

    @Test(arguments: Write.all) func whatHappensBeyondTheWindowReadsNothing(write: Write) async throws {
        let log = StatementLog()
        let store = try TemporaryStore(log: log) { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save((0..<100).map { TestUser("\($0)", age: $0) })
        let query = store.storage.query(TestUser.self).orderBy(\.age)
        let window = LiveWindow(query, pageSize: 10)
        _ = await window.jump(to: "50")
        expect(window, 45..<55, before: true, after: true)
        let statements = try await log.during {
            try await write.run(store.storage)
            await window.settle()
        }
        let reads = statements.sql.filter { $0.hasPrefix("SELECT") && $0.contains("FROM \"testusers\"") }
        #expect(write.reads.contains(reads.count), "\(statements.sql)")
        let list = try await query.fetch()
        #expect(window.items == list.filter { (45...54).contains($0.age) && $0.id != "new" })
    }

    /// SQLite's hook says NULL of a column that was added to a row, which then holds the default.
    @Test func aRowThatIsOlderThanTheColumnOfTheOrderComesAndGoes() async throws {
        let store = try TemporaryStore { schema in
            schema.migration("older rows") { db in
                try db.execute(
                    sql: """
                        CREATE TABLE volumes (id INTEGER PRIMARY KEY, title TEXT, rank INTEGER, isHidden INTEGER, updatedAt TEXT);
                        INSERT INTO volumes SELECT value, '', value, 0, '2026-01-01 00:00:00.000' FROM json_each('[0,1,2,3,4,5,6,7]');
                        ALTER TABLE volumes ADD COLUMN shelf INTEGER DEFAULT 5;
                        """)
            }
        }
        let window = LiveWindow(store.storage.query(Volume.self).orderBy(\.shelf), pageSize: 3)
        await window.settle()
        #expect(window.items.map(\.id) == [0, 1, 2])
        try await store.storage.save(Volume(id: 1, title: "", rank: 1, shelf: 9))
        await window.settle()
        #expect(window.items.map(\.id) == [0, 2, 3])
    }

    // MARK: - Ends

    @Test func aQueryWithALimitIsAnErrorInThePhase() async {
        for query in [byAge.limit(5), byAge.offset(1)] {
            let window = await window(query)
            guard case .queryFailed? = window.error as? StorageError else {
                Issue.record("\(String(describing: window.error))")
                return
            }
        }
        #expect(await LiveWindow(byAge, pageSize: 0).isRefused)
        #expect(await LiveWindow(byAge, maximumPages: 0).isRefused)
    }

    @Test func aConditionFarTooDeepIsAnErrorInThePhase() async {
        #expect(await LiveWindow(byAge.where { $0.age.conditionFarTooDeep }, pageSize: 10).isRefused)
    }

    @Test func aPageOfAnySizeHoldsTheWholeList() async throws {
        let window = LiveWindow(byAge, pageSize: .max)
        await window.settle()
        await window.loadNext()
        expect(window, 0..<100, before: false, after: false)
        _ = await window.jump(to: "50")
        try await storage.save(TestUser("100", age: 100))
        await window.settle()
        expect(window, 0...100, before: false, after: false)
    }

    @Test func anErrorPassesWithTheNextCommitThatIsRead() async throws {
        let window = await window()
        try await store.db.write { try $0.execute(sql: "ALTER TABLE testusers RENAME TO gone") }
        await window.settle()
        #expect(window.error is StorageError)
        #expect(window.items.count == 10)
        try await store.db.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO testusers") }
        await window.settle()
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func aRowThatCanNoLongerBeReadIsAnErrorInThePhase() async throws {
        let window = await window()
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 'perhaps' WHERE id = '3'") }
        try await untilTrue { window.error is StorageError }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 1 WHERE id = '3'") }
        try await untilTrue { window.error == nil }
        expect(window, 0..<10, before: false, after: true)
    }

    @Test func aRowThatCannotMoveInMovesInOnceItCanBeRead() async throws {
        let window = await window()
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 'perhaps' WHERE id = '12'") }
        try await store.db.write { try $0.execute(sql: "DELETE FROM testusers WHERE age < 5") }
        try await untilTrue { window.error is StorageError }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 1 WHERE id = '12'") }
        try await untilTrue { window.error == nil }
        #expect(window.items.map(\.age).starts(with: 5..<15))
    }

    @Test func aRowThatCannotMoveIntoAListWithALimitMovesInOnceItCanBeRead() async throws {
        let list = LiveQuery(byAge.limit(10))
        try await untilTrue { list.value.count == 10 }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 'perhaps' WHERE id = '12'") }
        try await somebodyElse("DELETE FROM testusers WHERE age < 5")
        try await untilTrue { list.error is StorageError }
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET isActive = 1 WHERE id = '12'") }
        try await untilTrue { list.error == nil && list.value.map(\.age) == Array(5..<15) }
    }

    /// A window of thirty users, and a store that it is of. A function of the app's looks at each row, and does something once it is due.
    private func windowWithFunction(
        _ isDue: Due, _ body: @escaping @Sendable () throws -> Void
    ) async throws -> (window: LiveWindow<TestUser>, store: TemporaryStore) {
        let function = DatabaseFunction("do_once", argumentCount: 0) { _ in
            if isDue.take() { try body() }
            return true
        }
        let store = try TemporaryStore(options: { $0.pool.alsoPrepare { $0.add(function: function) } }) {
            $0.autoSchema(TestUserRecord.self)
        }
        try await store.fill(30) { TestUser("\($0)", age: $0) }
        let query = store.storage.query(TestUser.self).where { _ in Column<Bool>(sql: "do_once()") }
        return (await window(query.orderBy(\.age)), store)
    }

    private final class Due: Sendable {
        private let state = Mutex(false)

        var isStill: Bool { state.withLock(\.self) }

        func set() { state.withLock { $0 = true } }

        func take() -> Bool {
            state.withLock { isDue in
                defer { isDue = false }
                return isDue
            }
        }
    }

    @Test func anInterruptionOfALoadPassesWithoutACommit() async throws {
        let isDue = Due()
        let (window, store) = try await windowWithFunction(isDue) {
            throw GRDB.DatabaseError(resultCode: .SQLITE_INTERRUPT)
        }
        defer { withExtendedLifetime(store) {} }
        isDue.set()
        await window.loadNext()
        #expect(!isDue.isStill)
        try await untilTrue { window.error == nil }
    }

    @Test func aJumpThatCannotBeReadLeavesALoadOfTheSameReadAlone() async throws {
        let isDue = Due()
        let rest = Rest()
        let (window, store) = try await windowWithFunction(isDue) { rest.enter() }
        defer { withExtendedLifetime(store) {} }

        isDue.set()
        let refreshed = Task { await window.refresh() }
        await rest.begun()
        // Both are asked for while that read goes on, so that the next one finds them together.
        let jumped = Task { await window.jump(to: 1, 2) }
        let loaded = Task { await window.loadNext() }
        await Task {}.value
        rest.leave()

        #expect(await jumped.value == false)
        await loaded.value
        await refreshed.value
        #expect(window.error is StorageError)
        #expect(window.items.map(\.age) == Array(0..<20))
        await window.refresh()
        expect(window, 0..<20, before: false, after: true)
    }

    @Test func aJumpToARowThatCannotBeReadSaysSo() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE testusers SET age = 'old' WHERE id = '90'") }
        let window = await window()
        #expect(await window.jump(to: "90") == false)
        #expect(window.error is StorageError)
        #expect(window.items.map(\.age) == Array(0..<10))
        await window.loadNext()
        expect(window, 0..<20, before: false, after: true)
    }

    @Test func whereARelatedEntityIsSelectedAJumpTakesTheIdOfTheRow() async throws {
        let store = try TemporaryStore { $0.autoSchema(ShelfRecord.self, BoxRecord.self) }
        let shelf = Shelf(id: UUID())
        try await store.storage.save(shelf)
        try await store.storage.save((10..<60).map { Box(id: "box \($0)", shelfId: shelf.id) })
        let window = LiveWindow(store.storage.query(Box.self).orderBy(\.id).select { $0.shelf }, pageSize: 10)
        #expect(await window.jump(to: "box 55"))
        #expect(window.items.count == 10 && window.hasMoreBefore && !window.hasMoreAfter)
        #expect(await window.jump(to: "box 60") == false)
    }

    @Test func whatIsStoppedOrReleasedObservesNothing() async throws {
        let window = await window()
        do {
            let other = await self.window()
            #expect(store.db.changes.listenerCount == 2)
            _ = other
        }
        try await untilTrue { store.db.changes.listenerCount == 1 }
        window.stop()
        #expect(store.db.changes.listenerCount == 0)
        await window.loadNext()
        #expect(await window.jump(to: "50") == false)
        #expect(window.items.count == 10)
    }
}

extension LiveWindow {
    fileprivate var isRefused: Bool {
        get async {
            await settle()
            return error is StorageError
        }
    }
}
