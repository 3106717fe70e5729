import StorageKit
import Testing

/// The code of the article on queries, compiled and run.
enum Desk {
    @StorageEntity
    struct User {
        var id: String
        var lastName: String
        var email: String
        var age: Int?
    }

    @StorageEntity
    struct Order {
        var id: Int
        var status: Status
        var customerId: String
        var total: Decimal
        var due: Date?

        enum Status: String, Codable, Sendable { case open, shipped }
    }

    @StorageSelection
    struct CustomerSum: Equatable {
        let customer: String
        let orders: Int
        let total: Decimal
    }

    @StorageEntity
    struct Customer {
        struct Address: Codable, Sendable, Equatable { var city: String }

        var id: Int
        @StorageJSON var address: Address?
        @StorageJSON var links: [URL]
    }
}

@StorageSelection
struct MonthTotal: Equatable, Sendable {
    let month: String?
    let orders: Int
}

@Suite struct QueryArticleTests {
    typealias User = Desk.User
    typealias Order = Desk.Order
    typealias CustomerSum = Desk.CustomerSum
    typealias Customer = Desk.Customer

    @Test func aStatementIsAQueryAsTheArticleShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("orders.sqlite")) { schema in
            schema.autoSchema(Desk.OrderRecord.self)
        }
        let storage = context.facade
        let day = Date(timeIntervalSince1970: 86_400)
        try await storage.save(
            (1...3).map { Order(id: $0, status: .open, customerId: "C\($0 / 2)", total: 1, due: day * Double($0)) })
        let customer = "C1"
        let months = storage.sql(
            "SELECT strftime('%Y-%m', due) AS month, count(*) AS orders FROM orders WHERE customerId = \(customer) GROUP BY 1",
            as: MonthTotal.self)
        let totals = try await months.fetch()
        let number = try await storage.sql("SELECT count(*) FROM orders", as: Int.self).fetchOne()
        #expect(totals == [MonthTotal(month: "1970-01", orders: 2)])
        #expect(number == 3)
    }

    @Test func textsDatesAndJSONAreAskedForAsTheArticleShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("orders.sqlite")) { schema in
            schema.autoSchema(Desk.OrderRecord.self, Desk.CustomerRecord.self)
        }
        let storage = context.facade
        let day = Date(timeIntervalSince1970: 86_400)
        try await storage.save(
            (1...100).map { Order(id: $0, status: .open, customerId: "C\($0)", total: 1, due: day * Double($0)) })
        let url = try #require(URL(string: "https://example.com"))
        try await storage.save([
            Customer(id: 1, address: .init(city: "Kyiv"), links: [url]), Customer(id: 2, address: nil, links: []),
        ])

        let march = storage.query(Order.self)
            .where { $0.due.month == 3 && $0.customerId.lowercased().prefix(1) == "c" }
            .orderBy { $0.customerId.collated(.localized(Locale(identifier: "sv"))) }
        #expect(try await march.count() == 31)
        #expect(try await march.fetch().count == 31)

        let homes = storage.query(Customer.self).where { $0.address.city == "Kyiv" && $0.links.count > 0 }
        #expect(try await homes.fetch().map(\.id) == [1])
        let linked = storage.query(Customer.self).where { $0.links.contains(url) }
        #expect(try await linked.count() == 1)
        try await homes.updateAll { [$0.address.city.set(to: "Lviv")] }
        #expect(try await storage.get(Customer.self, id: 1)?.address?.city == "Lviv")
    }

    @Test func theArticleDoesWhatItShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let context = try StorageKit.start(at: folder.appendingPathComponent("orders.sqlite")) { schema in
            schema.autoSchema(Desk.UserRecord.self, Desk.OrderRecord.self)
        }
        let storage = context.facade
        try await storage.save(
            (1...60).map { User(id: "\($0)", lastName: "Name", email: "\($0)@EXAMPLE.com", age: $0 + 17) })
        let day = Date(timeIntervalSince1970: 86_400)
        try await storage.save(
            (1...50).map { id in
                Order(
                    id: id, status: .open, customerId: "c\(id % 3)", total: 0.1, due: id > 45 ? nil : day * Double(id))
            })

        let adults = try await storage.query(User.self)
            .where { $0.age >= 18 && $0.email.hasSuffix("@example.com", ignoringCase: true) }
            .orderBy(\.lastName).orderBy(\.age, .descending, nulls: .last)
            .limit(20).offset(40)
            .fetch()
        #expect(adults.map(\.age) == (18...37).reversed())

        let senior = storage.query(User.self)
            .where { ($0.age ?? 0) * 2 > 130 && $0.email != $0.lastName + "@example.com" }
            .orderBy({ $0.email.hasSuffix(".org").then(0, else: 1) }).orderBy(\.age)
        #expect(try await senior.fetch().map(\.age) == (66...77).map { $0 })

        let recent = storage.query(Order.self).where { Column<Bool>(sql: "\($0.due) > date(\(day), '-3 months')") }
        #expect(try await recent.count() == 45)

        let query = storage.query(Order.self).where { $0.status == .open }
        #expect(try await query.fetch().count == 50)
        #expect(try await query.fetchOne() != nil)
        #expect(try await query.first(by: \.due)?.due == nil)
        #expect(try await query.count() == 50)
        #expect(try await query.exists())
        #expect(try await query.sum(\.total) == 5)
        #expect(try await query.avg(\.total) == 0.1)
        #expect(try await query.min(\.due) == day)
        #expect(try await query.max(\.due) == day * 45)
        #expect(try await query.distinct(\.customerId) == ["c0", "c1", "c2"])

        let ids: [Int] = try await query.select(\.id).fetch()
        let doubled = try await query.select { ($0.id, $0.total * 2) }.fetch()
        let sums = query.group(by: \.customerId)
            .having { $0.count() > 1 }.orderBy({ $0.sum(\.total) }, .descending)
            .select { CustomerSum.columns(customer: $0.customerId, orders: $0.count(), total: $0.sum(\.total)) }
        #expect(Set(try await sums.fetch().map(\.customer)) == ["c0", "c1", "c2"])
        #expect(try await sums.fetch().map(\.orders) == [17, 17, 16])
        let whole = try await query.aggregate { ($0.count(), $0.max(\.due)) }.fetchOne()
        #expect(ids.sorted() == Array(1...50) && doubled.allSatisfy { $0.1 == 0.2 })
        #expect(whole?.0 == 50 && whole?.1 == day * 45)

        let ordered = storage.query(Order.self).orderBy(\.due, .descending)
        let first = try await ordered.page(limit: 20)
        let second = try await ordered.page(after: first.next, limit: 20)
        let link = second.next?.text
        #expect(link.flatMap { PageCursor(text: $0) } == second.next)
        #expect((first.items + second.items).map(\.id) == (6...45).reversed())
        var streamed: [Int] = []
        for try await order in ordered.stream() {
            print(order.id)
            streamed.append(order.id)
        }
        #expect(Array(streamed.prefix(45)) == (1...45).reversed() && Set(streamed) == Set(1...50))

        #expect(try await query.updateAll { [$0.status.set(to: .shipped), $0.due.set(to: nil)] } == 50)
        #expect(try await query.deleteAll() == 0)
    }
}

private func * (date: Date, factor: Double) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970 * factor)
}
