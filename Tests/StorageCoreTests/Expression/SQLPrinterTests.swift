import Testing

@testable import StorageCore

@Suite struct SQLPrinterTests {
    private var plan = QueryPlan(Shop.orders)
    private let order: Source

    init() {
        order = plan.newSource()
    }

    private func column(_ name: String) -> ExpressionNode { .column(name, of: order) }

    private func filter(_ condition: ExpressionNode) throws -> String {
        var plan = plan
        plan.add(condition)
        return try plan.countSQL().sql
    }

    private func condition(_ condition: ExpressionNode) throws -> String {
        try filter(condition).replacingOccurrences(of: #"SELECT COUNT(*) FROM "orders" WHERE "#, with: "")
    }

    private func value(_ expression: ExpressionNode) throws -> String { try plan.sql(of: expression).sql }

    // MARK: - Paths

    @Test func aPathIsJoinedOnceHoweverOftenItIsUsed() throws {
        var plan = plan
        let customer = { Shop.customer(of: order) }
        plan.add(.compare(.equal, .column("name", of: customer()), .text("Ada")))
        plan.sort(by: .column("name", of: Shop.customer(of: plan.newSource())), .ascending)
        plan.selection = [column("count"), .column("note", of: customer())]
        let query = try plan.selectionSQL()
        #expect(
            query.sql == """
                SELECT "orders"."count", "customer"."note" FROM "orders" \
                JOIN "customers" "customer" ON "customer"."id" = "orders"."customerId" \
                WHERE "customer"."name" = ? ORDER BY "customer"."name" ASC
                """)
        #expect(query.arguments == [.text("Ada")])
    }

    @Test func whatFollowsAnOptionalStepIsJoinedFromTheLeftAndMayBeNull() throws {
        let boss = Shop.boss(of: Shop.courier(of: order))
        #expect(
            try filter(.compare(.notEqual, .column("name", of: boss), .text("Bo"))) == """
                SELECT COUNT(*) FROM "orders" LEFT JOIN "couriers" "courier" ON "courier"."id" = "orders"."courierId" \
                LEFT JOIN "couriers" "boss" ON "boss"."id" = "courier"."bossId" WHERE "boss"."name" IS NOT ?
                """)
    }

    @Test func twoPathsOfOneNameGetDifferentNames() throws {
        let boss = Shop.boss(of: Shop.courier(of: order))
        let sql = try filter(.isNull(.column("name", of: Shop.boss(of: boss))))
        #expect(
            sql.hasSuffix(
                #"LEFT JOIN "couriers" "boss2" ON "boss2"."id" = "boss"."bossId" WHERE "boss2"."name" IS NULL"#))
    }

    @Test func aDeletionAlongAPathAsksBeforehand() throws {
        var plan = plan
        plan.add(.compare(.equal, .column("name", of: Shop.customer(of: order)), .text("Ada")))
        #expect(
            try plan.deleteSQL().sql == """
                DELETE FROM "orders" WHERE "id" IN (SELECT "orders"."id" FROM "orders" \
                JOIN "customers" "customer" ON "customer"."id" = "orders"."customerId" WHERE "customer"."name" = ?)
                """)
    }

    // MARK: - Queries inside queries

    private func orders(
        _ condition: (_ order: Source) -> ExpressionNode, selecting column: String? = nil
    ) -> QueryPlan {
        var plan = QueryPlan(Shop.orders)
        let order = plan.newSource()
        plan.add(condition(order))
        if let column { plan.selection = [.column(column, of: order)] }
        return plan
    }

    @Test func aColumnOfAnInnerQueryAndTheSameOfTheOuterAreTwo() throws {
        let inner = orders { .compare(.notEqual, .column("id", of: $0), column("id")) }
        #expect(
            try filter(.exists(inner)) == """
                SELECT COUNT(*) FROM "orders" \
                WHERE EXISTS (SELECT 1 FROM "orders" "orders2" WHERE "orders2"."id" <> "orders"."id")
                """)
    }

    @Test func aPathOfTheOuterQueryIsJoinedThere() throws {
        let customer = Shop.customer(of: order)
        let inner = orders { .compare(.equal, .column("customerId", of: $0), .column("id", of: customer)) }
        #expect(
            try filter(.exists(inner)) == """
                SELECT COUNT(*) FROM "orders" JOIN "customers" "customer" ON "customer"."id" = "orders"."customerId" \
                WHERE EXISTS (SELECT 1 FROM "orders" "orders2" WHERE "orders2"."customerId" = "customer"."id")
                """)
    }

    @Test func aColumnWithoutSourceBelongsToTheInnermostQuery() throws {
        let inner = orders { _ in .compare(.greater, .column("count", of: nil), .number(1)) }
        #expect(try filter(.exists(inner)).hasSuffix(#"FROM "orders" "orders2" WHERE "orders2"."count" > ?)"#))
    }

    @Test func aColumnOutsideItsClosureIsRefused() {
        let elsewhere = Source(Shop.orders)
        let error = #expect(throws: StorageError.self) { try filter(.isNull(.column("note", of: elsewhere))) }
        #expect(error?.localizedDescription.contains("outside the closure") == true)
    }

    @Test func nilIsInAQueryThatFindsNil() throws {
        let notNull = orders({ _ in .never }, selecting: "count")
        #expect(
            try filter(.isInQuery(column("count"), notNull)).hasSuffix(
                #"WHERE "orders"."count" IN (SELECT "orders2"."count" FROM "orders" "orders2" WHERE ?)"#))
        let nullable = orders({ _ in .never }, selecting: "note")
        let list = #"SELECT "orders2"."note" AS "value" FROM "orders" "orders2" WHERE ?"#
        #expect(
            try filter(.isInQuery(column("note"), nullable)).hasSuffix(
                #"WHERE ("orders"."note" IN (\#(list)) OR "orders"."note" IS NULL AND "#
                    + #"EXISTS (SELECT 1 FROM (\#(list)) WHERE "value" IS NULL))"#))
    }

    @Test func aQueryOfOneRowIsAValue() throws {
        var inner = QueryPlan(Shop.orders)
        inner.groupKeys = []
        inner.selection = [.aggregate(Aggregate(.average, .column("count", of: inner.newSource())))]
        #expect(
            try filter(.compare(.less, .scalar(inner), .cast(column("count"), to: .real))).hasSuffix(
                #"WHERE (SELECT storagekit_mean("orders2"."count") FROM "orders" "orders2") < CAST("orders"."count" AS REAL)"#
            ))
    }

    // MARK: - Groups

    @Test func groupsHaveKeysConditionsAndAggregates() throws {
        var plan = plan
        let paid = Aggregate(.count, where: column("isPaid"))
        plan.groupKeys = [column("customerId"), column("price")]
        plan.having = .compare(.greater, .aggregate(Aggregate(.count)), .number(1))
        plan.selection = [
            column("customerId"), .aggregate(paid), .aggregate(Aggregate(.count, column("note"), isDistinct: true)),
        ]
        plan.sort(by: .aggregate(paid), .descending)
        #expect(
            try plan.selectionSQL().sql == """
                SELECT "customerId", COUNT(*) FILTER (WHERE "isPaid" = ?), COUNT(DISTINCT "note") FROM "orders" \
                GROUP BY "customerId", "price" COLLATE storagekit_decimal HAVING COUNT(*) > ? \
                ORDER BY COUNT(*) FILTER (WHERE "isPaid" = ?) DESC
                """)
    }

    // MARK: - Comparisons

    @Test func twoColumnsAreComparedAsSwiftComparesThem() throws {
        #expect(try condition(.compare(.equal, column("id"), column("count"))) == #""id" = "count""#)
        #expect(try condition(.compare(.notEqual, column("id"), column("count"))) == #""id" <> "count""#)
        #expect(try condition(.compare(.equal, column("id"), column("courierId"))) == #""id" IS "courierId""#)
        #expect(try condition(.compare(.notEqual, column("courierId"), column("id"))) == #""courierId" IS NOT "id""#)
        #expect(
            try condition(.not(.compare(.less, column("courierId"), column("id"))))
                == #"("courierId" < "id") IS NOT TRUE"#)
    }

    @Test func datesOfColumnsAreComparedInOneSpelling() throws {
        let spelled = #"CASE length("at") WHEN 19 THEN "at" || '.000' ELSE "at" END"#
        #expect(try condition(.compare(.less, column("at"), column("at"))) == "\(spelled) < \(spelled)")
    }

    @Test func aConstantMayStandOnTheLeft() throws {
        #expect(try condition(.compare(.less, .number(1), column("count"))) == #"? < "count""#)
    }

    // MARK: - Values

    @Test func aConditionIsAValueThatIsTrueOrFalse() throws {
        #expect(try value(.compare(.greater, column("courierId"), .number(1))) == #"("courierId" > ?) IS TRUE"#)
        #expect(try value(.compare(.greater, column("count"), .number(1))) == #""count" > ?"#)
        #expect(try value(column("isPaid")) == #""isPaid""#)
    }

    @Test func whatIsCalculatedStandsInParenthesesBesideAnOperator() throws {
        let sum = ExpressionNode.arithmetic(.add, column("count"), .number(1))
        #expect(try value(.arithmetic(.multiply, sum, .number(2))) == #"storagekit_int(("count" + ?) * ?)"#)
        #expect(try condition(.compare(.greater, sum, .number(3))) == #"storagekit_int("count" + ?) > ?"#)
    }

    @Test func choicesAndOthersHaveTheirSQL() throws {
        let choice = ExpressionNode.choice([Choice(column("isPaid"), .number(2))], otherwise: column("count"))
        #expect(try value(choice) == #"CASE WHEN "isPaid" = ? THEN ? ELSE "count" END"#)
        #expect(try value(.firstNotNull([column("note"), .text("-")])) == #"COALESCE("note", ?)"#)
        #expect(try value(.cast(column("count"), to: .text)) == #"CAST("count" AS TEXT)"#)
    }

    // MARK: - SQL of the app's

    @Test func columnsAndValuesStandInTheAppsSQLAsThemselves() throws {
        let sql = ExpressionNode.sql(
            [.expression(column("note")), .text(" GLOB "), .expression(.text("a*"))],
            ValueForm(type: .boolean, mayBeNull: true))
        #expect(try condition(sql) == #"("note" GLOB ?)"#)
        #expect(try condition(.not(sql)) == #"(("note" GLOB ?)) IS NOT TRUE"#)
    }

    @Test(arguments: ["?", "?1", ":a", "@a", "$a", "'", "\"x", "(", ") OR (1", "1; 2", "1 -- 2", "1 /* 2", "1\0"])
    func whatCouldReachBeyondItsPlaceIsRefused(text: String) {
        #expect(throws: StorageError.self) { try condition(.sql([.text(text)], ValueForm(type: nil, mayBeNull: true))) }
    }

    @Test func aValueInsideQuotationMarksIsRefused() {
        let pieces = [SQLPiece.text("'"), .expression(.text("x")), .text("'")]
        #expect(throws: StorageError.self) { try condition(.sql(pieces, ValueForm(type: nil, mayBeNull: true))) }
    }

    // MARK: - Literals

    @Test func aConditionOfTheSchemaHasItsValuesInTheText() throws {
        var plan = plan
        plan.add(.compare(.equal, column("note"), .text("it's")))
        plan.add(.isIn(column("count"), [.integer(1), .integer(.min)], nil, orNull: false))
        plan.add(column("isPaid"))
        #expect(
            try plan.filterLiteral()
                == #"("note" = 'it''s') AND ("count" IN (-9223372036854775808, 1)) AND ("isPaid" = 1)"#)
    }

    @Test func aNULInAConditionOfTheSchemaStandsThereByAnotherCharacter() throws {
        var plan = plan
        plan.add(.compare(.equal, column("note"), .text("a\0b\u{1}")))
        #expect(try plan.filterLiteral() == "\"note\" = replace('a\u{2}b\u{1}', '\u{2}', char(0))")
    }

    @Test(arguments: [(Double.infinity, "9e999"), (-Double.infinity, "-9e999"), (-0.5, "-0.5")])
    func aNumberBeyondAllOthersHasItsSignInTheText(number: Double, text: String) {
        #expect(StoredValue.real(number).literal == text)
    }

    @Test func aConditionOfTheSchemaNeedsNothingOfOurs() {
        let conditions: [ExpressionNode] = [
            .compare(.greater, column("price"), .text("1")),
            .match(.contains, column("note"), needle: .text("x"), ignoringCase: true),
            .compare(.equal, .column("name", of: Shop.customer(of: order)), .text("x")),
        ]
        for condition in conditions {
            var plan = plan
            plan.add(condition)
            #expect(throws: StorageError.self) { try plan.filterLiteral() }
        }
    }
}
