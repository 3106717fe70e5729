import StorageKit
import Testing

/// The shop of the article on analysing.
enum Shopping {
    @StorageEntity
    struct Buyer {
        var id: Int
        var name: String
        @StorageHasMany(foreignKey: "buyerId") var purchases: [Purchase]
    }

    @StorageEntity
    struct Category {
        var id: Int
        var name: String
        @StorageHasMany(foreignKey: "categoryId") var products: [Product]
    }

    @StorageEntity
    struct Product {
        var id: Int
        var name: String
        var price: Int
        @StorageReference(Category.self) var categoryId: Int
        @StorageHasMany(foreignKey: "productId") var lines: [PurchaseLine]
    }

    @StorageEntity
    struct Purchase {
        var id: Int
        @StorageReference(Buyer.self) var buyerId: Int
        var date: Date
        @StorageHasMany(foreignKey: "purchaseId") var lines: [PurchaseLine]
    }

    @StorageEntity
    struct PurchaseLine {
        var id: Int
        @StorageReference(Purchase.self, onDelete: .cascade) var purchaseId: Int
        @StorageReference(Product.self) var productId: Int
        var quantity: Int
        var unitPrice: Int
    }
}

typealias PurchaseLine = Shopping.PurchaseLine

extension ColumnRef<PurchaseLine> {
    var amount: Column<Int> { self.quantity * self.unitPrice }
}

@Suite struct AnalysingArticleTests {
    private typealias Buyer = Shopping.Buyer
    private typealias Category = Shopping.Category
    private typealias Product = Shopping.Product
    private typealias Purchase = Shopping.Purchase

    private let storage: Storage

    init() async throws {
        storage = try StorageKit.startInMemory {
            $0.autoSchema(
                Shopping.BuyerRecord.self, Shopping.CategoryRecord.self, Shopping.ProductRecord.self,
                Shopping.PurchaseRecord.self, Shopping.PurchaseLineRecord.self)
        }.facade
        try await storage.save(["Ada", "Bo", "Cy"].enumerated().map { Buyer(id: $0 + 1, name: $1) })
        try await storage.save([Category(id: 1, name: "Garden"), Category(id: 2, name: "Toys")])
        try await storage.save([
            Product(id: 1, name: "Spade", price: 30, categoryId: 1),
            Product(id: 2, name: "Seeds", price: 4, categoryId: 1),
            Product(id: 3, name: "Ball", price: 8, categoryId: 2),
            Product(id: 4, name: "Kite", price: 25, categoryId: 2),
            Product(id: 5, name: "Rake", price: 29, categoryId: 1),
        ])
        let january = Date(timeIntervalSince1970: 1_767_225_600)
        try await storage.save([
            Purchase(id: 1, buyerId: 1, date: january), Purchase(id: 2, buyerId: 1, date: january + 40 * 86_400),
            Purchase(id: 3, buyerId: 2, date: january + 41 * 86_400),
        ])
        let rows = [(1, 1, 1, 30), (1, 2, 5, 4), (2, 3, 1, 8), (2, 4, 1, 25), (3, 4, 2, 20)]
        try await storage.save(
            rows.enumerated().map {
                PurchaseLine(id: $0 + 1, purchaseId: $1.0, productId: $1.1, quantity: $1.2, unitPrice: $1.3)
            })
    }

    @Test func groupsAndSharesAreWhatTheArticleSays() async throws {
        let sales = storage.query(PurchaseLine.self)
            .group { ($0.product.category.name, $0.purchase.date.start(of: .month)) }
            .select { ($0.product.category.name, $0.purchase.date.start(of: .month), $0.sum { $0.amount }) }
        let loyalty = storage.query(Buyer.self)
            .group { $0.purchases.count() }.orderBy { $0.purchases.count() }
            .select { ($0.purchases.count(), $0.count()) }
        #expect(Set(try await sales.fetch().map { "\($0.0) \($0.2)" }) == ["Garden 50", "Toys 73"])
        let counts = try await loyalty.fetch()
        #expect(counts.map(\.0) == [0, 1, 2] && counts.map(\.1) == [1, 1, 1])

        let all = storage.query(PurchaseLine.self).aggregate { $0.sum { $0.amount } }.value
        let shares = storage.query(PurchaseLine.self).group(by: \.product.category.name)
            .select { ($0.product.category.name, 100 * $0.sum { $0.amount } / all) }
        #expect(Set(try await shares.fetch().compactMap(\.1)) == [40, 59])
    }

    @Test func theBestThoseWithoutAndThoseAboveAreWhatTheArticleSays() async throws {
        let products = storage.query(Product.self)
        let dearest = products.where { $0.price == $0.category.products.max(\.price) }
        let twoDearest = products.where { mine in mine.category.products.count { $0.price > mine.price } < 2 }
        let lastPurchases = storage.query(Purchase.self).where { mine in mine.buyer.purchases.max(\.date) == mine.date }
        let bestSellers = products.where { mine in
            let best = products.where { $0.categoryId == mine.categoryId }.aggregate {
                $0.max { $0.lines.sum(\.quantity) }
            }
            return mine.lines.sum(\.quantity) == best.value
        }
        #expect(try await dearest.orderBy(\.id).fetch().map(\.name) == ["Spade", "Kite"])
        #expect(try await twoDearest.orderBy(\.id).fetch().map(\.id) == [1, 3, 4, 5])
        #expect(try await lastPurchases.orderBy(\.id).fetch().map(\.id) == [2, 3])
        #expect(try await bestSellers.orderBy(\.id).fetch().map(\.name) == ["Seeds", "Kite"])

        let unsold = products.where { $0.lines.isEmpty }
        let neverGarden = storage.query(Buyer.self).where {
            $0.purchases.isEmpty { $0.lines.exists { $0.product.category.name == "Garden" } }
        }
        let ofEveryToy = storage.query(Buyer.self).where { buyer in
            let missing = products.where { product in
                product.category.name == "Toys" && product.lines.isEmpty { $0.purchase.buyerId == buyer.id }
            }
            return missing.aggregate { $0.count() }.value == 0
        }
        #expect(try await unsold.fetch().map(\.name) == ["Rake"])
        #expect(try await neverGarden.orderBy(\.id).fetch().map(\.name) == ["Bo", "Cy"])
        #expect(try await ofEveryToy.fetch().map(\.name) == ["Ada"])

        let dear = products.where { $0.price.as(Double.self) > $0.category.products.avg(\.price) }
        let withDear = storage.query(Category.self)
            .select { ($0.name, $0.products.count(), $0.products.count { $0.price > 20 }, $0.products.avg(\.price)) }
        #expect(try await dear.orderBy(\.id).fetch().map(\.id) == [1, 4, 5])
        #expect(try await withDear.fetch().map(\.2) == [2, 1])
    }

    @Test func oneRowBesideOthersIsWhatTheArticleSays() async throws {
        let lines = storage.query(PurchaseLine.self)
        let growth = lines.group { $0.purchase.date.month }.select { mine in
            let before = lines.where { $0.purchase.date.month == mine.purchase.date.month - 1 }
            return (mine.purchase.date.month, mine.sum { $0.amount }, before.aggregate { $0.sum { $0.amount } }.value)
        }
        let together = lines.where { mine in mine.productId != 1 && mine.purchase.lines.exists { $0.productId == 1 } }
            .group(by: \.product.name).orderBy({ $0.count(distinct: \.purchaseId) }, .descending).limit(3)
            .select { ($0.product.name, $0.count(distinct: \.purchaseId)) }
        let months = try await growth.fetch()
        #expect(months.map(\.0) == [1, 2] && months.map(\.1) == [50, 73] && months.map(\.2) == [0, 50])
        #expect(try await together.fetch().map(\.0) == ["Seeds"])
    }
}
