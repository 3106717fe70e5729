import Foundation
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "collated_bids") private struct Bid: Equatable {
    var id: Int
    var lot: Int
    var name: String
    var amount: Decimal
}

@StorageEntity(table: "collated_lots") private struct Lot: Equatable {
    var id: Int
    var number: Int
    var street: String
    var price: Decimal
}

/// Joins on what is one value in texts of two lengths: the filter of SQLite's before an index that it makes for a join takes them for two.
@Suite struct CollatedJoinTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(BidRecord.self, LotRecord.self) }
        try await storage.save(
            (1...300).map { Bid(id: $0, lot: $0 % 9, name: "ﬁeld", amount: $0 % 2 == 0 ? 0.5 : 7.25) })
        try await storage.save(
            (1...300).map { Lot(id: $0, number: $0 % 9, street: "FIELD", price: $0 % 2 == 0 ? 0.5 : 8) })
        // As another program may write a half.
        try await store.db.write { db in
            try db.execute(sql: "UPDATE collated_lots SET price = '0.50' WHERE price = '0.5'")
        }
    }

    private var pairs: Int { 150 * 150 }

    @Test func aJoinOnDecimalsFindsANumberInAnySpelling() async throws {
        let byEither = storage.query(Bid.self).join(Lot.self) { bid, lot in bid.amount == lot.price }
        #expect(try await byEither.count() == pairs)
        let byOther = storage.query(Lot.self).join(Bid.self) { lot, bid in (bid.amount + 0) == lot.price }
        #expect(try await byOther.count() == pairs)
    }

    @Test func aListOfDifferentDecimalsHasThoseThatItsQueryGives() async throws {
        try await store.db.write { db in
            try db.execute(sql: "UPDATE collated_lots SET price = '0.5' WHERE id = 2")
        }
        let lots = storage.query(Lot.self)
        let two = lots.orderBy(\.price).select(\.price).distinct().limit(2)
        #expect(try await two.fetch() == [0.5, 8])
        #expect(try await lots.where { $0.price.in(two) }.count() == 300)
    }

    @Test func aJoinInSQLFindsANumberInAnySpelling() async throws {
        let query = storage.query(Bid.self).join(Lot.self) { bid, lot in
            Column<Bool>(sql: "\(bid.amount) = \(lot.price)")
        }
        #expect(try await query.count() == pairs)
        let texts = storage.query(Bid.self).join(Lot.self) { bid, lot in
            Column<Bool>(sql: "\(bid.name.collated(.caseInsensitive)) = \(lot.street)")
        }
        #expect(try await texts.count() == 300 * 300)
    }

    @Test(arguments: [true, false]) func aLeftJoinOnADecimalFindsANumberInAnySpelling(isByList: Bool) async throws {
        let halves = storage.query(Bid.self).leftJoin(Lot.self) { bid, lot in
            bid.lot == lot.number && (isByList ? lot.price.in([0.5]) : lot.price == 0.5)
        }
        let met = try await halves.fetch()
        let lots = try await storage.query(Lot.self).fetch()
        let expected = try await storage.query(Bid.self).fetch().map { bid in
            max(1, lots.count { $0.number == bid.lot && $0.price == 0.5 })
        }
        #expect(met.count == expected.reduce(0, +))
    }

    @Test func aJoinOnTextsIgnoringCaseFindsAllSpellings() async throws {
        let query = storage.query(Bid.self).join(Lot.self) { bid, lot in
            bid.name.collated(.caseInsensitive) == lot.street
        }
        #expect(try await query.count() == 300 * 300)
        let right = storage.query(Bid.self).leftJoin(Lot.self) { bid, lot in
            bid.lot == lot.number && lot.street.collated(.caseInsensitive) == "ﬁeld"
        }
        #expect(try await right.where { $1.id != nil }.count() == right.count())
    }

    @Test func aJoinOnTextsOfWhichTheOtherIgnoresCaseFindsAllSpellings() async throws {
        let query = storage.query(Bid.self).join(Lot.self) { bid, lot in
            bid.name == lot.street.collated(.caseInsensitive)
        }
        #expect(try await query.count() == 300 * 300)
    }

    @Test func aQueryOfDecimalsHasANumberInAnySpelling() async throws {
        let prices = storage.query(Lot.self).select(\.price)
        #expect(try await storage.query(Bid.self).where { $0.amount.in(prices) }.count() == 150)
    }
}
