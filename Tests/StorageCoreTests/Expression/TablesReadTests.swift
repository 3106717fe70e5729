import Testing

@testable import StorageCore

@Suite struct TablesReadTests {
    private var plan = QueryPlan(Shop.orders)
    private let order: Source

    init() {
        order = plan.newSource()
    }

    private func others(_ condition: ExpressionNode) -> TablesRead {
        var plan = plan
        plan.add(condition)
        return plan.otherTablesRead
    }

    /// The orders of each customer, as a to-many relation asks for them.
    private func orders(of customer: Source) -> QueryPlan {
        var orders = QueryPlan(Shop.orders)
        let order = orders.newSource()
        orders.add(.compare(.equal, .column("customerId", of: order), .column("id", of: customer)))
        return orders
    }

    @Test func aQueryOfOneTableReadsThatTable() {
        var plan = plan
        plan.add(.column("isPaid", of: order))
        plan.sort(by: "at", .ascending)
        #expect(plan.tablesRead == TablesRead(["orders"]))
        #expect(plan.otherTablesRead.isEmpty)
    }

    @Test func aPathReadsTheTablesOfAllItsSteps() {
        let boss = Shop.boss(of: Shop.courier(of: order))
        #expect(others(.isNull(.column("name", of: boss))) == TablesRead(["couriers"]))
        var plan = plan
        plan.sort(by: .column("name", of: Shop.customer(of: order)), .ascending)
        plan.selection = [.column("name", of: boss)]
        #expect(plan.tablesRead == TablesRead(["orders", "couriers", "customers"]))
    }

    @Test func aQueryWithinReadsItsOwnTableToo() {
        let customer = Shop.customer(of: order)
        #expect(others(.not(.exists(orders(of: customer)))) == TablesRead(["orders", "customers"]))
        var counted = QueryPlan(Shop.customers)
        counted.selection = [.aggregate(Aggregate(.count))]
        #expect(others(.compare(.less, .number(3), .scalar(counted))) == TablesRead(["customers"]))
        counted.selection = [.column("id", of: nil)]
        #expect(others(.isInQuery(.column("customerId", of: order), counted)) == TablesRead(["customers"]))
    }

    @Test func whatIsLeftOfALimitDependsOnAllRows() {
        var first = plan
        first.limit = 3
        #expect(others(.isAmong(first)) == TablesRead(["orders"]))
    }

    @Test(arguments: [
        ("exists (SELECT 1 FROM t)", true), ("x IN t", true), ("x in\n\"t\"", true), ("length(x) > 3", false),
        ("x in (1, 2)", false), ("x IN(1)", false), ("selected + inner", false),
    ])
    func sqlOfTheAppsReadsNobodyKnowsWhatIfItNamesTables(sql: String, mayBeMore: Bool) {
        let form = ValueForm(type: nil, mayBeNull: true)
        #expect(others(.sql([.text(sql)], form)).mayBeMore == mayBeMore)
    }
}
