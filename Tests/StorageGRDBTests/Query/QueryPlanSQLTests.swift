import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct QueryPlanSQLTests {
    @StorageEntity
    struct Person {
        var id: String
        var name: String
        var nickname: String?
        var age: Int
        var isActive: Bool
    }

    private let table = RecordTable(PersonRecord.self)
    private let empty: QueryPlan
    private let row: ColumnRef<Person>

    init() {
        var plan = QueryPlan(table.source)
        row = ColumnRef(plan.newSource())
        empty = plan
    }

    private func filter(_ predicate: Predicate) throws -> String {
        var plan = empty
        plan.add(predicate.node)
        let sql = try plan.countSQL().sql
        return sql.replacingOccurrences(of: #"SELECT COUNT(*) FROM "persons" WHERE "#, with: "")
    }

    @Test func eachOperatorHasItsSQL() throws {
        #expect(try filter(row.age == 1) == #""age" = ?"#)
        #expect(try filter(row.age != 1) == #""age" <> ?"#)
        #expect(try filter(row.age < 1) == #""age" < ?"#)
        #expect(try filter(row.age <= 1) == #""age" <= ?"#)
        #expect(try filter(row.age > 1) == #""age" > ?"#)
        #expect(try filter(row.age >= 1) == #""age" >= ?"#)
        #expect(try filter(row.nickname == nil) == #""nickname" IS NULL"#)
        #expect(try filter(row.nickname != nil) == #""nickname" IS NOT NULL"#)
        #expect(try filter(row.nickname != "x") == #""nickname" IS NOT ?"#)
        #expect(try filter(row.nickname.isNull) == #""nickname" IS NULL"#)
        #expect(try filter(row.nickname.isNotNull) == #""nickname" IS NOT NULL"#)
        #expect(try filter(row.name.contains("x")) == #"instr("name", ?) > 0"#)
        #expect(
            try filter(row.name.hasPrefix("x"))
                == #""name" COLLATE BINARY >= ? AND "name" COLLATE BINARY < ? || x'FFFF'"#)
        #expect(
            try filter(row.name.hasSuffix("x"))
                == #"substr(CAST("name" AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)"#)
    }

    @Test func compoundPredicatesStandInParentheses() throws {
        #expect(try filter(row.age >= 18 && row.isActive) == #"("age" >= ?) AND ("isActive" = ?)"#)
        #expect(try filter(row.age < 1 || !row.isActive) == #"("age" < ?) OR ("isActive" = ?)"#)
    }

    @Test func valuesNeverReachTheText() throws {
        let hostile = #"'; DROP TABLE "persons"; --"#
        var plan = empty
        plan.add((row.name == hostile || row.name.contains(hostile) || row.nickname == hostile).node)
        let query = try plan.selectSQL()
        #expect(!query.sql.contains("DROP"))
        #expect(query.arguments.count == 3)
    }

    @Test func ordersAddUpAndAnOffsetNeedsNoLimit() throws {
        var plan = empty
        plan.sort(by: "name", .ascending)
        plan.sort(by: "age", .descending)
        plan.offset = 5
        let query = try plan.selectSQL()
        #expect(query.sql.hasSuffix(#"FROM "persons" ORDER BY "name" ASC, "age" DESC LIMIT ? OFFSET ?"#))
        #expect(query.arguments == [.integer(-1), .integer(5)])
    }

    @Test func anUnknownColumnIsNamedBesideTheKnownOnes() {
        var plan = empty
        plan.sort(by: "nmae", .ascending)
        let error = #expect(throws: StorageError.self) { try plan.selectSQL() }
        #expect(error?.localizedDescription.contains("'nmae'") == true)
        #expect(error?.localizedDescription.contains("id, name, nickname, age, isActive, updatedAt") == true)
    }

    @Test(arguments: [(-1, nil), (nil, -1)] as [(Int?, Int?)])
    func aNegativeLimitOrOffsetIsRefused(limit: Int?, offset: Int?) {
        var plan = empty
        plan.limit = limit
        plan.offset = offset
        #expect(throws: StorageError.self) { try plan.selectSQL() }
    }

    @Test func aValueThatCannotBeStoredMakesTheQueryThrow() {
        var plan = empty
        plan.add((Column<Double>("age") == .nan).node)
        #expect(throws: StorageError.self) { try plan.selectSQL() }
    }
}
