import StorageKit
import Testing

// The entities of the documents' chapters on the macros, as an app declares them, and the calls made with them.

enum Shop {
    struct Address: Codable, Sendable {
        var street: String
        var city: String
        var zip: String
        var country: String
    }

    struct Money: Codable, Sendable {
        var amount: Decimal
        var currency: String
    }

    @StorageEntity
    struct Customer {
        var id: String
        var name: String
        var email: String

        @StorageEmbedded(prefix: "shipping_")
        var shippingAddress: Address

        @StorageEmbedded(prefix: "billing_")
        var billingAddress: Address
    }

    @StorageEntity
    struct Order {
        var id: String
        var customerId: String
        var status: String

        @StorageEmbedded(prefix: "total_")
        var total: Money

        @StorageEmbedded(prefix: "shipping_")
        var shippingAddress: Address
    }

    @StorageEntity
    struct Product {
        var id: String
        var name: String
        var price: Double

        @StorageJSON
        var attributes: [String: String]

        @StorageJSON
        var metadata: ProductMetadata

        @StorageJSON
        var extraMetadata: [String: String]?
    }

    struct ProductMetadata: Codable {
        var tags: [String]
        var ratings: [Int]
        var customFields: [String: AnyCodable]
    }

    static let address = Address(street: "1 Street", city: "Kyiv", zip: "01001", country: "UA")
}

enum Firm {
    struct Address: Embeddable {
        var street: String
        var city: String
        var zipCode: String
    }

    struct ContactInfo: Codable, Sendable {
        var email: String
        var phone: String
        var website: String?
    }

    struct SocialLinks: Codable, Sendable {
        var twitter: String?
        var github: String?
    }

    @StorageEntity
    struct Company {
        var id: String
        var name: String
        var industry: String
        var foundedYear: Int
        var isPublic: Bool

        @StorageEmbedded(prefix: "hq_")
        var headquarters: Address

        @StorageEmbedded
        var branch: Address

        @StorageEmbedded(prefix: "contact_")
        var contactInfo: ContactInfo

        @StorageEmbedded(prefix: "social_")
        var socialLinks: SocialLinks

        @StorageJSON
        var metadata: [String: String]

        @StorageHasMany(foreignKey: "companyId")
        var employees: [Employee]
    }

    @StorageEntity
    struct Employee {
        var id: String
        var name: String
        var salary: Decimal
        var companyId: String

        @StorageEmbedded(prefix: "")
        var contactInfo: ContactInfo

        @StorageBelongsTo
        var company: Company?
    }
}

enum Remarks {
    @StorageEntity
    struct User {
        var id: String
        var name: String
    }

    @StorageEntity
    struct Comment {
        var id: String
        var text: String
        var createdBy: String

        @StorageBelongsTo(foreignKey: "createdBy")
        var user: User?
    }

    @StorageEntity(table: "app_posts")
    struct Post {
        var id: UUID
        var title: String
        var publishedAt: Date?
    }
}

@Suite struct EntityModelTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var url: URL { folder.appendingPathComponent("model.sqlite") }

    @Test func theTableOfACustomerHasTheDocumentedColumns() {
        let columns = Shop.CustomerRecord.schemaColumns.map { "\($0.name) \($0.type)\($0.notNull ? " NOT NULL" : "")" }
        #expect(
            columns == [
                "id TEXT NOT NULL", "name TEXT NOT NULL", "email TEXT NOT NULL", "shipping_street TEXT NOT NULL",
                "shipping_city TEXT NOT NULL", "shipping_zip TEXT NOT NULL", "shipping_country TEXT NOT NULL",
                "billing_street TEXT NOT NULL", "billing_city TEXT NOT NULL", "billing_zip TEXT NOT NULL",
                "billing_country TEXT NOT NULL", "updatedAt DATETIME NOT NULL",
            ])
        #expect(Firm.CompanyRecord.schemaColumns.map(\.name).contains("branch_zipCode"))
        #expect(Remarks.PostRecord.databaseTableName == "app_posts")
        #expect(
            Remarks.PostRecord.schemaColumns.first
                == ColumnSchema(name: "id", type: "TEXT", notNull: true, primaryKey: true))
    }

    @Test func customersAreFoundByTheirCity() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { $0.autoSchema(Shop.CustomerRecord.self) }
        let storage = context.facade
        let customer = Shop.Customer(
            id: "1", name: "Ada", email: "", shippingAddress: Shop.address, billingAddress: Shop.address)
        try await storage.save(customer)

        let localCustomers = try await storage.query(Shop.Customer.self)
            .where { $0.shippingCity == "Kyiv" }
            .fetch()
        #expect(localCustomers == [customer])
        let byName = try await storage.query(Shop.Customer.self)
            .where { Column<String>("shipping_city") == "Kyiv" }
            .fetch()
        #expect(byName == [customer])
        #expect(try await storage.all(Shop.Customer.self, orderBy: "billing_city") == [customer])
    }

    @Test func anOrderHoldsMoneyAndAnAddress() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { $0.autoSchema(Shop.OrderRecord.self) }
        let total = Shop.Money(amount: 99.95, currency: "EUR")
        let order = Shop.Order(id: "1", customerId: "c", status: "open", total: total, shippingAddress: Shop.address)
        try await context.facade.save(order)
        let dear = context.facade.query(Shop.Order.self).where { $0.totalAmount > 50 && $0.total.currency == "EUR" }
        #expect(try await dear.fetch() == [order])
    }

    @Test func aProductHoldsJSON() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { $0.autoSchema(Shop.ProductRecord.self) }
        let product = Shop.Product(
            id: UUID().uuidString, name: "Laptop", price: 999.99,
            attributes: ["color": "silver", "storage": "512GB"],
            metadata: Shop.ProductMetadata(tags: ["computers"], ratings: [5, 4], customFields: ["new": true]))
        try await context.facade.save(product)
        #expect(try await context.facade.get(Shop.Product.self, id: product.id) == product)
        let json = try await context.storage.dbActor.read { db in
            try String.fetchOne(db, sql: "SELECT attributes FROM products")
        }
        #expect(json == #"{"color":"silver","storage":"512GB"}"#)
    }

    @Test func aCompanyCombinesThemAll() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { schema in
            schema.addKVCache()
            schema.autoSchema(Firm.CompanyRecord.self, Firm.EmployeeRecord.self)
        }
        let storage = context.facade
        let address = Firm.Address(street: "1 Street", city: "Kyiv", zipCode: "01001")
        let contact = Firm.ContactInfo(email: "a@example.com", phone: "1")
        let company = Firm.Company(
            id: "1", name: "Acme", industry: "Technology", foundedYear: 1999, isPublic: true, headquarters: address,
            branch: address, contactInfo: contact, socialLinks: .init(twitter: "acme"), metadata: [:])
        try await storage.save(company)
        let ada = Firm.Employee(id: "1", name: "Ada", salary: 120_000, companyId: "1", contactInfo: contact)
        try await storage.save([
            ada, Firm.Employee(id: "2", name: "Bo", salary: 9_000, companyId: "1", contactInfo: contact),
        ])

        let techCompanies = try await storage.query(Firm.Company.self)
            .where { $0.industry == "Technology" && $0.hqCity == "Kyiv" }
            .fetch()
        #expect(techCompanies == [company])
        for company in techCompanies {
            let engineers = try await storage.loadChildren(Firm.Employee.self, where: "companyId", equals: company.id)
            #expect(engineers.filter { $0.salary > 100000 } == [ada])
        }
        #expect(try await storage.query(Firm.Employee.self).where { $0.salary > 100_000 }.fetch() == [ada])
        #expect(try await storage.loadParent(Firm.Company.self, id: ada.companyId) == company)
    }

    @Test func aCommentKnowsItsUserByAColumnOfAnyName() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: url) { schema in
            schema.autoSchema(Remarks.UserRecord.self, Remarks.CommentRecord.self, Remarks.PostRecord.self)
        }
        let user = Remarks.User(id: "u", name: "Ada")
        let comment = Remarks.Comment(id: "c", text: "Good", createdBy: "u")
        try await context.facade.save(user)
        try await context.facade.save(comment)
        #expect(try await context.facade.loadParent(Remarks.User.self, id: comment.createdBy) == user)
        let joined = try await context.storage.dbActor.read { db in
            try Remarks.CommentRecord.including(required: Remarks.CommentRecord.user).fetchAll(db)
        }
        #expect(joined.map { $0.asEntity() } == [comment])
    }
}
