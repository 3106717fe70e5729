import Foundation
import StorageKit
import StorageTestSupport
import Testing

/// Trees, chains of keys that may be nil, keys that nothing enforces.
@Suite struct OptionalPathTests {
    struct Address: Codable, Sendable, Equatable { var city: String; var zip: String? }

    @StorageEntity
    struct Category {
        var id: Int
        var name: String
        @StorageReference(Category.self) var parentId: Int?
        @StorageReference(Shop.self, as: "seller") var shop: Int?
        @StorageHasMany(foreignKey: "parentId") var children: [Category]
    }

    @StorageEntity
    struct Shop {
        var id: Int
        var name: String
        @StorageEmbedded var address: Address
        @StorageEmbedded var oldAddress: Address?
        /// Nothing enforces it.
        var ownerId: Int
        @StorageJSON var hours: [Int]
        @StorageBelongsTo var owner: Owner?
        @StorageReference(Owner.self) var cleaner_id: Int?
        @StorageHasMany(foreignKey: "shop") var categories: [Category]
    }

    @StorageEntity
    struct Owner { var id: Int; var name: String }

    @StorageEntity
    struct Errand {
        var id: Int
        @StorageReference(Owner.self, as: "runner") var ownerId: Int
        @StorageBelongsTo(foreignKey: "ownerId") var owner: Owner?
    }

    private let store: TemporaryStore
    private var categories: Query<Category> { store.storage.query(Category.self).orderBy(\.id) }
    private var shops: Query<Shop> { store.storage.query(Shop.self).orderBy(\.id) }

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(CategoryRecord.self, ShopRecord.self, OwnerRecord.self) }
        try await store.storage.save([Owner(id: 1, name: "Ada"), Owner(id: 2, name: "Bob")])
        try await store.storage.save([
            Shop(
                id: 1, name: "Books", address: Address(city: "Kyiv", zip: "1"), ownerId: 1, hours: [1], cleaner_id: 2),
            Shop(id: 2, name: "Toys", address: Address(city: "Lviv"), ownerId: 99, hours: []),
        ])
        try await store.storage.save([
            Category(id: 1, name: "all"), Category(id: 2, name: "novels", parentId: 1, shop: 1),
            Category(id: 3, name: "dolls", parentId: 1, shop: 2), Category(id: 4, name: "epics", parentId: 2),
        ])
    }

    private func ids(_ query: Query<Category>) async throws -> [Int] { try await query.fetch().map(\.id) }

    @Test func aTreeIsFollowedUpAndDown() async throws {
        #expect(try await ids(categories.where { $0.parent.name == "all" }) == [2, 3])
        #expect(try await ids(categories.where { $0.parent.parent.name == "all" }) == [4])
        #expect(try await ids(categories.where { $0.parent.parent.name == nil }) == [1, 2, 3])
        #expect(try await ids(categories.where { $0.children.count() == 2 }) == [1])
        #expect(try await ids(categories.where { $0.children.isEmpty }) == [3, 4])
        #expect(try await ids(categories.where { $0.parent.children.count() == 2 }) == [2, 3])
        #expect(try await ids(categories.where { $0.parent.children.isEmpty }) == [1])
        // The roots have no parent, and so no siblings, though all their keys are NULL.
        #expect(try await ids(categories.where { one in one.parent.children.exists { $0.id != one.id } }) == [2, 3])
    }

    @Test func aChainOfTwoKeysThatMayBeNilIsNilAtTheFirstOrTheSecond() async throws {
        #expect(try await ids(categories.where { $0.parent.seller.name == "Books" }) == [4])
        #expect(try await ids(categories.where { $0.parent.seller.name == nil }) == [1, 2, 3])
        #expect(try await ids(categories.where { $0.seller.cleaner.name == "Bob" }) == [2])
        #expect(try await ids(categories.where { $0.seller.cleaner == nil }) == [1, 3, 4])
        #expect(try await ids(categories.where { $0.parent.seller.cleaner.name.hasPrefix("B") }) == [4])
    }

    @Test func aRowWhoseKeyDanglesIsLostNeitherByAConditionNorByItsOpposite() async throws {
        #expect(try await shops.where { $0.owner.name == "Ada" }.fetch().map(\.id) == [1])
        #expect(try await shops.where { !($0.owner.name == "Ada") }.fetch().map(\.id) == [2])
        #expect(try await shops.where { $0.owner.name == nil }.fetch().map(\.id) == [2])
        #expect(try await shops.orderBy(\.owner.name).fetch().map(\.id) == [1, 2])
    }

    @Test func embeddedValuesAndJSONStandBehindAPathThatMayLeadNowhere() async throws {
        #expect(try await ids(categories.where { $0.seller.address.city == "Kyiv" }) == [2])
        #expect(try await ids(categories.where { $0.seller.address.city == nil }) == [1, 4])
        #expect(try await ids(categories.where { $0.seller.address.zip == nil }) == [1, 3, 4])
        #expect(try await ids(categories.where { $0.seller.oldAddress.zip == nil }) == [1, 2, 3, 4])
        #expect(try await ids(categories.where { $0.seller.hours.isNull }) == [1, 4])
        #expect(try await ids(categories.where { $0.seller.address == nil }) == [1, 4])
        #expect(try await ids(categories.where { $0.seller.oldAddress == nil }) == [1, 2, 3, 4])
    }

    @Test func anArrayBehindAPathThatLeadsNowhereHasNoElement() async throws {
        #expect(try await ids(categories.where { $0.seller.hours.contains(1) }) == [2])
        #expect(try await ids(categories.where { $0.seller.hours.contains(1) == false }) == [1, 3, 4])
    }

    @Test func whatIsMadeOfAValueThatIsNotThereIsUnequalToAnyOther() async throws {
        let others = categories.where { $0.seller.name.lowercased() != "books" }
        #expect(try await others.fetch().map(\.id) == [1, 3, 4])
    }

    @Test func aPathThatLeadsNowhereHasNoRows() async throws {
        #expect(try await ids(categories.where { $0.seller.categories.count() == 0 }) == [1, 4])
        #expect(try await ids(categories.where { $0.seller.categories.exists() }) == [2, 3])
    }

    @Test func twoKeysToOneEntityAreTwoPaths() async throws {
        #expect(try await shops.where { $0.owner.name == "Ada" && $0.cleaner.name == "Bob" }.fetch().map(\.id) == [1])
    }

    @Test func aPathWithANameOfItsOwnIsThereBesideAPropertyForTheSameKey() async throws {
        let other = try TemporaryStore { $0.autoSchema(OwnerRecord.self, ErrandRecord.self) }
        try await other.storage.save(Owner(id: 1, name: "Ada"))
        try await other.storage.save(Errand(id: 1, ownerId: 1))
        let errands = other.storage.query(Errand.self)
        #expect(try await errands.where { $0.runner.name == "Ada" && $0.owner.name == "Ada" }.count() == 1)
    }
}
