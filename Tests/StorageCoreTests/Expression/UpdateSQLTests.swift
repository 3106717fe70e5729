import Testing

@testable import StorageCore

@Suite struct UpdateSQLTests {
    private var plan = QueryPlan(Shop.orders)
    private let order: Source

    init() {
        order = plan.newSource()
        plan.add(.column("isPaid", of: order))
    }

    private func update(_ assignments: [(column: String, value: ExpressionNode)]) throws -> String {
        try plan.updateSQL(assignments, counting: nil).sql
    }

    @Test func whatMeansTheRowAloneStaysPlain() throws {
        let count = ExpressionNode.arithmetic(.add, .column("count", of: order), .number(1))
        #expect(
            try update([("count", count), ("note", .text("x"))])
                == #"UPDATE "orders" SET "count" = storagekit_int("count" + ?), "note" = ? WHERE "isPaid" = ?"#)
    }

    @Test func whatOtherRowsDecideIsCalculatedFirst() throws {
        let name = ExpressionNode.column("name", of: Shop.customer(of: order))
        #expect(
            try update([("count", .number(3)), ("note", name)]) == """
                WITH "storagekit_new" ("storagekit_value0", "storagekit_value1") AS MATERIALIZED (\
                SELECT "orders"."id", "customer"."name" FROM "orders" \
                JOIN "customers" "customer" ON "customer"."id" = "orders"."customerId" \
                WHERE "orders"."isPaid" = ?) \
                UPDATE "orders" SET "count" = ?, "note" = "storagekit_value1" FROM "storagekit_new" \
                WHERE "orders"."id" = "storagekit_value0"
                """)
    }

    @Test func aVersionIsCountedUpThereToo() throws {
        let name = ExpressionNode.column("name", of: Shop.customer(of: order))
        let sql = try plan.updateSQL([("note", name)], counting: "count").sql
        #expect(sql.contains(#"SET "note" = "storagekit_value1", "count" = "count" + 1 FROM "storagekit_new""#))
    }

    @Test func aLimitChoosesTheRowsAsAQueryDoes() throws {
        var plan = plan
        plan.sort(by: "at", .descending)
        plan.limit = 2
        let name = ExpressionNode.column("name", of: Shop.customer(of: order))
        let sql = try plan.updateSQL([("note", name)], counting: nil).sql
        #expect(sql.contains(#"ORDER BY "orders"."at" DESC LIMIT ?) UPDATE"#))
    }

    @Test func aConditionOnOtherRowsOfTheTableIsAskedFirst() throws {
        var others = QueryPlan(Shop.orders)
        let other = others.newSource()
        others.add(.compare(.equal, .column("courierId", of: other), .column("courierId", of: order)))
        var plan = plan
        plan.add(.exists(others))
        #expect(try plan.deleteSQL().sql.hasPrefix(#"DELETE FROM "orders" WHERE "id" IN (SELECT "orders"."id" FROM"#))
        let update = try plan.updateSQL([("note", .text("x"))], counting: nil).sql
        #expect(update.hasPrefix(#"UPDATE "orders" SET "note" = ? WHERE "id" IN (SELECT "orders"."id" FROM"#))
    }
}
