import Foundation
import StorageKit
import StorageTestSupport

// A shop of eight entities, for what an analyst asks.

@StorageEntity
struct Region: Equatable {
    var id: Int
    var name: String
    @StorageHasMany(foreignKey: "regionId") var buyers: [Buyer]
}

@StorageEntity
struct Buyer: Equatable {
    var id: Int
    var name: String
    @StorageReference(Region.self) var regionId: Int?
    @StorageHasMany(foreignKey: "buyerId") var purchases: [Purchase]
    @StorageHasMany(foreignKey: "buyerId") var reviews: [Review]
}

@StorageEntity
struct Supplier: Equatable {
    var id: Int
    var name: String
    @StorageHasMany(foreignKey: "supplierId") var products: [Product]
}

@StorageEntity
struct Category: Equatable {
    var id: Int
    var name: String
    @StorageReference(Category.self) var parentId: Int?
    @StorageHasMany(foreignKey: "categoryId") var products: [Product]
}

@StorageEntity
struct Product: Equatable {
    var id: Int
    var name: String
    var price: Int
    @StorageReference(Category.self) var categoryId: Int
    @StorageReference(Supplier.self) var supplierId: Int?
    @StorageHasMany(foreignKey: "productId") var lines: [PurchaseLine]
    @StorageHasMany(foreignKey: "productId") var reviews: [Review]
}

@StorageEntity
struct Purchase: Equatable {
    var id: Int
    @StorageReference(Buyer.self) var buyerId: Int
    var date: Date
    @StorageHasMany(foreignKey: "purchaseId") var lines: [PurchaseLine]
}

@StorageEntity
struct PurchaseLine: Equatable {
    var id: Int
    @StorageReference(Purchase.self, onDelete: .cascade) var purchaseId: Int
    @StorageReference(Product.self) var productId: Int
    var quantity: Int
    var unitPrice: Int
}

@StorageEntity
struct Review: Equatable {
    var id: Int
    @StorageReference(Buyer.self) var buyerId: Int
    @StorageReference(Product.self) var productId: Int
    var stars: Int?
}

extension ColumnRef<PurchaseLine> {
    /// What the line costs.
    var amount: Column<Int> { self.quantity * self.unitPrice }
}

/// The rows of a shop: the same for the same seed.
struct Shop {
    var regions: [Region] = []
    var buyers: [Buyer] = []
    var suppliers: [Supplier] = []
    var categories: [Category] = []
    var products: [Product] = []
    var purchases: [Purchase] = []
    var lines: [PurchaseLine] = []
    var reviews: [Review] = []

    init(seed: UInt64 = 7) {
        var random = SeededGenerator(seed: seed)
        regions = (1...3).map { Region(id: $0, name: "region \($0)") }
        buyers = (1...12).map {
            Buyer(id: $0, name: "buyer \($0)", regionId: $0 % 5 == 0 ? nil : .random(in: 1...3, using: &random))
        }
        suppliers = (1...3).map { Supplier(id: $0, name: "supplier \($0)") }
        categories = (1...5).map { Category(id: $0, name: "category \($0)", parentId: $0 > 2 ? $0 % 2 + 1 : nil) }
        products = (1...15).map {
            Product(
                id: $0, name: "product \($0)", price: .random(in: 1...40, using: &random),
                categoryId: .random(in: 1...4, using: &random),
                supplierId: $0 % 4 == 0 ? nil : .random(in: 1...3, using: &random))
        }
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        purchases = (1...40).map {
            Purchase(
                id: $0, buyerId: .random(in: 1...9, using: &random),
                date: start + Double(Int.random(in: 0..<200, using: &random)) * 86_400)
        }
        lines = (1...110).map {
            let product = products[.random(in: 0..<12, using: &random)]
            return PurchaseLine(
                id: $0, purchaseId: .random(in: 1...40, using: &random), productId: product.id,
                quantity: .random(in: 1...5, using: &random),
                unitPrice: max(1, product.price - .random(in: 0...3, using: &random)))
        }
        reviews = (1...30).map {
            Review(
                id: $0, buyerId: .random(in: 1...12, using: &random), productId: .random(in: 1...15, using: &random),
                stars: $0 % 6 == 0 ? nil : .random(in: 1...5, using: &random))
        }
    }

    /// A store that has them.
    func store() async throws -> TemporaryStore {
        let store = try TemporaryStore {
            $0.autoSchema(
                RegionRecord.self, BuyerRecord.self, SupplierRecord.self, CategoryRecord.self, ProductRecord.self,
                PurchaseRecord.self, PurchaseLineRecord.self, ReviewRecord.self)
        }
        try await store.storage.save(regions)
        try await store.storage.save(buyers)
        try await store.storage.save(suppliers)
        try await store.storage.save(categories)
        try await store.storage.save(products)
        try await store.storage.save(purchases)
        try await store.storage.save(lines)
        try await store.storage.save(reviews)
        return store
    }

    // MARK: - The same in Swift

    func lines(of purchase: Purchase) -> [PurchaseLine] { lines.filter { $0.purchaseId == purchase.id } }
    func lines(of product: Product) -> [PurchaseLine] { lines.filter { $0.productId == product.id } }
    func purchases(of buyer: Buyer) -> [Purchase] { purchases.filter { $0.buyerId == buyer.id } }
    func amount(of buyer: Buyer) -> Int { purchases(of: buyer).flatMap(lines(of:)).amount }
    func product(of line: PurchaseLine) -> Product { products[line.productId - 1] }
    func purchase(of line: PurchaseLine) -> Purchase { purchases[line.purchaseId - 1] }
}

extension [PurchaseLine] {
    var amount: Int { map { $0.quantity * $0.unitPrice }.reduce(0, +) }
}
