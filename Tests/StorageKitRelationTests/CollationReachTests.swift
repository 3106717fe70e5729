import StorageKit
import StorageTestSupport
import Testing

@StorageEntity(table: "papers") private struct Paper {
    var id: Int
    var price: Decimal
    var ratio = 0.0
    var hash: Data = Data()
    var number: UInt64 = 0
    var ownerId: Int
    var first: Date = Date(timeIntervalSince1970: 0)
    var second: Date = Date(timeIntervalSince1970: 1)
}

@StorageEntity(table: "holders") private struct Holder {
    var id: Int
    var ratio = 0.0
    @StorageHasMany(foreignKey: "ownerId") var papers: [Paper]
}

/// A condition on decimals compares by a collation of its own, which is not to reach what stands around it.
@Suite struct CollationReachTests {
    private let store: TemporaryStore
    private var storage: Storage { store.storage }
    private let hash = Data([0xFF, 0, 1])

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(PaperRecord.self, HolderRecord.self) }
        try await storage.save([
            Paper(id: 1, price: 20, ratio: 0.1 + 0.2, hash: hash, number: .max, ownerId: 1),
            Paper(id: 2, price: 7, ratio: 0.5, hash: hash, number: 3, ownerId: 2),
            Paper(id: 3, price: 1, ratio: 0.75, hash: hash, number: 3, ownerId: 2),
        ])
        try await storage.save([Holder(id: 1, ratio: 0.3), Holder(id: 2, ratio: 0.5)])
    }

    private func holders(_ condition: (ColumnRef<Holder>) -> Predicate) async throws -> [Int] {
        try await storage.query(Holder.self).where(condition).orderBy(\.id).fetch().map(\.id)
    }

    @Test func whatIsNoTextIsComparedAsItIs() async throws {
        let hash = hash
        #expect(try await holders { $0.papers.max(\.hash, where: { $0.price > 1 }) == hash } == [1, 2])
        #expect(try await holders { $0.papers.max(\.hash, where: { $0.price > 1 }).in([hash]) } == [1, 2])
        #expect(try await holders { $0.papers.max(\.number, where: { $0.price > 1 }) == UInt64.max } == [1])
        #expect(try await holders { $0.papers.max(\.ratio, where: { $0.price > 1 }) == 0.3 } == [])
        #expect(try await holders { $0.ratio == $0.papers.max(\.ratio, where: { $0.price > 1 }) } == [2])
    }

    @Test func pagesInTheOrderOfWhatIsNoTextLoseNoRow() async throws {
        let query = storage.query(Holder.self).orderBy { $0.papers.max(\.hash, where: { $0.price > 1 }) }
        let first = try await query.page(limit: 1)
        let second = try await query.page(after: first.next, limit: 1)
        #expect((first.items + second.items).map(\.id) == [1, 2])
        #expect(second.next == nil)
    }

    /// `9` and `9.0` are one decimal and two texts.
    private func label(_ paper: ColumnRef<Paper>) -> Column<String> {
        (paper.price > 10).then("10", else: (paper.price > 5).then("9.0", else: "9"))
    }

    @Test func textsThatNestedConditionsChooseAreComparedAsTexts() async throws {
        let query = storage.query(Paper.self)
        #expect(try await query.where { label($0) == "9" }.fetch().map(\.id) == [3])
        #expect(try await query.where { label($0).lowercased() == "9" }.fetch().map(\.id) == [3])
        #expect(try await query.orderBy { label($0) }.fetch().map(\.id) == [1, 3, 2])
        #expect(try await query.select { label($0) }.distinct().fetch().count == 3)
        #expect(try await query.group { label($0) }.select { $0.count() }.fetch() == [1, 1, 1])
    }

    @Test func aTextThatTheAppsSQLTakesFromADecimalIsComparedAsText() async throws {
        try await storage.save([
            Paper(id: 4, price: Decimal(string: "1.05")!, ownerId: 1),
            Paper(id: 5, price: Decimal(string: "1.5")!, ownerId: 1),
        ])
        let cents = { (paper: ColumnRef<Paper>) in
            Column<String>(sql: "substr(\(paper.price), instr(\(paper.price), '.') + 1)")
        }
        let query = storage.query(Paper.self).where { $0.id > 3 }
        #expect(try await query.where { cents($0) == "5" }.fetch().map(\.id) == [5])
        #expect(try await query.group { cents($0) }.select { $0.count() }.fetch() == [1, 1])
        #expect(try await query.select { cents($0) }.distinct().fetch().count == 2)
        let choice = { (paper: ColumnRef<Paper>) in
            Column<String>(sql: "iif(\(paper.price > 1.2), '9.0', '9')")
        }
        #expect(try await query.where { choice($0) == "9" }.fetch().map(\.id) == [4])
    }

    @Test func theCollationThatTheAppGivesAValueInItsSQLIsThatOfTheSQL() async throws {
        let label = { (paper: ColumnRef<Paper>) in
            (paper.price > 10).then("Ann", else: "Bob").collated(.caseInsensitive)
        }
        let trimmed = { (paper: ColumnRef<Paper>) in Column<String>(sql: "trim(\(label(paper)))") }
        #expect(try await storage.query(Paper.self).where { trimmed($0) == "ANN" }.fetch().map(\.id) == [1])
    }

    @Test func aCollationOfTheAppsSQLInAConditionIsNotThatOfWhatItChooses() async throws {
        for isSame in [
            Column<Bool>(sql: "'bob' collate nocase = 'BOB'"), Column<Bool>(sql: "'bob' COLLATE\nNOCASE = 'BOB'"),
        ] {
            let query = storage.query(Paper.self).where { _ in isSame.then("A", else: "B") == "a" }
            #expect(try await query.count() == 0)
        }
    }

    @Test func aCollationThatAChosenValueHasIsThatOfTheChoice() async throws {
        let found = try await storage.query(Paper.self).where {
            ($0.price > 5).then(($0.price > 10).then("Ann", else: "x").collated(.caseInsensitive), else: "ann") == "ANN"
        }.orderBy(\.id).fetch()
        #expect(found.map(\.id) == [1, 3])
    }

    @Test func theGreatestOfManyDatesIsNotWrittenAgainAtEachLevel() async throws {
        let found = storage.query(Paper.self).where { paper in
            let greatest = (0..<15).reduce(paper.first) { max($0, $1 % 2 == 0 ? paper.second : paper.first) }
            return greatest == Date(timeIntervalSince1970: 1)
        }
        let sql = try found.sql.sql
        #expect(sql.utf8.count < 10_000)
        #expect(try await found.count() == 3)
    }

    @Test func aLongChainOfConditionsOnGroupsIsWrittenOnce() async throws {
        let groups = storage.query(Paper.self).group(by: \.ownerId).having { group in
            (0..<3000).map { group.ownerId == $0 }.any
        }
        #expect(try await groups.select(\.ownerId).fetch().sorted() == [1, 2])
    }
}
