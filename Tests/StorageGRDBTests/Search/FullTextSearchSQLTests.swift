import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

@Suite struct FullTextSearchSQLTests {
    @StorageEntity(table: "articles")
    struct Article {
        var id: String
        var title: String
    }

    @StorageEntity(table: "articles")
    struct NumberedArticle {
        var id: Int
        var title: String
    }

    private let table = RecordTable(ArticleRecord.self)

    private func plan(weights: [Double] = [], numbered: Bool = false) -> QueryPlan {
        var plan = QueryPlan(numbered ? RecordTable(NumberedArticleRecord.self).source : table.source)
        plan.add(FullTextSearch("ant", weights: weights))
        return plan
    }

    /// How SQLite goes about a query, one line for each step.
    private func steps(_ plan: QueryPlan, numbered: Bool = false) throws -> [String] {
        let store = try FullTextFixture(numbered ? .integer : .text)
        return try store.queue.write { db in
            try db.execute(sql: "ALTER TABLE articles ADD COLUMN updatedAt DATETIME")
            let query = try plan.selectSQL()
            let sql = try db.sql(of: query)
            let arguments = StatementArguments(query.arguments.map { _ in 0 })
            return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments).map { $0["detail"] }
        }
    }

    @Test func aSearchIsAJoinOfTheIndexWithTheTable() throws {
        let query = try plan().selectSQL()
        #expect(
            query.sql == """
                SELECT "id", "title", "updatedAt" FROM (SELECT "storagekit_keys_articles"."id" AS "storagekit_key", \
                "articles_fts"."rank" AS "storagekit_rank" FROM "articles_fts" CROSS JOIN "storagekit_keys_articles" \
                ON "storagekit_keys_articles"."docid" = "articles_fts"."rowid" WHERE "articles_fts" MATCH ?) \
                CROSS JOIN "articles" ON "storagekit_key" = "articles"."id" ORDER BY "storagekit_rank" ASC
                """)
        #expect(query.arguments == [.text("ant")])
    }

    @Test func allValuesTravelAsArguments() throws {
        var plan = plan(weights: [1, 2])
        plan.add(FullTextSearch("bee", weights: []))
        plan.limit = 3
        let query = try plan.selectSQL(
            passage: .snippet(column: 1, tokens: 5, open: "(", close: ")", ellipsis: "-"))
        #expect(
            query.arguments == [
                .real(1), .real(2), .integer(1), .text("("), .text(")"), .text("-"), .integer(5), .text("ant"),
                .text("bee"), .integer(3),
            ])
        #expect(query.sql.count(where: { $0 == "?" }) == query.arguments.count)
    }

    @Test(arguments: [false, true])
    func hitsAreSortedByTheIndexItself(numbered: Bool) throws {
        let steps = try steps(plan(numbered: numbered), numbered: numbered)
        #expect(steps.first?.hasPrefix("SCAN articles_fts VIRTUAL TABLE") == true)
        #expect(steps.dropFirst().allSatisfy { $0.hasPrefix("SEARCH") })
        #expect(steps.count == 3)
    }

    @Test(arguments: [false, true])
    func theIndexIsAskedOnceWhateverElseIsAsked(numbered: Bool) throws {
        var plan = plan(weights: [1, 2], numbered: numbered)
        plan.add(column: "id", equals: "1")
        plan.add(FullTextSearch("bee", weights: []))
        plan.sort(by: "title", .ascending)
        let steps = try steps(plan, numbered: numbered)
        #expect(steps.first?.hasPrefix("SCAN articles_fts VIRTUAL TABLE") == true)
        #expect(steps.contains { $0.hasPrefix("LIST SUBQUERY") })
        #expect(!steps.contains { $0.hasPrefix("CORRELATED") || $0.hasPrefix("MATERIALIZE") })
    }

    @Test func whatNeedsNoOrderHasNone() throws {
        let plan = plan()
        for query in try [
            plan.countSQL(), plan.existsSQL(), plan.deleteSQL(), plan.valuesSQL(.column("title", of: nil)),
        ] {
            #expect(!query.sql.contains("ORDER BY"))
            #expect(query.searches.count == 1)
        }
    }
}
