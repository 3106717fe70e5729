import Foundation
import StorageKit
import StorageTestSupport
import Testing

/// What an analyst asks of eight tables, without SQL text, beside the same in plain Swift.
@Suite struct AnalystTests {
    private let shop = Shop()
    private let store: TemporaryStore

    private var buyers: Query<Buyer> { store.storage.query(Buyer.self) }
    private var categories: Query<Category> { store.storage.query(Category.self) }
    private var products: Query<Product> { store.storage.query(Product.self) }
    private var purchases: Query<Purchase> { store.storage.query(Purchase.self) }
    private var lines: Query<PurchaseLine> { store.storage.query(PurchaseLine.self) }

    init() async throws {
        store = try await shop.store()
    }

    // MARK: - Groups of groups

    @Test func howManyBuyersMadeHowManyPurchases() async throws {
        let found = try await buyers.group { $0.purchases.count() }.orderBy { $0.purchases.count() }
            .select { ($0.purchases.count(), $0.count()) }.fetch()
        let wanted = Dictionary(grouping: shop.buyers) { shop.purchases(of: $0).count }.mapValues(\.count)
        #expect(Dictionary(uniqueKeysWithValues: found) == wanted)
        #expect(found.map(\.0) == wanted.keys.sorted())
    }

    @Test func whatABuyerOfEachRegionSpendsOnAverage() async throws {
        let found = try await buyers.group(by: \.region.name).orderBy(\.region.name)
            .select { ($0.region.name, $0.avg { $0.purchases.sum { $0.lines.sum { $0.amount } } }) }.fetch()
        let wanted = Dictionary(grouping: shop.buyers, by: \.regionId).map { region, buyers in
            (region.map { "region \($0)" }, Double(buyers.map(shop.amount(of:)).reduce(0, +)) / Double(buyers.count))
        }.sorted { ($0.0 ?? "") < ($1.0 ?? "") }
        #expect(found.map(\.0) == wanted.map(\.0))
        #expect(zip(found, wanted).allSatisfy { abs(($0.1 ?? 0) - $1.1) < 1e-9 }, "\(found) \(wanted)")
    }

    @Test func howManyBuyersCameFirstInEachMonth() async throws {
        let found = try await buyers.where { $0.purchases.exists() }.group { $0.purchases.min(\.date).month }
            .orderBy { $0.purchases.min(\.date).month }
            .select { ($0.purchases.min(\.date).month, $0.count()) }.fetch()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let firsts = shop.buyers.compactMap { shop.purchases(of: $0).map(\.date).min() }
        let wanted = Dictionary(grouping: firsts) { calendar.component(.month, from: $0) }.mapValues(\.count)
        #expect(found.map(\.0) == wanted.keys.sorted().map { $0 })
        #expect(found.map(\.1) == wanted.sorted { $0.key < $1.key }.map(\.value))
    }

    // MARK: - Shares of a total

    @Test func theShareOfEachCategoryInAllSales() async throws {
        let all = lines.aggregate { $0.sum { $0.amount } }.value
        let found = try await lines.group(by: \.product.category.name).orderBy(\.product.category.name)
            .select { ($0.product.category.name, 100 * $0.sum { $0.amount } / all) }.fetch()
        let total = shop.lines.amount
        let wanted = Dictionary(grouping: shop.lines) { shop.product(of: $0).categoryId }
            .map { ("category \($0)", 100 * $1.amount / total) }.sorted { $0.0 < $1.0 }
        #expect(found.map(\.0) == wanted.map(\.0))
        #expect(found.map(\.1) == wanted.map(\.1))
    }

    @Test func theShareOfEachProductInItsCategory() async throws {
        let lines = lines
        let found = try await products.where { $0.lines.exists() }.orderBy(\.id).select { mine in
            let kind = lines.where { $0.product.categoryId == mine.categoryId }.aggregate { $0.sum { $0.amount } }.value
            return (mine.id, 100 * mine.lines.sum { $0.amount } / kind)
        }.fetch()
        let wanted = shop.products.filter { !shop.lines(of: $0).isEmpty }.map { mine in
            let kind = shop.lines.filter { shop.product(of: $0).categoryId == mine.categoryId }
            return (mine.id, 100 * shop.lines(of: mine).amount / kind.amount)
        }
        #expect(found.map(\.0) == wanted.map(\.0))
        #expect(found.map(\.1) == wanted.map(\.1))
    }

    // MARK: - The best of each

    @Test func theBestSellerOfEachCategory() async throws {
        let products = products
        let found = try await products.where { mine in
            let best = products.where { $0.categoryId == mine.categoryId }
                .aggregate { $0.max { $0.lines.sum(\.quantity) } }.value
            return mine.lines.sum(\.quantity) == best
        }.orderBy(\.id).fetch().map(\.id)
        let sold = { (product: Product) in self.shop.lines(of: product).map(\.quantity).reduce(0, +) }
        let wanted = shop.products.filter { mine in
            shop.products.filter { $0.categoryId == mine.categoryId }.map(sold).max() == sold(mine)
        }
        #expect(found == wanted.map(\.id))
    }

    @Test func theTwoDearestProductsOfEachCategory() async throws {
        let found = try await products.where { mine in
            mine.category.products.count { $0.price > mine.price || ($0.price == mine.price && $0.id < mine.id) } < 2
        }.orderBy(\.categoryId).orderBy(\.price, .descending).orderBy(\.id).fetch().map(\.id)
        let wanted = Dictionary(grouping: shop.products, by: \.categoryId).sorted { $0.key < $1.key }.flatMap {
            $1.sorted { ($1.price, $0.id) < ($0.price, $1.id) }.prefix(2)
        }
        #expect(found == wanted.map(\.id))
    }

    @Test func theLastPurchaseOfEachBuyerWithWhatItCost() async throws {
        let found = try await purchases.where { mine in mine.buyer.purchases.max(\.date) == mine.date }
            .orderBy(\.buyerId).orderBy(\.id).select { ($0.buyer.name, $0.id, $0.lines.sum { $0.amount }) }.fetch()
        let wanted = shop.buyers.flatMap { buyer in
            let all = shop.purchases(of: buyer)
            return all.filter { mine in mine.date == all.map(\.date).max() }
                .map { (buyer.name, $0.id, shop.lines(of: $0).amount) }
        }
        #expect(found.elementsEqual(wanted, by: ==), "\(found)\n\(wanted)")
    }

    // MARK: - Those without

    @Test func theBuyersWithoutAPurchaseAndTheProductsThatNobodyBought() async throws {
        let idle = try await buyers.where { $0.purchases.isEmpty }.orderBy(\.id).fetch().map(\.id)
        #expect(idle == shop.buyers.filter { shop.purchases(of: $0).isEmpty }.map(\.id))
        let unsold = try await products.where { $0.lines.isEmpty }.orderBy(\.id).fetch().map(\.id)
        #expect(unsold == shop.products.filter { shop.lines(of: $0).isEmpty }.map(\.id))
        let empty = try await categories.where { $0.products.isEmpty { $0.lines.exists() } }.orderBy(\.id).fetch()
        let sold = Set(shop.lines.map { shop.product(of: $0).categoryId })
        #expect(empty.map(\.id) == shop.categories.map(\.id).filter { !sold.contains($0) })
    }

    @Test func theBuyersWhoNeverBoughtFromASupplier() async throws {
        let found = try await buyers.where {
            $0.purchases.isEmpty { $0.lines.exists { $0.product.supplier.name == "supplier 1" } }
        }.orderBy(\.id).fetch().map(\.id)
        let wanted = shop.buyers.filter { buyer in
            !shop.purchases(of: buyer).flatMap(shop.lines(of:)).contains { shop.product(of: $0).supplierId == 1 }
        }
        #expect(found == wanted.map(\.id))
    }

    @Test func theBuyersOfEveryProductOfACategory() async throws {
        let products = products
        for category in shop.categories {
            let found = try await buyers.where { buyer in
                let missing = products.where { product in
                    product.categoryId == category.id
                        && product.lines.isEmpty { $0.purchase.buyerId == buyer.id }
                }
                return missing.aggregate { $0.count() }.value == 0
            }.orderBy(\.id).fetch().map(\.id)
            let all = Set(shop.products.filter { $0.categoryId == category.id }.map(\.id))
            let wanted = shop.buyers.filter { buyer in
                all.isSubset(of: shop.purchases(of: buyer).flatMap(shop.lines(of:)).map(\.productId))
            }
            #expect(found == wanted.map(\.id))
        }
    }

    @Test func theReviewsOfThoseWhoNeverBoughtTheProduct() async throws {
        let found = try await store.storage.query(Review.self).where { review in
            review.product.lines.isEmpty { $0.purchase.buyerId == review.buyerId }
        }.orderBy(\.id).fetch().map(\.id)
        let wanted = shop.reviews.filter { review in
            !shop.lines.contains {
                $0.productId == review.productId && shop.purchase(of: $0).buyerId == review.buyerId
            }
        }
        #expect(found == wanted.map(\.id))
    }

    // MARK: - Those above the average of their kind

    @Test func theProductsThatAreDearerThanTheirCategory() async throws {
        let found = try await products.where { $0.price.as(Double.self) > $0.category.products.avg(\.price) }
            .orderBy(\.id).fetch().map(\.id)
        let wanted = shop.products.filter { mine in
            let prices = shop.products.filter { $0.categoryId == mine.categoryId }.map(\.price)
            return Double(mine.price) > Double(prices.reduce(0, +)) / Double(prices.count)
        }
        #expect(found == wanted.map(\.id))
    }

    @Test func theBuyersWhoSpentMoreThanTheirRegionOnAverage() async throws {
        let found = try await buyers.where { mine in
            let spent = mine.purchases.sum { $0.lines.sum { $0.amount } }
            return spent.as(Double.self) > mine.region.buyers.avg { $0.purchases.sum { $0.lines.sum { $0.amount } } }
        }.orderBy(\.id).fetch().map(\.id)
        let wanted = shop.buyers.filter { mine in
            guard let region = mine.regionId else { return false }
            let all = shop.buyers.filter { $0.regionId == region }.map(shop.amount(of:))
            return Double(shop.amount(of: mine)) > Double(all.reduce(0, +)) / Double(all.count)
        }
        #expect(found == wanted.map(\.id))
    }

    @Test func theCategoriesWhoseStarsAreAboveThoseOfAll() async throws {
        let all = store.storage.query(Review.self).aggregate { $0.avg(\.stars) }.value
        let found = try await store.storage.query(Review.self).group(by: \.product.category.name)
            .having { $0.avg(\.stars) > all }.orderBy(\.product.category.name)
            .select { ($0.product.category.name, $0.avg(\.stars), $0.count(), $0.count(\.stars)) }.fetch()
        func mean(_ reviews: [Review]) -> Double? {
            let stars = reviews.compactMap(\.stars)
            return stars.isEmpty ? nil : Double(stars.reduce(0, +)) / Double(stars.count)
        }
        let wanted = Dictionary(grouping: shop.reviews) { shop.products[$0.productId - 1].categoryId }
            .filter { mean($0.value) ?? 0 > mean(shop.reviews) ?? 0 }.sorted { $0.key < $1.key }
        #expect(found.map(\.0) == wanted.map { "category \($0.key)" })
        #expect(found.map(\.1) == wanted.map { mean($0.value) })
        #expect(found.map(\.2) == wanted.map(\.value.count))
        #expect(found.map(\.3) == wanted.map { $0.value.count { $0.stars != nil } })
    }

    // MARK: - One row beside others

    @Test func salesOfAMonthBesideThoseOfTheMonthBefore() async throws {
        let lines = lines
        let found = try await lines.group { $0.purchase.date.month }.orderBy { $0.purchase.date.month }.select { mine in
            (
                mine.purchase.date.month, mine.sum { $0.amount },
                lines.where { $0.purchase.date.month == mine.purchase.date.month - 1 }.aggregate {
                    $0.sum { $0.amount }
                }
                .value
            )
        }.fetch()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let sales = Dictionary(grouping: shop.lines) {
            calendar.component(.month, from: shop.purchase(of: $0).date)
        }.mapValues(\.amount)
        #expect(found.map(\.0) == sales.keys.sorted())
        #expect(found.map(\.1) == sales.sorted { $0.key < $1.key }.map(\.value))
        #expect(found.map(\.2) == sales.keys.sorted().map { sales[$0 - 1] ?? 0 })
    }

    @Test func aRunningTotalAndARank() async throws {
        let purchases = purchases
        let found = try await purchases.where { $0.buyerId == 1 }.orderBy(\.date).orderBy(\.id).select { mine in
            let before = purchases.where { $0.buyerId == 1 && $0.date <= mine.date }
            return (
                mine.date, before.aggregate { $0.sum { $0.lines.sum { $0.amount } } }.value,
                mine.buyer.purchases.count { $0.date < mine.date } + 1
            )
        }.fetch()
        let own = shop.purchases.filter { $0.buyerId == 1 }.sorted { ($0.date, $0.id) < ($1.date, $1.id) }
        #expect(found.map(\.0) == own.map(\.date))
        #expect(
            found.map(\.1)
                == own.map { mine in own.filter { $0.date <= mine.date }.flatMap(shop.lines(of:)).amount })
        #expect(found.map(\.2) == own.map { mine in own.count { $0.date < mine.date } + 1 })
    }

    @Test func columnsForKindsOfRows() async throws {
        let found = try await buyers.group(by: \.region.name).orderBy(\.region.name).select {
            (
                $0.region.name, $0.count { $0.purchases.isEmpty },
                $0.count { $0.purchases.count().between(1, 3) }, $0.count { $0.purchases.count() > 3 }
            )
        }.fetch()
        let wanted = Dictionary(grouping: shop.buyers, by: \.regionId).sorted { ($0.key ?? 0) < ($1.key ?? 0) }
            .map { region, buyers in
                let counts = buyers.map { shop.purchases(of: $0).count }
                return (
                    region.map { "region \($0)" }, counts.count { $0 == 0 }, counts.count { (1...3).contains($0) },
                    counts.count { $0 > 3 }
                )
            }
        #expect(found.elementsEqual(wanted, by: ==), "\(found)\n\(wanted)")
    }

    @Test func whatWasBoughtTogetherWithAProduct() async throws {
        let found =
            try await lines
            .where { mine in mine.productId != 1 && mine.purchase.lines.exists { $0.productId == 1 } }
            .group(by: \.product.name).orderBy({ $0.count(distinct: \.purchaseId) }, .descending)
            .orderBy(\.product.name).limit(3).select { ($0.product.name, $0.count(distinct: \.purchaseId)) }.fetch()
        let with = Set(shop.lines.filter { $0.productId == 1 }.map(\.purchaseId))
        let others = shop.lines.filter { $0.productId != 1 && with.contains($0.purchaseId) }
        let wanted = Dictionary(grouping: others) { shop.product(of: $0).name }
            .map { ($0.key, Set($0.value.map(\.purchaseId)).count) }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(3)
        #expect(found.elementsEqual(wanted, by: ==), "\(found)\n\(wanted)")
    }

    @Test func theAncestorsThatAreKnownByTheirDepth() async throws {
        let found = try await lines.group(by: \.product.category.parent.name).orderBy(\.product.category.parent.name)
            .select { ($0.product.category.parent.name, $0.sum(\.quantity)) }.fetch()
        let wanted = Dictionary(grouping: shop.lines) {
            shop.categories[shop.product(of: $0).categoryId - 1].parentId
        }.sorted { ($0.key ?? 0) < ($1.key ?? 0) }
        #expect(found.map(\.0) == wanted.map { $0.key.map { "category \($0)" } })
        #expect(found.map(\.1) == wanted.map { $0.value.map(\.quantity).reduce(0, +) })
    }
}
