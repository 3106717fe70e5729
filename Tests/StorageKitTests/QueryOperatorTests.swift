import StorageKit
import StorageTestSupport
import Testing

/// Checks what a query asks SQLite and what comes of it.
///
/// - Parameter sql: The SQL behind `SELECT ... FROM "table"`.
private func expectQuery<E: RegisteredEntity>(
    _ query: Query<E>, sql: String, ids: [E.Id], at location: SourceLocation = #_sourceLocation
) async throws {
    let text = try query.sql.sql
    let table = "FROM \"\(E.Record.databaseTableName)\""
    let tail = text.range(of: table).map { String(text[$0.upperBound...].dropFirst()) }
    #expect(tail == sql, sourceLocation: location)
    #expect(try await query.fetch().map(\.id) == ids, sourceLocation: location)
}

@StorageEntity
struct Worker {
    var id: Int
    var name: String
    var nickname: String?
    var age: Int
    var height: Double?
    var isActive: Bool
    var level: Level
    var maybeLevel: Level?
    var wage: Decimal
    var born: Date
    @StorageEmbedded var home: PostalAddress?
}

@Suite struct QueryOperatorTests {
    private let store: TemporaryStore
    private var query: Query<Worker> { store.storage.query(Worker.self) }
    private static let born = Date(timeIntervalSince1970: 0)

    init() async throws {
        store = try TemporaryStore { schema in
            schema.autoSchema(WorkerRecord.self)
            schema.migration("index") { db in
                try db.create(index: "byName", on: "workers", columns: ["name"])
                try db.create(index: "byAge", on: "workers", columns: ["age"])
            }
        }
        func person(_ id: Int, _ name: String, _ nickname: String?, _ age: Int, _ level: Level) -> Worker {
            Worker(
                id: id, name: name, nickname: nickname, age: age, height: nickname == nil ? nil : Double(age) / 10,
                isActive: age > 20, level: level, maybeLevel: level == .low ? nil : level, wage: Decimal(age),
                born: QueryOperatorTests.born.addingTimeInterval(Double(age)), home: nil)
        }
        try await store.storage.save([
            person(1, "Ada", "Countess", 36, .high), person(2, "bo", nil, 9, .low),
            person(3, "Äda", "ADA", 100, .middle),
        ])
    }

    @Test func comparisons() async throws {
        try await expectQuery(query.where { $0.age == 36 }, sql: #"WHERE "age" = ?"#, ids: [1])
        try await expectQuery(query.where { $0.age != 36 }, sql: #"WHERE "age" <> ?"#, ids: [2, 3])
        try await expectQuery(query.where { $0.age < 36 }, sql: #"WHERE "age" < ?"#, ids: [2])
        try await expectQuery(
            query.where { $0.age <= 36 }.orderBy(\.id), sql: #"WHERE "age" <= ? ORDER BY "id" ASC"#, ids: [1, 2])
        try await expectQuery(query.where { $0.age > 36 }, sql: #"WHERE "age" > ?"#, ids: [3])
        try await expectQuery(query.where { $0.height >= 10 }, sql: #"WHERE "height" >= ?"#, ids: [3])
        try await expectQuery(query.where { $0.nickname != "ADA" }, sql: #"WHERE "nickname" IS NOT ?"#, ids: [1, 2])
        try await expectQuery(query.where { $0.isActive }, sql: #"WHERE "isActive" = ?"#, ids: [1, 3])
        try await expectQuery(query.where { $0.level == .low }, sql: #"WHERE "level" = ?"#, ids: [2])
        try await expectQuery(
            query.where { $0.wage > 9 }, sql: #"WHERE "wage" COLLATE storagekit_decimal > ?"#, ids: [1, 3])
        let born = QueryOperatorTests.born.addingTimeInterval(36)
        try await expectQuery(query.where { $0.born == born }, sql: #"WHERE "born" IN (?, ?)"#, ids: [1])
    }

    @Test func nulls() async throws {
        try await expectQuery(query.where { $0.nickname == nil }, sql: #"WHERE "nickname" IS NULL"#, ids: [2])
        try await expectQuery(
            query.where { $0.nickname.isNotNull }, sql: #"WHERE "nickname" IS NOT NULL"#, ids: [1, 3])
        try await expectQuery(query.where { $0.maybeLevel.isNull }, sql: #"WHERE "maybeLevel" IS NULL"#, ids: [2])
        try await expectQuery(query.where { $0.height != nil }, sql: #"WHERE "height" IS NOT NULL"#, ids: [1, 3])
    }

    @Test func listsAndRanges() async throws {
        try await expectQuery(
            query.where { $0.age.in([9, 36]) }.orderBy(\.id), sql: #"WHERE "age" IN (?, ?) ORDER BY "id" ASC"#,
            ids: [1, 2])
        try await expectQuery(query.where { $0.age.in([]) }, sql: "WHERE ?", ids: [])
        try await expectQuery(
            query.where { $0.nickname.in(["ADA", nil]) }, sql: #"WHERE ("nickname" IN (?) OR "nickname" IS NULL)"#,
            ids: [2, 3])
        try await expectQuery(
            query.where { $0.height.between(3.0...4.0) }, sql: #"WHERE ("height" >= ?) AND ("height" <= ?)"#, ids: [1])
        #expect(try await query.where { $0.nickname.in(["ADA": 1].keys) }.count() == 1)
        try await expectQuery(query.where { $0.nickname.in([nil]) }, sql: #"WHERE "nickname" IS NULL"#, ids: [2])
        try await expectQuery(
            query.where { $0.level.in([.low, .high]) }, sql: #"WHERE "level" IN (?, ?)"#, ids: [1, 2])
        try await expectQuery(
            query.where { $0.maybeLevel.in([.middle]) }, sql: #"WHERE "maybeLevel" IN (?)"#, ids: [3])
        try await expectQuery(
            query.where { $0.age.between(9...36) }.orderBy(\.id),
            sql: #"WHERE ("age" >= ?) AND ("age" <= ?) ORDER BY "id" ASC"#,
            ids: [1, 2])
        try await expectQuery(
            query.where { $0.wage.in([9]) }, sql: #"WHERE "wage" COLLATE storagekit_decimal IN (?)"#, ids: [2])
    }

    @Test func texts() async throws {
        try await expectQuery(query.where { $0.name.contains("d") }, sql: #"WHERE instr("name", ?) > 0"#, ids: [1, 3])
        try await expectQuery(
            query.where { $0.name.hasPrefix("A") },
            sql: #"WHERE "name" COLLATE BINARY >= ? AND "name" COLLATE BINARY < ? || x'FFFF'"#, ids: [1])
        try await expectQuery(
            query.where { $0.name.hasSuffix("a") },
            sql: #"WHERE substr(CAST("name" AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)"#, ids: [1, 3])
        try await expectQuery(
            query.where { $0.name.contains("ÄD", ignoringCase: true) },
            sql: #"WHERE instr(storagekit_fold("name"), ?) > 0"#, ids: [3])
        try await expectQuery(
            query.where { $0.name.hasPrefix("BO", ignoringCase: true) },
            sql: #"WHERE instr(storagekit_fold("name"), ?) = 1"#, ids: [2])
        try await expectQuery(
            query.where { $0.nickname.equalsIgnoringCase("ada") }, sql: #"WHERE storagekit_fold("nickname") = ?"#,
            ids: [3])
    }

    @Test(arguments: [("", [1, 3]), ("A", [3]), ("ess", [1]), ("xADA", []), (nil, [])] as [(String?, [Int])])
    func aTextEndsWithAnotherOfTheRow(name: String?, ids: [Int]) async throws {
        if let name { try await query.updateAll { [$0.name.set(to: name)] } }
        // The nicknames are "Countess", nil and "ADA".
        try await expectQuery(
            query.where { $0.nickname.hasSuffix($0.name) },
            sql: """
                WHERE CASE "name" WHEN '' THEN "nickname" IS NOT NULL \
                ELSE substr(CAST("nickname" AS BLOB), -length(CAST("name" AS BLOB))) = CAST("name" AS BLOB) END
                """, ids: ids)
    }

    @Test func aTextIsAnotherOfTheRowIgnoringCase() async throws {
        try await query.updateAll { [$0.name.set(to: "Ada")] }
        try await expectQuery(
            query.where { $0.nickname.equalsIgnoringCase($0.name) },
            sql: #"WHERE storagekit_fold("nickname") = storagekit_fold("name")"#, ids: [3])
    }

    @Test(arguments: [("ὈΔΥΣΣΕΎΣ", "Ὀδυσσεύς"), ("STRASSE", "straße"), ("ſ", "S"), ("ﬁ", "FI"), ("É", "é")])
    func caseMakesNoDifferenceInAnyScript(text: String, other: String) async throws {
        #expect(try await query.where { $0.id == 1 }.updateAll { [$0.nickname.set(to: text)] } == 1)
        #expect(try await query.where { $0.nickname.equalsIgnoringCase(other) }.fetch().map(\.id) == [1])
        #expect(try await query.where { $0.nickname.hasPrefix(other, ignoringCase: true) }.count() == 1)
        #expect(try await query.where { $0.nickname == other }.count() == 0)
    }

    @Test func logic() async throws {
        try await expectQuery(
            query.where { $0.age > 9 && $0.isActive && $0.level == .high },
            sql: #"WHERE ("age" > ?) AND ("isActive" = ?) AND ("level" = ?)"#, ids: [1])
        try await expectQuery(
            query.where { $0.age == 9 }.where { $0.name == "bo" }, sql: #"WHERE ("age" = ?) AND ("name" = ?)"#, ids: [2]
        )
        try await expectQuery(
            query.where { $0.age == 9 || $0.age == 36 && $0.isActive }.orderBy(\.id),
            sql: #"WHERE ("age" = ?) OR (("age" = ?) AND ("isActive" = ?)) ORDER BY "id" ASC"#, ids: [1, 2])
        try await expectQuery(query.where { !($0.age < 10) }, sql: #"WHERE NOT ("age" < ?)"#, ids: [1, 3])
        // Nil is not "ADA" either, so that the negation finds it.
        try await expectQuery(
            query.where { !($0.nickname == "ADA") }, sql: #"WHERE ("nickname" = ?) IS NOT TRUE"#, ids: [1, 2])
        try await expectQuery(query.where { !($0.height < 5) }, sql: #"WHERE ("height" < ?) IS NOT TRUE"#, ids: [2, 3])
    }

    @Test func orders() async throws {
        try await expectQuery(query.orderBy("age", .descending), sql: #"ORDER BY "age" DESC"#, ids: [3, 1, 2])
        try await expectQuery(
            query.orderBy(\.nickname, nulls: .last), sql: #"ORDER BY "nickname" ASC NULLS LAST"#, ids: [3, 1, 2])
        try await expectQuery(
            query.orderBy(\.isActive).orderBy("name", .descending, nulls: .first),
            sql: #"ORDER BY "isActive" ASC, "name" DESC NULLS FIRST"#, ids: [2, 3, 1])
        try await expectQuery(
            query.orderBy(\.wage), sql: #"ORDER BY "wage" COLLATE storagekit_decimal ASC"#, ids: [2, 1, 3])
        try await expectQuery(
            query.orderBy(\.home.city).orderBy(\.id).offset(1),
            sql: #"ORDER BY "home_city" ASC, "id" ASC LIMIT ? OFFSET ?"#, ids: [2, 3])
        #expect(try await query.first(by: \.age)?.id == 2)
        #expect(try await query.orderBy(\.name).first(by: \.age, .descending)?.id == 3)
        #expect(try await query.where { $0.age < 0 }.first(by: \.age) == nil)
    }

    @Test(arguments: [
        ("=", "byName"), ("prefix", "byName"), ("in", "byAge"), ("range", "byAge"), ("order", "byAge"),
    ]) func anIndexIsUsedWhereThereIsOne(operation: String, index: String) async throws {
        let query =
            switch operation {
            case "=": query.where { $0.name == "Ada" }
            case "prefix": query.where { $0.name.hasPrefix("Ad") }
            case "in": query.where { $0.age.in([1, 2]) }
            case "range": query.where { $0.age.between(1...2) }
            default: query.orderBy(\.age).limit(1)
            }
        let sql = try query.sql
        let plan = try await store.db.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.sql, arguments: StatementArguments(sql.arguments))
                .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("USING INDEX \(index)") }, "\(plan)")
    }

    @Test func aFlagThatIsDeniedIsFoundByItsIndex() async throws {
        try await store.db.write { try $0.execute(sql: "CREATE INDEX byFlag ON workers (isActive)") }
        let sql = try query.where { !$0.isActive }.sql
        let plan = try await store.db.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql.sql, arguments: StatementArguments(sql.arguments))
                .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("INDEX byFlag") }, "\(plan)")
    }

    /// So that SQLite prepares it once.
    @Test func identicalPlansAreOneStatementWhateverTheirValues() throws {
        func sql(_ age: Int, _ name: String, _ limit: Int) throws -> String {
            try query.where { $0.age > age && $0.name.contains(name) }.orderBy(\.wage).limit(limit).sql.sql
        }
        #expect(try sql(1, "a", 2) == sql(99, "';", 7))
    }

    @Test func aChainOfAnyLengthIsOneQuery() async throws {
        let age = Column<Int>("age")
        let either = (0..<5000).reduce(age == -1) { $0 || age == $1 }
        #expect(try await query.where { either }.count() == 3)
        let all = (0..<5000).reduce(query) { query, number in query.where { $0.age != number + 200 } }
        #expect(try await all.count() == 3)
    }

    @Test func aConditionNestedTooDeepIsAnErrorAndNeverATrap() async throws {
        let age = Column<Int>("age")
        let deep = (0..<20_000).reduce(age == 9) { condition, number in
            number.isMultiple(of: 2) ? condition && age != number + 200 : condition || age == -1
        }
        let error = await storageError { _ = try await query.where { deep }.fetch() }
        #expect(error?.localizedDescription.contains("nested more than") == true)
        let denied = (0..<20_001).reduce(age == 9) { condition, _ in !condition }
        #expect(try await query.where { denied }.orderBy(\.id).fetch().map(\.id) == [1, 3])
        let fine = (0..<60).reduce(age == 9) { condition, number in
            number.isMultiple(of: 2) ? condition && age != number + 200 : condition || age == -1
        }
        #expect(try await query.where { fine }.fetch().map(\.id) == [2])
        let many = (0..<60_000).reduce(age == -1) { $0 || age == $1 }
        // How many arguments a statement may have depends on how SQLite was built.
        let tooMany = await storageError {
            let count = try await query.where { many }.count()
            #expect(count == 3)
        }
        if let tooMany {
            guard case .queryFailed = tooMany else {
                Issue.record("unexpected: \(tooMany)")
                return
            }
        }
    }

    /// Levels that stand behind another operand take three symbols of SQLite's parser, of which it has a hundred.
    @Test(arguments: [20, 31, 40, 60])
    func aConditionNestedOnTheRightIsOneQuery(levels: Int) async throws {
        let age = Column<Int>("age")
        let deep = (0..<levels).reduce(age == 9) { condition, number in
            number.isMultiple(of: 2) ? age != number + 200 && condition : age == -1 || condition
        }
        #expect(try await query.where { deep }.fetch().map(\.id) == [2])
        #expect(try await query.where { !deep }.orderBy(\.id).fetch().map(\.id) == [1, 3])
        #expect(try await query.where { deep }.limit(5).updateAll { [$0.nickname.set(to: "x")] } == 1)
    }

    @Test func aConditionThatTheParserCannotFollowIsATypedError() async throws {
        let age = Column<Int>("age")
        var refused = 0
        for levels in stride(from: 60, to: 120, by: 5) {
            let deep = (0..<levels).reduce(age.in(0..<600)) { condition, number in
                let either = number.isMultiple(of: 2) ? age != number + 200 && condition : age == -1 || condition
                return number.isMultiple(of: 3) ? !either : either
            }
            let deeper = (0..<6).reduce(deep) { condition, number in
                number.isMultiple(of: 2) ? condition && (age == 1 || condition) : condition || (age == 2 && condition)
            }
            for condition in [deep, deeper] {
                let error = await storageError { _ = try await query.where { condition }.limit(1).deleteAll() }
                guard let error else { continue }
                refused += 1
                #expect(error.localizedDescription.contains("nested more than"), "\(levels): \(error)")
            }
        }
        #expect(refused > 0)
    }

    @Test func aConditionOfUsualDepthStandsAsItWasWritten() async throws {
        try await expectQuery(
            query.where { $0.age == 9 && ($0.isActive || ($0.name == "bo" && ($0.age > 1 || $0.age < 1))) },
            sql: #"WHERE ("age" = ?) AND (("isActive" = ?) OR (("name" = ?) AND (("age" > ?) OR ("age" < ?))))"#,
            ids: [2])
    }

    @Test func aListOfAnyLengthIsOneQuery() async throws {
        #expect(try await query.where { $0.age.in(0..<40_000) }.count() == 3)
        let names = (0..<40_000).map { "name \($0)'\"\u{1F600}" } + ["Äda"]
        #expect(try await query.where { $0.name.in(names) }.fetch().map(\.id) == [3])
    }
}
