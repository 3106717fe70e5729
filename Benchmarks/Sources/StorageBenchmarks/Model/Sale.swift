import Foundation
import StorageKit

/// What shops belong to.
@StorageEntity
struct Region {
    var id: String
    var name: String
}

/// What sales refer to.
@StorageEntity
struct Shop {
    var id: String
    @StorageReference(Region.self) var regionId: String
    var name: String
    var isOpen: Bool
    var updatedAt: Date
    @StorageHasMany(foreignKey: "shopId") var sales: [Sale]
}

/// The rows of which there are many.
@StorageEntity
struct Sale {
    var id: String
    @StorageReference(Shop.self) var shopId: String
    var amount: Int
    var discount: Int
    var price: Double
    var note: String?
    var soldAt: Date
    var updatedAt: Date
}

/// Regions, their shops and the sales of those, the same in each run.
struct Sales: Sendable {
    let regions: [Region]
    let shops: [Shop]
    let sales: [Sale]

    /// - Parameters:
    ///   - count: How many sales.
    ///   - perShop: How many of them each shop has.
    ///   - shopsPerRegion: How many shops each region has. Every second shop is open.
    init(_ count: Int, perShop: Int, shopsPerRegion: Int) {
        var random = SeededRandom(seed: 15)
        let time = Date(timeIntervalSince1970: 1_760_000_000)
        let shopCount = max(1, count / perShop)
        shops = (0..<shopCount).map {
            Shop(
                id: "shop-\($0)", regionId: "region-\($0 / shopsPerRegion)", name: "The shop at \($0) High Street",
                isOpen: $0.isMultiple(of: 2), updatedAt: time)
        }
        regions = (0...(shopCount - 1) / shopsPerRegion).map { Region(id: "region-\($0)", name: "Region \($0)") }
        sales = (0..<count).map { number in
            let sold = time.addingTimeInterval(Double(Int.random(in: 0..<10_000_000, using: &random)))
            return Sale(
                id: "sale-\(number)", shopId: "shop-\(Int.random(in: 0..<shopCount, using: &random))",
                amount: Int.random(in: 1..<500, using: &random), discount: Int.random(in: 0..<50, using: &random),
                price: Double.random(in: 1..<1000, using: &random),
                note: Bool.random(using: &random) ? "to be fetched by the customer" : nil, soldAt: sold, updatedAt: sold
            )
        }
    }
}

extension Sale {
    /// The same sale with other values.
    func changed(_ round: Int) -> Sale {
        var sale = self
        sale.amount += 1 + round
        sale.updatedAt = updatedAt.addingTimeInterval(Double(round))
        return sale
    }

    var checksum: Int {
        id.utf8.count &+ amount &+ (note?.utf8.count ?? 0) &+ Int(soldAt.timeIntervalSince1970)
    }
}
