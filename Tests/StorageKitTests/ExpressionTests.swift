import StorageKit
import StorageTestSupport
import Testing

/// What queries calculate and compare, beside the same in Swift.
@Suite struct ExpressionTests {
    enum Grade: String, Codable, Sendable, CaseIterable { case plain, fine }

    @StorageEntity
    struct Parcel {
        var id: Int
        var width: Int
        var height: Int?
        var weight: Double
        var label: String
        var nickname: String?
        var grade: Grade
        var wish: Grade?
        var isSent: Bool
        var isInsured: Bool?
        var sentAt: Date
        var seenAt: Date?
    }

    private let store: TemporaryStore
    private let parcels: [Parcel]
    private var query: Query<Parcel> { store.storage.query(Parcel.self).orderBy(\.id) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(ParcelRecord.self) }
        parcels = (0..<48).map(Self.parcel)
        try await store.storage.save(parcels)
    }

    private static func parcel(_ number: Int) -> Parcel {
        let day = Date(timeIntervalSince1970: 1_767_323_045)
        let (height, weight) = (number % 4, Double(number % 6) / 4)
        let wish: Grade = number % 3 == 0 ? .plain : .fine
        let (isThird, isSecond) = (number % 3 == 0, number % 2 == 0)
        let seenAt = day + Double(number % 5) / 2
        return Parcel(
            id: number, width: number % 5, height: isThird ? nil : height, weight: weight, label: "p\(number % 7)",
            nickname: isSecond ? nil : "p\(number % 3)", grade: isSecond ? .plain : .fine,
            wish: height == 0 ? nil : wish, isSent: number % 5 == 0, isInsured: isThird ? nil : isSecond,
            sentAt: day + Double(number % 3), seenAt: height == 0 ? nil : seenAt)
    }

    /// The condition and its opposite find what Swift finds.
    private func check(
        _ condition: Predicate, _ line: Int = #line, _ holds: (Parcel) -> Bool
    ) async throws {
        let found = try await query.where { _ in condition }.fetch().map(\.id)
        #expect(found == parcels.filter(holds).map(\.id), "line \(line)")
        let others = try await query.where { _ in !condition }.fetch().map(\.id)
        #expect(others == parcels.filter { !holds($0) }.map(\.id), "line \(line)")
    }

    private let row = Parcel.storageColumns

    private func isBefore<T: Comparable>(_ left: T?, _ right: T?) -> Bool {
        if let left, let right { left < right } else { false }
    }

    @Test(arguments: ["2", " 2 ", "(2)", "((+2))", "0x2"]) func aNumberInSQLIsNoColumnsNumber(sql: String) async throws
    {
        let store = try TemporaryStore { $0.autoSchema(TestUserRecord.self) }
        try await store.storage.save([TestUser("1", name: "b"), TestUser("2", name: "a")])
        let users = store.storage.query(TestUser.self)
        let sorted = users.orderBy({ _ in Column<Int>(sql: SQLText(stringLiteral: sql)) }).orderBy(\.id)
        #expect(try await sorted.fetch().map(\.id) == ["1", "2"])
        let groups = try await users.group { _ in Column<Int>(sql: SQLText(stringLiteral: sql)) }.select { $0.count() }
            .fetch()
        #expect(groups == [2])
    }

    @Test func twoColumnsAreComparedAsInSwift() async throws {
        try await check(row.width == row.height) { $0.width == $0.height }
        try await check(row.height != row.width) { $0.height != $0.width }
        try await check(row.height < row.width) { isBefore($0.height, $0.width) }
        try await check(row.width <= row.height) { parcel in parcel.height.map { parcel.width <= $0 } ?? false }
        try await check(row.label == row.nickname) { $0.label == $0.nickname }
        try await check(row.label > row.nickname) { isBefore($0.nickname, $0.label) }
        try await check(row.grade == row.wish) { $0.grade == $0.wish }
        try await check(row.sentAt == row.seenAt) { $0.sentAt == $0.seenAt }
        try await check(row.sentAt < row.seenAt) { isBefore($0.sentAt, $0.seenAt) }
        try await check(row.isSent == row.isInsured) { $0.isSent == $0.isInsured }
    }

    @Test func datesInTwoSpellingsAreOneTime() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE parcels SET sentAt = substr(sentAt, 1, 19)") }
        try await check(row.sentAt == row.seenAt) { $0.sentAt == $0.seenAt }
        try await check(row.seenAt < row.sentAt) { isBefore($0.seenAt, $0.sentAt) }
        try await check((row.seenAt ?? row.sentAt) == row.sentAt) { ($0.seenAt ?? $0.sentAt) == $0.sentAt }
    }

    @Test func aNumberThatTheAppsSQLGivesAsABoolIsTrueUnlessItIsZero() async throws {
        let bit = Column<Bool?>(sql: "\(row.height) & 2")
        let holds = { (parcel: Parcel) in parcel.height.map { $0 & 2 != 0 } }
        try await check(bit.predicate) { holds($0) == true }
        try await check(bit == nil) { holds($0) == nil }
        try await check(bit == false) { holds($0) == false }
        #expect(try await query.select { _ in bit }.fetch() == parcels.map(holds))
        let words = query.select { _ in bit.then("y", else: "n") }
        #expect(try await words.fetch() == parcels.map { holds($0) == true ? "y" : "n" })
        try await query.updateAll { [$0.isInsured.set(to: bit)] }
        #expect(
            try await query.where { $0.isInsured == true }.fetch().map(\.id)
                == parcels.filter { holds($0) == true }.map(\.id))
    }

    @Test func aBoolThatMayBeNilIsFalseWhereItIsNil() async throws {
        try await check(row.isInsured && row.isSent) { $0.isInsured == true && $0.isSent }
        try await check(row.isInsured || row.isSent) { $0.isInsured == true || $0.isSent }
        try await check(!row.isInsured) { $0.isInsured != true }
        #expect(
            try await query.where { $0.isInsured }.fetch().map(\.id)
                == parcels.filter { $0.isInsured == true }.map(\.id))
    }

    @Test func numbersAreCalculatedWith() async throws {
        try await check(row.width * 2 - 1 > 3) { $0.width * 2 - 1 > 3 }
        try await check(row.width + row.width * row.width == 6) { $0.width + $0.width * $0.width == 6 }
        try await check(10 - row.width < 7) { 10 - $0.width < 7 }
        try await check(row.weight * 2.0 >= 1.5) { $0.weight * 2 >= 1.5 }
        try await check(-row.width < -2) { -$0.width < -2 }
        try await check(-row.weight > -1 && -(-row.height) == row.height) { -$0.weight > -1 }
        try await check(row.height + 1 == 3) { $0.height.map { $0 + 1 } == 3 }
        try await check(row.height + 1 == nil) { $0.height == nil }
        try await check(row.width + row.height > 4) { parcel in parcel.height.map { parcel.width + $0 > 4 } ?? false }
        try await check(7 / row.width == 3) { $0.width != 0 && 7 / $0.width == 3 }
        try await check(row.width / row.height == nil) { $0.height == nil || $0.height == 0 }
    }

    @Test func whatIsNoNumberIsNotGreaterThanAnyAndUnequalToAll() async throws {
        var parcel = parcels[0]
        parcel.weight = .infinity
        try await store.storage.save(parcel)
        let difference = row.weight - row.weight
        let conditions: [Predicate] = [!(difference > 0), difference != 1]
        for condition in conditions {
            #expect(try await query.where { _ in condition }.fetchOne()?.id == 0)
        }
    }

    @Test func textsAreJoined() async throws {
        try await check(row.label + "!" == "p3!") { $0.label == "p3" }
        try await check("<" + row.label + row.label == "<p1p1") { $0.label == "p1" }
    }

    @Test func nilHasAnotherValueInItsPlace() async throws {
        try await check((row.height ?? 9) > 2) { ($0.height ?? 9) > 2 }
        try await check((row.nickname ?? row.label) == "p1") { ($0.nickname ?? $0.label) == "p1" }
        try await check((row.wish ?? .fine) == .fine) { ($0.wish ?? .fine) == .fine }
    }

    @Test func oneOfTwoValuesIsChosen() async throws {
        try await check(row.isSent.then(2, else: row.width) == 2) { ($0.isSent ? 2 : $0.width) == 2 }
        try await check((row.height > 1).then("a", else: "b") == "a") { isBefore(1, $0.height) }
        try await check(row.isInsured.then("a", else: "b") == "b") { $0.isInsured != true }
        try await check(row.isSent.then(Grade.fine, else: row.grade) == .fine) { $0.isSent || $0.grade == .fine }
    }

    @Test func aColumnIsChosenOrElseAValue() async throws {
        try await check(row.isSent.then(row.width, else: 2) == 2) { ($0.isSent ? $0.width : 2) == 2 }
        try await check(row.isSent.then(row.grade, else: Grade.fine) == .fine) { !$0.isSent || $0.grade == .fine }
    }

    @Test func theLesserAndTheGreaterOfTwoRawValuesGoByWhatIsStored() async throws {
        let (greatest, least) = (max(row.grade, .fine), min(.plain, row.grade))
        try await check(greatest == .plain) { $0.grade == .plain }
        try await check(least == .fine) { $0.grade == .fine }
        let (greatestIfAny, leastIfAny) = (max(.fine, row.wish), min(row.wish, .plain))
        try await check(greatestIfAny == .plain) { $0.wish == .plain }
        try await check(leastIfAny == nil) { $0.wish == nil }
        let grades = try await query.select { max($0.grade, .fine) }.fetch()
        #expect(grades == parcels.map(\.grade))
        let wishes = try await query.select { min($0.wish, .plain) }.fetch()
        #expect(wishes == parcels.map(\.wish))
    }

    @Test func nothingIsLessThanNilNorGreater() async throws {
        let none: Int? = nil
        try await check(row.width.optional < none) { _ in false }
        try await check(row.height >= none) { _ in false }
    }

    @Test func aConditionIsAValue() async throws {
        try await check((row.height > 1) == row.isSent) { isBefore(1, $0.height) == $0.isSent }
        try await check((row.height > 1) == false) { !isBefore(1, $0.height) }
        let isHigh = Predicate(sql: "\(row.height) > 1")
        try await check(isHigh == false) { !isBefore(1, $0.height) }
        #expect(try await query.select { _ in isHigh }.fetch() == parcels.map { isBefore(1, $0.height) })
        #expect(
            try await query.select { $0.sql("\($0.height) > 1", as: Bool?.self) }.fetch()
                == parcels.map { $0.height.map { $0 > 1 } })
        try await query.updateAll { [$0.isSent.set(to: isHigh)] }
        #expect(try await query.fetch().map(\.isSent) == parcels.map { isBefore(1, $0.height) })
    }

    @Test func aNumberBecomesAnother() async throws {
        try await check(row.width.as(Double.self) / 2.0 == 1.5) { Double($0.width) / 2 == 1.5 }
        try await check(row.weight.as(Int.self) == 1) { Int($0.weight) == 1 }
        try await check(row.height.as(String.self) == "2") { $0.height == 2 }
    }

    @Test func conditionsArePutTogetherAtRunTime() async throws {
        try await check([row.isSent, row.width > 1].all) { $0.isSent && $0.width > 1 }
        try await check([row.isSent, row.width > 1].any) { $0.isSent || $0.width > 1 }
        try await check([Predicate]().all) { _ in true }
        try await check([Predicate]().any) { _ in false }
        try await check(Predicate(true) && row.isSent) { $0.isSent }
    }

    @Test func theAppsSQLTakesColumnsAndValues() async throws {
        let width = 2
        try await check(Predicate(sql: "\(row.width) IN (1, \(width))")) { [1, 2].contains($0.width) }
        try await check(Predicate(sql: "\(row.height) > \(width)")) { isBefore(2, $0.height) }
        try await check(Predicate(sql: "\(row.grade) = \(Grade.fine)")) { $0.grade == .fine }
        let hostile = "') OR ('1' = '1"
        try await check(Predicate(sql: "\(row.label) = \(hostile)")) { _ in false }
        #expect(
            try await query.where { $0.sql("length(\($0.label))", as: Int.self) == 2 }.count() == parcels.count)
    }

    @Test func rowsAreSortedByWhatIsCalculated() async throws {
        let sorted = try await store.storage.query(Parcel.self)
            .orderBy({ $0.width * 3 - $0.width }, .descending).orderBy({ $0.height + 1 }, nulls: .last).orderBy(\.id)
            .fetch().map(\.id)
        let expected = parcels.sorted {
            ($1.width, $0.height ?? 9, $0.id) < ($0.width, $1.height ?? 9, $1.id)
        }
        #expect(sorted == expected.map(\.id))
    }

    @Test func pagesGoOnInAnOrderThatIsCalculated() async throws {
        let ordered = store.storage.query(Parcel.self).orderBy({ ($0.height ?? 2) * $0.width }, .descending)
        let all = try await ordered.orderBy(\.id, .descending).fetch().map(\.id)
        #expect(try await allPages { try await ordered.page(after: $0, limit: 5) }.joined().map(\.id) == all)
        let other = try await store.storage.query(Parcel.self).orderBy({ ($0.height ?? 3) * $0.width }).page(limit: 5)
        await #expect(throws: StorageError.self) { try await ordered.page(after: other.next, limit: 5) }
    }

    @Test func columnsAreSetToWhatIsCalculated() async throws {
        try await query.where { $0.isSent }.updateAll {
            [$0.width.set(to: $0.width + 1), $0.height.set(to: $0.width), $0.nickname.set(to: $0.label + "?")]
        }
        for (old, new) in zip(parcels, try await query.fetch()) {
            #expect(new.width == (old.isSent ? old.width + 1 : old.width))
            #expect(new.height == (old.isSent ? old.width : old.height))
            #expect(new.nickname == (old.isSent ? old.label + "?" : old.nickname))
        }
    }

    @Test func aLiveListFollowsAConditionOnTwoColumns() async throws {
        let probe = StreamProbe(query.where { $0.width == $0.height }.observe())
        let first = try await probe.next()
        #expect(first.map(\.id) == parcels.filter { $0.width == $0.height }.map(\.id))
        var parcel = parcels[0]
        (parcel.width, parcel.height) = (8, 8)
        try await store.storage.save(parcel)
        #expect(try await probe.next().first?.id == 0)
    }
}
