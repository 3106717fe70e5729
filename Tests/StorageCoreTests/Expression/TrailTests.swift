import Testing

@testable import StorageCore

@Suite struct TrailTests {
    private let orders = Shop.orders

    /// Each way as its table, the columns that its legs ask for and take, and the column at its end.
    private func ways(_ plan: QueryPlan) -> Set<String> {
        Set(
            plan.trails.all.map { trail in
                let legs = trail.legs.map {
                    "\($0.plan.table.name): \($0.given.columnName ?? "") > \($0.taken.columnName ?? "")"
                }
                return ([trail.table.name] + legs + [trail.end.columnName ?? ""]).joined(separator: ", ")
            })
    }

    @Test func aTableByItselfHasNone() {
        var plan = QueryPlan(orders)
        let row = plan.newSource()
        plan.add(.compare(.equal, .column("isPaid", of: row), .constant(.integer(1), .boolean)))
        #expect(ways(plan).isEmpty)
        #expect(plan.trails.untraced.isEmpty)
    }

    @Test func aSelectionReadsItsColumnsAndTheId() {
        var plan = QueryPlan(orders)
        let row = plan.newSource()
        plan.selection = [.column("note", of: row)]
        #expect(plan.trails.columns == ["orders": ["id", "note"]])
    }

    @Test func aRowOnAPathIsHeldByTheKeyBeforeIt() {
        var plan = QueryPlan(orders)
        let row = plan.newSource()
        plan.add(.isNull(.column("name", of: Shop.boss(of: Shop.courier(of: row)))))
        #expect(ways(plan) == ["couriers, courierId", "couriers, bossId"])
        #expect(plan.trails.columns["couriers"] == ["id", "name", "bossId"])
    }

    @Test func aRowOfAQueryInsideBelongsToTheRowThatItsKeyHolds() throws {
        var plan = QueryPlan(Shop.customers)
        let customer = plan.newSource()
        var inner = QueryPlan(orders)
        let order = inner.newSource()
        inner.add(.isKey(.column("customerId", of: order), of: .column("id", of: customer)))
        inner.add(.isNull(.column("name", of: Shop.courier(of: order))))
        plan.add(.exists(inner))
        #expect(ways(plan) == ["orders, orders: id > customerId, id", "couriers, orders: courierId > customerId, id"])
        #expect(plan.trails.trails(of: "orders").map(\.formerColumn) == ["customerId"])
        let leg = try #require(plan.trails.trails(of: "orders").first?.legs.first)
        let query = try leg.query([.integer(7), .null])
        #expect(query.sql == #"SELECT DISTINCT "customerId" FROM "orders" WHERE "id" IN (?)"#)
        #expect(query.arguments == [.integer(7)])
    }

    @Test func aKeyOfAGroupIsKnownFromWhatTheColumnsOnItsPathHeld() {
        var plan = QueryPlan(orders)
        let row = plan.newSource()
        plan.groupKeys = [.column("name", of: Shop.courier(of: row)), .column("note", of: row)]
        let histories = plan.keyHistories?.map { $0.map { "\($0.table).\($0.column)" } }
        #expect(histories == [["couriers.name", "orders.courierId"], ["orders.note"]])
        plan.groupKeys = [.arithmetic(.add, .column("count", of: row), .number(1))]
        #expect(plan.keyHistories == nil)
    }

    @Test func aQueryInsideThatRefersToNothingOutsideIsNotTraced() {
        var plan = QueryPlan(orders)
        plan.add(.exists(QueryPlan(orders)))
        #expect(ways(plan).isEmpty)
        #expect(plan.trails.untraced == TablesRead(["orders"]))
    }
}
