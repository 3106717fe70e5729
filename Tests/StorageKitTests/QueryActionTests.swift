import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Measure {
    var id: Int
    var count: Int
    var small: Int8
    var big: UInt64
    var weight: Double?
    var price: Decimal
    var at: Date
    var level: Level?
    var label: String
}

@Suite struct QueryActionTests {
    @Test func aRangeThatIsHalfOpenEndsBeforeItsUpperBound() async throws {
        #expect(try await query.where { $0.count.between(20..<40) }.fetch().map(\.id) == [2, 3])
        #expect(try await query.where { $0.weight.between(1.0..<3.0) }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.count.between(20..<20) }.count() == 0)
    }

    @MainActor @Test func whatIsSetMayComeFromTheCallersActor() async throws {
        @MainActor final class Model { var count = 7 }
        let model = Model()
        var label = "a"
        label += "b"
        try await query.where { $0.id == 1 }.updateAll { [$0.count.set(to: model.count), $0.label.set(to: label)] }
        let changed = try await query.where { $0.id == 1 }.fetchOne()
        #expect(changed?.count == 7)
        #expect(changed?.label == "ab")
    }

    @Test func inSQLADecimalIsComparedAsANumber() async throws {
        try await store.storage.save(
            Measure(
                id: 5, count: 0, small: 0, big: 0, weight: nil, price: 10.5, at: Date(timeIntervalSince1970: 0),
                level: nil, label: ""))
        let limit: Decimal = 9.5
        #expect(try await query.where { Column<Bool>(sql: "\($0.price) > \(limit)") }.fetch().map(\.id) == [5])
        #expect(try await query.where { Column<Bool>(sql: "\(limit) < \($0.price)") }.fetch().map(\.id) == [5])
        let greater = query.where { $0.id == 5 }.select { Column<Decimal>(sql: "max(\($0.price), \(limit))") }
        #expect(try await greater.fetch() == [10.5])
    }

    @Test func aNumberThatSQLGivesIsComparedWithDecimals() async throws {
        let half = query.where { Column<Decimal>(sql: "\($0.price) * 2") == 1 }
        #expect(try await half.fetch().map(\.id) == [2])
        let rounded = query.where { Column<Decimal>(sql: "round(\($0.price))") >= 1 }
        #expect(try await rounded.fetch().map(\.id) == [2, 3, 4])
        let listed = query.where { Column<Decimal>(sql: "\($0.price) + 1").in([1.25, 2]) }
        #expect(try await listed.fetch().map(\.id) == [1, 4])
        let sorted = query.orderBy({ Column<Decimal>(sql: "10 - \($0.price)") }).select(\.id)
        #expect(try await sorted.fetch() == [4, 3, 2, 1])
        let greatest = query.where { $0.id == 4 }.select { max(Column<Decimal>(sql: "\($0.price) * 10"), 9) }
        #expect(try await greatest.fetch() == [10])
    }

    @Test func aWholeNumberThatSQLRoundsIsCalculatedWithAsAnInteger() async throws {
        let rounded = { (row: ColumnRef<Measure>) in Column<Int>(sql: "round(\(row.count) / 10.0)") }
        #expect(try await query.where { rounded($0) + 1 > 3 }.fetch().map(\.id) == [3, 4])
        #expect(try await query.orderBy(\.id).select { rounded($0) * 2 }.fetch() == [2, 4, 6, 8])
        await expectRefusal("a number that is to be an integer has a fraction") {
            try await query.select { Column<Int>(sql: "\($0.count) / 4.0") + 1 }.fetch()
        }
    }

    @Test func noColumnOfIntegersGetsAFractionThatSQLGives() async throws {
        #expect(
            try await query.where { $0.id == 1 }.updateAll { [$0.small.set(to: Column<Int8>(sql: "round(7.2)"))] } == 1)
        #expect(try await query.where { $0.id == 1 }.select(\.small).fetch() == [7])
        let all = try await query.fetch()
        await expectRefusal("has a fraction") {
            try await query.updateAll { [$0.count.set(to: Column<Int>(sql: "\($0.count) * 1.11"))] }
        }
        await expectRefusal("has a fraction") {
            try await query.updateAll { [$0.small.set(to: Column<Int8>(sql: "2.5"))] }
        }
        await expectRefusal("beyond the range of its column") {
            try await query.updateAll { [$0.small.set(to: Column<Int8>(sql: "round(300.2)"))] }
        }
        #expect(try await query.fetch() == all)
    }

    private func expectRefusal(_ words: String, _ body: () async throws -> some Any) async {
        let error = await storageError { _ = try await body() }
        #expect("\(String(describing: error))".contains(words))
    }

    private let store: TemporaryStore
    private var query: Query<Measure> { store.storage.query(Measure.self) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(MeasureRecord.self) }
        try await store.storage.save(
            (1...4).map { id in
                Measure(
                    id: id, count: id * 10, small: 60, big: UInt64.max / 2, weight: id == 2 ? nil : Double(id),
                    price: Decimal(id) / 4, at: Date(timeIntervalSince1970: Double(id)),
                    level: id.isMultiple(of: 2) ? .low : nil, label: "m\(id)")
            })
    }

    private func message(_ body: () async throws -> Void) async -> String? {
        let error = await storageError(body)
        guard case .queryFailed = error else { return nil }
        return error?.localizedDescription
    }

    // MARK: Values

    @Test func sumsAndMeansAreOfTheColumnsType() async throws {
        #expect(try await query.sum(\.count) == 100)
        #expect(try await query.sum(\.weight) == 8)
        #expect(try await query.sum(\.price) == 2.5)
        #expect(try await query.where { $0.count > 10 }.sum(\.count) == 90)
        #expect(try await query.avg(\.count) == 25)
        #expect(try await query.avg(\.price) == 0.625)
        let mean = try #require(try await query.avg(\.weight))
        #expect(abs(mean - 8 / 3) < 1e-12)
        let none = query.where { $0.count < 0 }
        #expect(try await none.sum(\.count) == 0)
        #expect(try await none.avg(\.count) == nil)
        #expect(try await none.min(\.count) == nil)
    }

    @Test func meansAreRoundedOnceAndPartsOfASumMayBeBeyondTheRange() async throws {
        let small: [Int8] = [100, 100, -100, 28]
        let prices: [Decimal] = [0, 0, 1, 3]
        for (index, id) in (1...4).enumerated() {
            var measure = try #require(try await store.storage.get(Measure.self, id: id))
            measure.small = small[index]
            measure.price = prices[index]
            measure.count = index == 0 ? .max : index == 1 ? 1 : index == 2 ? -1 : 0
            measure.weight = 0.1
            try await store.storage.save(measure)
        }
        #expect(try await query.limit(3).sum(\.small) == 100)
        #expect(try await query.sum(\.count) == .max)
        #expect(try await query.avg(\.price) == 1)
        #expect(try await query.avg(\.small) == 32)
        #expect(try await query.avg(\.weight) == 0.1)
        #expect(try await query.avg(\.big) == Double(UInt64.max / 2))
    }

    @Test func numbersOfUnlikeSizeLoseNothingInASum() async throws {
        for (id, weight) in zip(1..., [1, 1e100, 1, -1e100]) {
            try await query.where { $0.id == id }.updateAll { [$0.weight.set(to: weight)] }
        }
        #expect(try await query.sum(\.weight) == 2)
        #expect(try await query.avg(\.weight) == 0.5)
    }

    @Test func aSumBeyondTheTypesRangeIsAnError() async throws {
        let small = await message { _ = try await query.sum(\.small) }
        #expect(small?.contains("beyond the range of Int8") == true)
        let big = await message { _ = try await query.sum(\.big) }
        #expect(big?.contains("beyond the range of UInt64") == true)
        #expect(try await query.avg(\.small) == 60)
        #expect(try await query.limit(2).sum(\.small) == 120)
    }

    @Test func aMeanOfDecimalsWhoseSumIsBeyondTheRangeIsAnError() async throws {
        #expect(try await query.updateAll { [$0.price.set(to: .greatestFiniteMagnitude)] } == 4)
        #expect(await message { _ = try await query.sum(\.price) }?.contains("beyond the range of Decimal") == true)
        #expect(await message { _ = try await query.avg(\.price) }?.contains("beyond the range of Decimal") == true)
    }

    @Test func aMeanOfWhatIsNoNumberSaysThatNumbersAreAsked() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE measures SET weight = 'much'") }
        let error = await storageError { _ = try await query.aggregate { $0.avg(\.weight) }.fetchOne() }
        #expect(error?.localizedDescription.contains("a column of numbers holds something else") == true)
    }

    @Test func aDecimalThatCannotBeReadIsNamedByItsColumn() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE measures SET price = 'much'") }
        let errors = [
            await storageError { _ = try await query.sum(\.price) },
            await storageError { _ = try await query.avg(\.price) },
            await storageError { _ = try await query.distinct(\.price) },
            await storageError { _ = try await query.min(\.price) },
        ]
        for error in errors {
            guard case .entityDecodingFailed("Measure", let underlying as ColumnDecodingError) = error else {
                Issue.record("unexpected: \(String(describing: error))")
                continue
            }
            #expect(underlying.column == "price")
        }
    }

    @Test func extremesAndDifferentValuesLeaveOutNULL() async throws {
        #expect(try await query.min(\.weight) == 1)
        #expect(try await query.max(\.weight) == 4)
        #expect(try await query.max(\.label) == "m4")
        #expect(try await query.min(\.at) == Date(timeIntervalSince1970: 1))
        #expect(try await query.max(\.price) == 1)
        #expect(try await query.distinct(\.small) == [60])
        #expect(try await query.distinct(\.level) == [.low])
        #expect(try await query.max(\.level) == .low)
        #expect(try await query.distinct(\.weight) == [1, 3, 4])
        #expect(try await query.limit(2).distinct(\.label) == ["m1", "m2"])
    }

    @Test func differentValuesAreThoseOfTheEntitiesThatALimitLeaves() async throws {
        #expect(try await query.orderBy(\.id, .descending).limit(2).distinct(\.label) == ["m3", "m4"])
        #expect(try await query.orderBy(\.id).offset(3).distinct(\.weight) == [4])
    }

    @Test func aLimitCountsForValues() async throws {
        let lastTwo = query.orderBy(\.id, .descending).limit(2)
        #expect(try await lastTwo.sum(\.count) == 70)
        #expect(try await lastTwo.min(\.count) == 30)
        #expect(try await lastTwo.max(\.weight) == 4)
        #expect(try await lastTwo.exists())
        #expect(try await !query.limit(0).exists())
        #expect(try await !query.offset(4).exists())
    }

    @Test func theFirstByAColumnIsOneOfThoseThatALimitLeaves() async throws {
        let lastTwo = query.orderBy(\.id, .descending).limit(2)
        #expect(try await lastTwo.first(by: \.count)?.id == 3)
        #expect(try await query.orderBy(\.id).offset(2).first(by: \.count)?.id == 3)
        #expect(try await query.limit(0).first(by: \.count) == nil)
        let id = try await store.storage.snapshot { try lastTwo.first(by: \.weight, in: $0)?.id }
        #expect(id == 3)
    }

    // MARK: Updates

    @Test func anUpdateSetsColumnsAndTheTimeOfTheSave() async throws {
        store.clock.advance(by: 60)
        let changed = try await query.where { $0.count >= 30 }.updateAll {
            [$0.label.set(to: "big"), $0.weight.set(to: nil), $0.level.set(to: .high), $0.price.set(to: 7)]
        }
        #expect(changed == 2)
        let found = try await query.orderBy(\.id).fetch()
        #expect(found.map(\.label) == ["m1", "m2", "big", "big"])
        #expect(found.map(\.weight) == [1, nil, nil, nil])
        #expect(found.map(\.level) == [nil, .low, .high, .high])
        #expect(found.map(\.price) == [0.25, 0.5, 7, 7])
        let stamps = try await store.db.read { db in try MeasureRecord.fetchAll(db).map(\.updatedAt) }
        #expect(stamps.map { $0 == store.clock.now } == [false, false, true, true])
    }

    @Test func anUpdateIsSeenByObserversAndCountsItsLimit() async throws {
        let probe = StreamProbe(store.storage.observeAll(Measure.self))
        #expect(try await probe.next().map(\.count) == [10, 20, 30, 40])
        #expect(try await query.orderBy(\.id, .descending).limit(1).updateAll { [$0.count.set(to: 0)] } == 1)
        #expect(try await probe.next().map(\.count) == [10, 20, 30, 0])
    }

    @Test func anUpdateThatCannotBeChangesNothing() async throws {
        let messages = [
            await message { try await query.updateAll { [$0.id.set(to: 1)] } },
            await message { try await query.updateAll { [$0.count.set(to: 1), $0.count.set(to: 2)] } },
            await message { try await query.updateAll { [$0.weight.set(to: .nan)] } },
            await message { try await query.updateAll { _ in [Column<Int>("cuont").set(to: 1)] } },
            await message { try await query.updateAll { _ in [Column<Int?>("count").set(to: nil)] } },
        ]
        #expect(messages[0]?.contains("'id' cannot be set") == true)
        #expect(messages[1]?.contains("'count' cannot be set: it is set twice") == true)
        #expect(messages[2]?.contains("'weight' cannot be set: NaN") == true)
        #expect(messages[3]?.contains("did you mean 'count'?") == true)
        #expect(messages[4]?.contains("may not be NULL") == true)
        #expect(try await query.updateAll { _ in [] } == 4)
        #expect(try await query.sum(\.count) == 100)
    }

    @Test func aColumnThatIsNamedIsNotSetToWhatItsPropertyCannotBe() async throws {
        let number = await message {
            try await query.updateAll { [Column<Double?>("count").set(to: $0.weight * 2.5)] }
        }
        #expect(number?.contains("'count' cannot be set: it holds INTEGER, and the value is REAL") == true)
        let text = await message { try await query.updateAll { _ in [Column<String>("level").set(to: "none")] } }
        #expect(text?.contains("'level' cannot be set: it holds") == true)
        #expect(try await query.fetch().map(\.count) == [10, 20, 30, 40])
    }

    @StorageEntity
    struct Shop {
        var id: Int
        @StorageEmbedded var point: GeoPoint?
        @StorageEmbedded(prefix: "at_") var address: PostalAddress
    }

    /// The value would be there with NULL where it has no optional, and no row could be read any more.
    @Test func aColumnOfAnOptionalValueIsNotSetAlone() async throws {
        let store = try TemporaryStore { $0.autoSchema(ShopRecord.self) }
        let address = PostalAddress(street: "", city: "Kyiv", zip: "", country: "")
        try await store.storage.save(Shop(id: 1, address: address))
        let shops = store.storage.query(Shop.self)
        let refused = await message { try await shops.updateAll { [$0.point.latitude.set(to: 1)] } }
        #expect(refused?.contains("'point_latitude' cannot be set: it belongs to an optional value") == true)
        #expect(try await shops.updateAll { [$0.address.city.set(to: "Lviv")] } == 1)
        #expect(try await shops.fetchOne()?.address.city == "Lviv")
    }

    @MainActor final class Screen {
        var label = "x"

        func relabel(_ query: Query<Measure>) async throws -> Int {
            let label = label
            return try await query.where { $0.count > 20 }.updateAll { [$0.label.set(to: label)] }
        }
    }

    @Test func aTypeOnTheMainActorUpdatesToo() async throws {
        #expect(try await Screen().relabel(query) == 2)
    }

    @Test func anOrderByNoColumnIsRefusedByEveryCall() async throws {
        let query = query.orderBy("nothing like it")
        let calls: [() async throws -> Void] = [
            { _ = try await query.fetch() }, { _ = try await query.count() }, { _ = try await query.exists() },
            { try await query.deleteAll() }, { try await query.updateAll { [$0.count.set(to: 1)] } },
            { _ = try await query.sum(\.count) }, { _ = try await query.min(\.count) },
            { _ = try await query.distinct(\.count) }, { _ = try await query.page(limit: 1) },
            { for try await _ in query.limit(0).stream() {} },
        ]
        for (index, call) in calls.enumerated() {
            #expect(await message(call)?.contains("nothing like it") == true, "\(index)")
        }
        #expect(try await self.query.count() == 4)
    }

    // MARK: Pages

    /// The id is looked at as it stands in the row, and not as it would be saved.
    @Test func rowsThatRawSQLWroteInAnotherFormArePagedThrough() async throws {
        let store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
        try await store.db.write { db in
            for number in 1...7 {
                let id = "6f2c8df4-2b0f-4c0a-9d2e-0a1b2c3d4e5\(number)"
                try db.execute(
                    sql: "INSERT INTO notes (id, at, updatedAt) VALUES (?, '2026-01-02 03:04:05', CURRENT_TIMESTAMP)",
                    arguments: [id])
            }
        }
        let notes = store.storage.query(Note.self).orderBy(\.at)
        let seen = try await allPages { try await notes.page(after: $0, limit: 3) }.joined().map(\.id)
        #expect(seen.count == 7)
        #expect(Set(seen).count == 7)
    }

    @StorageEntity
    struct Note {
        var id: UUID
        var at: Date
    }

    @Test func aPageBeginsAtItsCursorInTheIndex() async throws {
        let log = StatementLog()
        let store = try TemporaryStore(log: log) { $0.autoSchema(MeasureRecord.self) }
        try await store.storage.save(try await query.fetch())
        try await store.db.write { db in
            try db.create(index: "byCount", on: "measures", columns: ["count"])
            try db.create(index: "byLevel", on: "measures", columns: ["level", "id"])
        }
        let query = store.storage.query(Measure.self)
        for (query, index) in [
            (query, "PRIMARY KEY"), (query.orderBy(\.count), "byCount"), (query.orderBy(\.level), "byLevel"),
            (query.orderBy(\.level, .descending), "byLevel"), (query.orderBy(\.level, nulls: .last), "byLevel"),
        ] {
            // Of each page the statements that it takes: one, and a second where it has NULLs and other values.
            var cursor: PageCursor?
            repeat {
                let last = cursor
                let statements = try await log.during { cursor = try await query.page(after: last, limit: 1).next }.sql
                for sql in statements where last != nil && sql.hasPrefix("SELECT") {
                    let plan = try await store.db.read { db in
                        let values = StatementArguments(sql.filter { $0 == "?" }.map { _ in String?.none })
                        let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: values)
                        return plan.map { $0["detail"] as String }
                    }
                    #expect(
                        plan.count == 1 && plan[0].hasPrefix("SEARCH") && plan[0].contains(index), "\(sql): \(plan)")
                }
            } while cursor != nil
        }
    }

    @Test func pagesGoOnWhereTheLastOneEndedWhateverHappensBetween() async throws {
        let ordered = query.orderBy(\.level, nulls: .last).orderBy(\.count, .descending)
        let first = try await ordered.page(limit: 2)
        #expect(first.items.map(\.id) == [4, 2])
        #expect(first.hasMore)
        try await store.storage.delete(Measure.self, id: 4)
        let second = try await ordered.page(after: first.next, limit: 2)
        #expect(second.items.map(\.id) == [3, 1])
        #expect(second.next == nil)
    }

    @Test func aCursorWithANumberThatSQLiteHasNotIsNone() {
        // The order `x`, and the bits of 1 or of NaN.
        #expect(PageCursor(text: "eyJvcmRlciI6IngiLCJ2YWx1ZXMiOlsicjQ2MDcxODI0MTg4MDAwMTc0MDgiXX0") != nil)
        #expect(PageCursor(text: "eyJvcmRlciI6IngiLCJ2YWx1ZXMiOlsicjkyMjExMjAyMzcwNDEwOTA1NjAiXX0") == nil)
    }

    @Test func aCursorSurvivesTextAndJSON() async throws {
        let next = try #require(try await query.orderBy(\.weight, .descending).page(limit: 2).next)
        #expect(PageCursor(text: next.text) == next)
        #expect(try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(next)) == next)
        #expect(next.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        var measure = try #require(try await query.fetchOne())
        measure.label = "\u{301}combining"
        try await store.storage.save(measure)
        let odd = try #require(try await query.orderBy(\.label, .descending).page(limit: 1).next)
        #expect(PageCursor(text: odd.text) == odd)
        #expect(!"\(odd)".contains("combining"))
        for text in ["", "x", "AAAA", next.text + "A", String(next.text.dropLast(4)), "🎈"] {
            let cursor = PageCursor(text: text)
            #expect(cursor == nil || cursor != next)
        }
    }

    @Test func aForeignCursorIsRefused() async throws {
        let other = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await other.storage.save([TestUser("1"), TestUser("2")])
        let foreign = try await other.storage.query(TestUser.self).page(limit: 1).next
        let byCount = try await query.orderBy(\.count).page(limit: 1).next
        let falling = try await query.orderBy(\.count, .descending).page(limit: 1).next
        for cursor in [foreign, falling] {
            let message = await message { _ = try await query.orderBy(\.count).page(after: cursor, limit: 1) }
            #expect(message?.contains("another table or order") == true)
        }
        #expect(try await query.orderBy(\.count).page(after: byCount, limit: 9).items.map(\.id) == [2, 3, 4])
    }

    @Test func aCursorBehindNullsThatStandFirstIsNoneWhereTheyStandLast() async throws {
        let cursor = try await query.orderBy(\.weight, nulls: .first).page(limit: 1).next
        let last = query.orderBy(\.weight, nulls: .last)
        let message = await message { _ = try await last.page(after: cursor, limit: 1) }
        #expect(message?.contains("another table or order") == true)
    }

    @Test func badInputIsAnErrorAndNeverATrap() async throws {
        #expect(await message { _ = try await query.page(limit: 0) } != nil)
        #expect(await message { _ = try await query.page(limit: -1) } != nil)
        #expect(await message { _ = try await query.limit(3).page(limit: 1) } != nil)
        #expect(await message { _ = try await query.offset(3).page(limit: 1) } != nil)
        #expect(await message { _ = try await query.limit(-1).fetch() } != nil)
        #expect(await message { _ = try await query.offset(-1).count() } != nil)
        #expect(await message { _ = try await query.limit(-1).updateAll { [$0.count.set(to: 1)] } } != nil)
        #expect(
            await message { _ = try await query.orderBy("labl").fetch() }?.contains("did you mean 'label'?") == true)
        #expect(await message { for try await _ in query.limit(-1).stream() {} } != nil)
        #expect(await message { for try await _ in query.offset(-1).stream() {} } != nil)
        #expect(await message { for try await _ in query.orderBy("x; DROP").stream() {} } != nil)
        #expect(try await query.page(limit: .max).items.count == 4)
    }

    // MARK: Streams

    /// Rows beside those that are there, many of them with one count.
    private func saveMore(_ ids: ClosedRange<Int>) async throws {
        try await store.storage.save(
            ids.map { id in
                Measure(
                    id: id, count: id % 7, small: 0, big: 0, weight: nil, price: 0, at: .distantPast, level: nil,
                    label: "")
            })
    }

    private func ids(_ stream: RowStream<Measure>) async throws -> [Int] {
        var ids: [Int] = []
        for try await measure in stream { ids.append(measure.id) }
        return ids
    }

    @Test func aStreamKeepsOrderLimitAndOffset() async throws {
        try await saveMore(5...1000)
        let all = try await query.orderBy(\.count).orderBy(\.id).fetch().map(\.id)
        let ordered = query.orderBy(\.count).orderBy(\.id)
        #expect(try await ids(ordered.stream()) == all)
        #expect(try await ids(ordered.limit(300).offset(299).stream()) == Array(all[299..<599]))
        #expect(try await ids(ordered.limit(256).stream()) == Array(all.prefix(256)))
        #expect(try await ids(ordered.limit(0).stream()) == [])
        #expect(try await ids(ordered.offset(2000).stream()) == [])
        #expect(try await ids(query.where { $0.count < 0 }.stream()) == [])
    }

    @Test func aStreamSeesTheDatabaseAsItWasWhenItBegan() async throws {
        try await saveMore(5...600)
        var seen: [Int] = []
        for try await measure in query.orderBy(\.id).stream() {
            seen.append(measure.id)
            if seen.count == 1 { #expect(try await query.where { $0.id > 1 }.deleteAll() == 599) }
        }
        #expect(seen == Array(1...600))
        #expect(try await query.count() == 1)
    }

    @Test func aStreamOfADatabaseInMemoryGivesAllRowsOfItsBeginningToo() async throws {
        let context = try StorageKit.startInMemory { $0.autoSchema(MeasureRecord.self) }
        let measures = try await query.orderBy(\.id).fetch()
        try await context.facade.save(measures)
        let stored = context.facade.query(Measure.self)
        var seen: [Measure] = []
        for try await measure in stored.orderBy(\.id).stream() {
            seen.append(measure)
            try await stored.deleteAll()
        }
        #expect(seen == measures)
    }

    @Test func aStreamFindsAndSortsItsRowsOnce() async throws {
        try await saveMore(5...600)
        let places = query.orderBy(\.id).select {
            $0.sql("row_number() OVER (ORDER BY \($0.count) DESC, \($0.id))", as: Int.self)
        }
        var seen: [Int] = []
        for try await place in places.stream() { seen.append(place) }
        #expect(seen == (try await places.fetch()))
        #expect(seen.sorted() == Array(1...600))
    }

    @Test func aStreamEndsWithTheRowThatCannotBeRead() async throws {
        try await saveMore(5...600)
        try await store.db.write { try $0.execute(sql: "UPDATE measures SET at = 'never' WHERE id = 400") }
        var walk = query.orderBy(\.id).stream().makeAsyncIterator()
        var seen = 0
        let error = await storageError { while try await walk.next() != nil { seen += 1 } }
        #expect(seen == 256)
        #expect(error?.localizedDescription.contains("'at'") == true)
        #expect(try await walk.next() == nil)
    }

    @Test func anErrorBehindTheFirstRowsIsOneOfTheWholeFetchOrStream() async throws {
        try await store.db.write { try $0.execute(sql: "UPDATE measures SET label = iif(id = 4, '{', '1')") }
        let parsed = query.orderBy(\.id).select { $0.sql("json(\($0.label))", as: String.self) }
        #expect(try await parsed.fetchOne() == "1")
        await #expect(throws: StorageError.self) { try await parsed.fetch() }
        await #expect(throws: StorageError.self) { for try await _ in parsed.stream() {} }
    }

    @Test func aStreamThatIsLeftHoldsNoStateOfTheFile() async throws {
        try await saveMore(5...600)
        for try await measure in query.orderBy(\.count).stream() where measure.id > 2 { break }
        try await query.deleteAll()
        let isBusy = try await store.db.pool.writeWithoutTransaction { db in
            try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        #expect(isBusy == false)
    }

    // MARK: Hostile text

    static let hostile = [
        "'; DROP TABLE measures; --", "\" OR 1=1", "%", "_", "\\", "\0", "a\0b", "'", "\"\"", ";", "\u{202E}abc", "🎈",
        String(repeating: "x'\"%_\0é", count: 120_000),
    ]

    @Test(arguments: hostile.indices) func hostileTextIsOnlyText(index: Int) async throws {
        let text = QueryActionTests.hostile[index]
        var measure = try #require(try await query.fetchOne())
        measure.label = text
        try await store.storage.save(measure)
        let found = [
            query.where { $0.label == text }, query.where { $0.label.contains(text) },
            query.where { $0.label.hasPrefix(text) }, query.where { $0.label.hasSuffix(text) },
            query.where { $0.label.equalsIgnoringCase(text) }, query.where { $0.label.in([text]) },
            query.where { $0.label.contains(text, ignoringCase: true) },
        ]
        for query in found {
            #expect(try await query.fetch() == [measure])
            #expect(try await query.count() == 1)
            #expect(try !query.sql.sql.contains(text) || text.count == 1)
        }
        #expect(try await store.storage.repository(Measure.self).getAll(where: "label", equals: text) == [measure])
        #expect(await message { _ = try await query.orderBy(text).fetch() } != nil)
        #expect(await message { _ = try await query.where { Column<String>(text) == "x" }.fetch() } != nil)
        #expect(await message { _ = try await store.storage.all(Measure.self, orderBy: text) } != nil)
        #expect(try await query.where { $0.label == text }.updateAll { [$0.label.set(to: text + "!")] } == 1)
        #expect(try await query.count() == 4)
    }

    // MARK: - Numbers at their ends

    private func parcels() async throws -> TemporaryStore {
        let store = try TemporaryStore { $0.autoSchema(ParcelRecord.self) }
        try await store.storage.save([
            Parcel(id: 1, weight: .infinity, seal: Data(), code: .max, label: "", price: nil),
            Parcel(id: 2, weight: 1, seal: Data(), code: 1, label: "", price: nil),
        ])
        return store
    }

    @Test func aSumWithInfinityIsInfinite() async throws {
        let store = try await parcels()
        #expect(try await store.storage.query(Parcel.self).sum(\.weight) == .infinity)
    }

    @Test func aSumBeyondItsTypeIsToldWithItsColumn() async throws {
        let store = try await parcels()
        let query = store.storage.query(Parcel.self)
        let error = await storageError { _ = try await query.sum(\.code) }
        #expect(error?.localizedDescription.contains("the sum of 'code' is beyond the range of UInt64") == true)
    }

    @Test func aValueThatCannotBeSetIsToldWithItsColumn() async throws {
        let store = try await parcels()
        let query = store.storage.query(Parcel.self)
        let error = await storageError { _ = try await query.updateAll { [$0.weight.set(to: .nan)] } }
        #expect(error?.localizedDescription.contains("column 'weight'") == true, "\(error as Any)")
    }

    @Test func onAPageEqualValuesStandInTheOrderOfTheirIds() async throws {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        for id in ["c", "b", "a"] { try await store.storage.save(TestUser(id, name: "same")) }
        let page = try await store.storage.page(TestUser.self, orderBy: \.name, limit: 2)
        #expect(page.items.map(\.id) == ["a", "b"])
    }
}
