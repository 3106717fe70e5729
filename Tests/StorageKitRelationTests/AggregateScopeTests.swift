import StorageKit
import StorageTestSupport
import Testing

/// Whose rows an aggregate is of, where queries stand inside others.
@Suite struct AggregateScopeTests {
    @StorageEntity(table: "scopedproducts")
    struct Product: Equatable {
        var id: Int
        var name: String
        var price: Int
        @StorageHasMany(foreignKey: "productId") var lines: [Line]
    }

    @StorageEntity(table: "scopedlines")
    struct Line: Equatable {
        var id: Int
        var quantity: Int
        var isOpen = true
        @StorageReference(Product.self) var productId: Int
    }

    private let store: TemporaryStore
    private var products: Query<Product> { store.storage.query(Product.self).orderBy(\.id) }
    private var lines: Query<Line> { store.storage.query(Line.self) }

    /// A has two lines, B one, and C none.
    init() async throws {
        store = try TemporaryStore { $0.autoSchema(ProductRecord.self, LineRecord.self) }
        for (id, name) in zip(1..., ["A", "B", "C"]) {
            try await store.storage.save(Product(id: id, name: name, price: id * 10, lines: []))
        }
        try await store.storage.save([
            Line(id: 1, quantity: 1, productId: 1), Line(id: 2, quantity: 2, productId: 1),
            Line(id: 3, quantity: 4, isOpen: false, productId: 2),
        ])
    }

    @Test func aSumOfWhatTheOuterRowSaysIsOfEachOuterRow() async throws {
        let sums = products.select { mine in (mine.name, mine.lines.sum { _ in mine.price }) }
        #expect(try await sums.fetch().map(\.1) == [20, 20, 0])
        #expect(try await products.where { mine in mine.lines.sum { _ in mine.price } == 20 }.count() == 2)
    }

    @Test(arguments: [false, true]) func whatIsMadeOfAllRowsIsOneRowThoughNoAggregateIsInIt(hasNone: Bool) async throws
    {
        if hasNone { try await lines.deleteAll() }
        let ofProducts = products.aggregate { $0.count() }.value
        let both = lines.aggregate { _ in (ofProducts, products.aggregate { $0.max(\.price) }.value) }
        let found = try await both.fetchOne()
        #expect(found?.0 == 3 && found?.1 == 30)
        let ofThose = products.aggregate { mine in lines.aggregate { _ in mine.sum(\.price) }.value }
        #expect(try await ofThose.fetchOne() == 60)
        let one = lines.aggregate { _ in ofProducts }
        #expect(try await products.where { _ in one.value == ofProducts }.count() == 3)
        #expect(try await products.select { _ in one.value }.fetch() == [3, 3, 3])
    }

    @Test func aSumOfWhatAQueryInsideSaysIsOfEachOuterRow() async throws {
        let sums = products.select { mine in mine.lines.sum { _ in mine.lines.count() } }
        #expect(try await sums.fetch() == [4, 1, 0])
    }

    @Test func aValueOfAnotherQueryIsOfEachRowBesideIt() async throws {
        let lines = lines
        let counts = products.select { mine in lines.aggregate { $0.count { _ in mine.price > 15 } }.value }
        #expect(try await counts.fetch() == [0, 3, 3])
        let most = products.select { mine in lines.aggregate { $0.max { _ in mine.price } }.value }
        #expect(try await most.fetch() == [10, 20, 30])
        #expect(
            try await products.where { mine in lines.aggregate { $0.count { _ in mine.price > 15 } }.value == 3 }
                .count() == 2)
    }

    @Test func aQueryInsideKnowsHowManyRowsTheGroupHas() async throws {
        let lines = lines
        let shares = lines.group(by: \.productId).orderBy(\.productId).select { mine in
            (mine.productId, lines.aggregate { 100 * mine.count() / $0.count() }.value)
        }
        #expect(try await shares.fetch().map(\.1) == [66, 33])
        let alike = lines.group(by: \.productId).orderBy(\.productId).having { mine in
            let large = lines.where { $0.quantity >= 2 }.group(by: \.productId)
            return mine.productId.in(large.having { $0.count() == mine.count() }.select(\.productId))
        }
        #expect(try await alike.select(\.productId).fetch() == [2])
    }

    @Test func aQueryInsideKnowsWhatTheGroupSumsUp() async throws {
        let lines = lines
        let shares = lines.group(by: \.productId).orderBy(\.productId).select { mine in
            (mine.productId, lines.aggregate { 100 * mine.sum(\.quantity) / $0.sum(\.quantity) }.value)
        }
        #expect(try await shares.fetch().map(\.1) == [42, 57])
    }

    @Test func groupsStandBesideAValueOfTheSameQuery() async throws {
        let open = lines.where { $0.isOpen }
        let all = open.aggregate { $0.count() }.value
        let shares = open.group(by: \.productId).select { ($0.productId, 100 * $0.count() / all) }
        #expect(try await shares.fetch().map(\.1) == [100])
        let columns = lines.aggregate { $0.max(\.quantity) }.value
        await #expect(throws: StorageError.self) {
            try await lines.group(by: \.productId).select { ($0.productId, $0.quantity, columns) }.fetch()
        }
    }

    @Test func aStreamHasTheRelationsOfAllItsRows() async throws {
        try await store.storage.save((4...600).map { Product(id: $0, name: "\($0)", price: $0, lines: []) })
        try await store.storage.save((4...600).map { Line(id: $0, quantity: 1, productId: $0) })
        let whole = products.including(\.lines)
        var streamed: [Product] = []
        for try await product in whole.stream() { streamed.append(product) }
        #expect(try await streamed == whole.fetch())
        #expect(streamed[599].lines.map(\.id) == [600])
        var lists: [[Int]] = []
        for try await list in products.select({ $0.lines }).stream() { lists.append(list.map(\.id)) }
        #expect(lists == streamed.map { $0.lines.map(\.id) })
    }

    @Test func sqlInAGroupAggregatesAColumnOfItsRows() async throws {
        let groups = lines.group(by: \.productId).orderBy { $0.productId }
        let ids = groups.select { ($0.productId, $0.sql("group_concat(\($0.id))", as: String?.self)) }
        #expect(try await ids.fetch().map(\.1) == ["1,2", "3"])
        let texts: [@Sendable (Rows<Line>) -> Column<String?>] = [
            { $0.sql("\($0.id) || ''", as: String?.self) }, { $0.sql("(\($0.id) || '(')", as: String?.self) },
            { $0.sql("upper(\($0.id))", as: String?.self) }, { $0.sql("count(*) + \($0.id)", as: String?.self) },
            { $0.sql("'max(' || \($0.id)", as: String?.self) },
        ]
        for text in texts {
            await #expect(throws: StorageError.self) { try await groups.select(text).fetch() }
        }
        let greatest = groups.select { $0.sql("max ((\($0.quantity)) + 1)", as: Int.self) }
        #expect(try await greatest.fetch() == [3, 5])
        let named = groups.select {
            $0.sql("CASE WHEN sum(\($0.quantity)) > 3 AND NOT max(\($0.id)) < 3 THEN 1 ELSE 0 END", as: Int.self)
        }
        #expect(try await named.fetch() == [0, 1])
    }

    @Test func whatALimitLeftIsGroupedAndMadeDistinctBehindAConditionToo() async throws {
        let two = lines.orderBy(\.id, .descending).limit(2)
        let some = two.where { $0.quantity > 0 }
        #expect(try await some.group(by: \.isOpen).select { ($0.isOpen, $0.count()) }.fetch().count == 2)
        #expect(try await Set(some.select(\.isOpen).distinct().fetch()) == [true, false])
        let joined = two.join(Product.self) { $0.productId == $1.id }
        #expect(
            try await joined.group { _, product in product.name }.select { $1.name }.fetch().sorted() == ["A", "B"])
        let sorted = some.orderBy(\.quantity).group(by: \.isOpen).select { $0.count() }
        await #expect(throws: StorageError.self) { try await sorted.fetch() }
        let groups = lines.group(by: \.productId).orderBy({ $0.count() }, .descending).limit(1)
        #expect(try await groups.having { $0.count() > 0 }.select { $0.productId }.distinct().fetch() == [1])
    }

    @Test func anIdAtTheEndOfAPathSettlesTheRow() async throws {
        let groups = lines.group { $0.product.id }.orderBy { $0.product.id }
        #expect(try await groups.select { ($0.product.name, $0.count()) }.fetch().map(\.0) == ["A", "B"])
    }

    @Test func aListThatLooksAtOtherRowsIsReadAsAWhole() async throws {
        let numbered = products.select {
            ($0.name, $0.sql("row_number() OVER (ORDER BY \($0.price) DESC)", as: Int.self))
        }
        let probe = StreamProbe(numbered.observe())
        #expect(try await probe.next().map(\.1) == [3, 2, 1])
        try await store.storage.save(Product(id: 1, name: "A", price: 90, lines: []))
        #expect(try await probe.next().map(\.1) == [1, 3, 2])
    }

    @Test func noPartOfAListThatLooksAtOtherRowsIsReadAlone() async throws {
        let numbered = products.select { ($0.name, $0.sql("rank() over (ORDER BY \($0.price))", as: Int.self)) }
        await #expect(throws: StorageError.self) { try await numbered.page(limit: 2) }
        #expect(try await numbered.fetch().map(\.1) == [1, 2, 3])
        let classes = products.select { mine in
            (mine.name, mine.sql("CASE WHEN \(mine.price) > 15 THEN ('over 15') ELSE 'under' END", as: String.self))
        }
        #expect(try await classes.page(limit: 2).items.map(\.1) == ["under", "over 15"])
    }
}
