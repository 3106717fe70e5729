import GRDB
import StorageKit
import StorageSQLite
import StorageTestSupport
import Testing

@testable import StorageGRDB

@StorageEntity
struct Priced {
    var id: Int
    var price: Decimal
    var discount: Decimal?
}

@Suite struct DecimalTextTests {
    private static func random(_ generator: inout SeededGenerator) -> Decimal {
        let digits = (0..<Int.random(in: 1...38, using: &generator)).map { _ in
            String(Int.random(in: 0...9, using: &generator))
        }
        let significand = Decimal(string: digits.joined()) ?? 0
        let exponent = Int.random(in: -40...10, using: &generator)
        return Decimal(
            sign: Bool.random(using: &generator) ? .plus : .minus, exponent: exponent, significand: significand)
    }

    private func stored(_ value: Decimal) throws -> String {
        guard case .text(let text) = try value.storedValue() else { return "" }
        return text
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("100", "100"), ("-0.010", "-0.01"), ("1e3", "1000"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ])
    func aNumberHasOneText(number: String, text: String) throws {
        #expect(try stored(#require(Decimal(string: number))) == text)
    }

    @Test func allDigitsComeBack() throws {
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 2000, full: 200_000) {
            let value = DecimalTextTests.random(&generator)
            let row = RowReader(values: [.text(try stored(value))], names: ["price"])
            #expect(try Decimal.read(from: row, at: 0) == value, "seed \(generator.seed)")
        }
    }

    @Test func textsAreComparedAsTheirNumbers() throws {
        var generator = SeededGenerator()
        for _ in 0..<programCount(quick: 5000, full: 500_000) {
            let one = DecimalTextTests.random(&generator)
            let other = Bool.random(using: &generator) ? DecimalTextTests.random(&generator) : one + 1
            let expected: ComparisonResult =
                one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
            #expect(
                try compareDecimalTexts(stored(one), stored(other)) == expected,
                "seed \(generator.seed): \(one), \(other)")
        }
    }

    @Test(arguments: [
        ("5.00", "5"), ("0.10", "0.1"), ("-3.0", "-3"), ("007", "7"), (".5", "0.5"), ("+9", "9"), ("-0", "0"),
        ("-007.50", "-7.5"),
        ("7.", "7"), ("00", "0.0"),
    ])
    func needlessZerosOfRawSQLMakeNoDifference(left: String, right: String) {
        #expect(compareDecimalTexts(left, right) == .orderedSame)
    }

    @Test(arguments: [
        ("007", "50"), (".5", "1"), ("-0", "0.1"), ("-00.5", "-0"), ("-7", "+7"), ("-10", "-09"), ("+9", "010"),
    ])
    func anySpellingIsComparedAsItsNumber(less: String, greater: String) {
        #expect(compareDecimalTexts(less, greater) == .orderedAscending)
        #expect(compareDecimalTexts(greater, less) == .orderedDescending)
    }

    /// As an index of an app's own needs them, whatever raw SQL has written.
    @Test func allTextsHaveOneOrder() {
        let texts = [
            "1e9", "1e400", "99999999", "1.0e+200", "1e2x", "hello 5e", "12", "0.5", "-1e3", "-5", "1e-3", "east", "zz",
            "1e",
            "5 apples", "1e127", "1.", ".5", "-.5e1", "+3", "1e5 ", "100000", " 7", "7", "--5", "-0", "0.0e0", "",
        ]
        let sorted = texts.sorted { compareDecimalTexts($0, $1) == .orderedAscending }
        for (place, one) in sorted.enumerated() {
            for other in sorted[place...] {
                #expect(compareDecimalTexts(one, other) != .orderedDescending, "\(one), \(other)")
                #expect(compareDecimalTexts(other, one) != .orderedAscending, "\(one), \(other)")
            }
        }
        #expect(compareDecimalTexts("east", "0") == .orderedDescending)
        #expect(compareDecimalTexts("1e400", "99999999") == .orderedDescending)
    }

    @Test(arguments: ["", "-", "+", "x"]) func aTextThatIsNoNumberIsNotZero(text: String) {
        #expect(compareDecimalTexts(text, "0") != .orderedSame)
        #expect(compareDecimalTexts("-0", text) != .orderedSame)
    }

    @Test(arguments: [
        (StoredValue.integer(7), "7"), (.real(0.1), "0.1"), (.real(1e22), "1e22"), (.text("+1.5E1"), "15"),
    ])
    func numbersThatRawSQLWroteAreRead(value: StoredValue, number: String) throws {
        let row = RowReader(values: [value], names: ["price"])
        #expect(try Decimal.read(from: row, at: 0) == #require(Decimal(string: number)))
    }

    @Test(arguments: ["", ".", "-", "1.2.3", "1e", "12 apples", "NaN", "٣", "0x10", "1,5", " 1"])
    func whatIsNoNumberIsNotRead(text: String) {
        let row = RowReader(values: [.text(text)], names: ["price"])
        #expect(throws: ColumnDecodingError.self) { try Decimal.read(from: row, at: 0) }
    }

    @Test(arguments: [Double.infinity, -.infinity]) func anInfiniteNumberIsNotRead(number: Double) {
        let row = RowReader(values: [.real(number)], names: ["price"])
        #expect(throws: ColumnDecodingError.self) { try Decimal.read(from: row, at: 0) }
    }
}

@Suite struct DecimalQueryTests {
    private static let prices = ["9", "10", "-2", "0.5", "100", "-10.25", "9.000000000000000000001", "0"].map {
        Decimal(string: $0) ?? 0
    }

    private func check(_ repository: GenericRepository<Priced, PricedRecord>) async throws {
        let prices = DecimalQueryTests.prices
        for (id, price) in prices.enumerated() {
            try await repository.put(Priced(id: id, price: price, discount: price == 9 ? nil : price))
        }
        #expect(try await repository.getAll(orderBy: "price").map(\.price) == prices.sorted())
        #expect(
            try await repository.getAll(orderBy: "price", ascending: false).map(\.price) == prices.sorted().reversed())
        func found(_ predicate: Predicate) async throws -> [Decimal] {
            var plan = repository.table.plan
            plan.add(predicate.node)
            plan.sort(by: "price", .ascending)
            let fetched = try await repository.run(repository.table.all(plan)).map(\.price)
            #expect(try await repository.run(repository.table.count(plan)) == fetched.count)
            return fetched
        }
        let price = Column<Decimal>("price")
        for bound in prices {
            #expect(try await found(price > bound) == prices.filter { $0 > bound }.sorted())
            #expect(try await found(price >= bound) == prices.filter { $0 >= bound }.sorted())
            #expect(try await found(price < bound) == prices.filter { $0 < bound }.sorted())
            #expect(try await found(price <= bound) == prices.filter { $0 <= bound }.sorted())
            #expect(try await found(price == bound) == [bound])
            #expect(try await found(price != bound) == prices.filter { $0 != bound }.sorted())
        }
        #expect(try await found(Column<Int>("price") > 9) == prices.filter { $0 > 9 }.sorted())
        #expect(try await found(Column<Double>("price") < 0.75) == prices.filter { $0 < 0.75 }.sorted())
        #expect(try await found(Column<Decimal?>("discount") == nil) == [9])
        #expect(try await found(Column<Decimal?>("discount") > 9) == prices.filter { $0 > 9 }.sorted())
        #expect(try await repository.getAll(where: "price", equals: "9.0").map(\.price) == [9])
        var plan = repository.table.plan
        plan.sort(by: "price", .descending)
        plan.limit = 2
        #expect(try await repository.run(repository.table.deletion(plan)) == 2)
        #expect(try await repository.getAll(orderBy: "price").map(\.price) == prices.sorted().dropLast(2))
    }

    @Test func decimalsCompareAndSortAsNumbersInAStore() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        try await check(store.storage.repository(Priced.self))
    }

    @Test func andInADatabaseThatTheAppOpenedItself() async throws {
        let queue = try DatabaseQueue()
        try await queue.write { db in try PricedRecord.createTable(in: db) }
        try await check(GenericRepository(db: DatabaseActor(pool: queue)))
    }

    @Test func rawSQLMayUseTheCollation() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        try await store.storage.save([Priced(id: 1, price: 10), Priced(id: 2, price: 9)])
        let ids = try await store.db.read { db in
            try Int.fetchAll(db, sql: "SELECT id FROM priceds ORDER BY price COLLATE storagekit_decimal")
        }
        #expect(ids == [2, 1])
    }

    @Test func numbersThatRawSQLWroteAreComparedAsNumbers() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        try await store.storage.save([Priced(id: 1, price: 0), Priced(id: 2, price: 0)])
        try await store.db.write { db in
            try db.execute(
                sql: "UPDATE priceds SET price = '5.00' WHERE id = 1; UPDATE priceds SET price = 1e20 WHERE id = 2")
        }
        let query = store.storage.query(Priced.self)
        #expect(try await query.where { $0.price == 5 }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.price != 5 }.fetch().map(\.id) == [2])
        #expect(try await query.where { $0.price > 7 }.fetch().map(\.id) == [2])
        #expect(try await query.orderBy("price").fetch().map(\.id) == [1, 2])
    }

    @Test func whatGRDBWritesForADecimalIsTheSameText() async throws {
        let store = try TemporaryStore { $0.autoSchema(PricedRecord.self) }
        let price = try #require(Decimal(string: "1234567890.0987654321"))
        try await store.db.write { db in
            try db.execute(
                sql: "INSERT INTO priceds (id, price, updatedAt) VALUES (1, ?, CURRENT_TIMESTAMP)", arguments: [price])
        }
        let query = store.storage.query(Priced.self).where { $0.price == price }
        #expect(try await query.fetch().map(\.price) == [price])
    }
}
