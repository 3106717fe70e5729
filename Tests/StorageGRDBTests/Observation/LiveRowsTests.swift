import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// The rows of a live list against a plain array, sorted anew each time.
@Suite struct LiveRowsTests {
    private typealias Rows = LiveRows<Int>

    private let order = RowOrder(terms: [.init(isDescending: false, nullsFirst: true, isDecimal: false)])

    /// Rows by id, each with the number that it is sorted by.
    private func items(_ table: [Int64: Int64], window: Int? = nil) -> [Rows.Item] {
        let all = table.map { item($0.key, $0.value) }.sorted { order.isBefore($0.place, $1.place) }
        return Array(all.prefix(window ?? .max))
    }

    private func item(_ id: Int64, _ number: Int64) -> Rows.Item {
        Rows.Item(id: .integer(id), place: RowPlace(keys: [.integer(number)], rowid: id), entity: Int(id))
    }

    @Test(arguments: [nil, 0, 1, 4])
    func changedRowsComeToStandWhereASortPutsThem(window: Int?) throws {
        var random = SeededGenerator()
        let seed = random.seed
        for _ in 0..<programCount(quick: 300, full: 20_000) {
            var table: [Int64: Int64] = [:]
            for id in 0..<Int64.random(in: 0...9, using: &random) { table[id] = .random(in: 0...3, using: &random) }
            var rows = try #require(Rows(items(table, window: window), order: order, window: window))
            for _ in 0..<8 {
                let ids = Set(
                    (0..<Int.random(in: 0...5, using: &random)).map { _ in Int64.random(in: 0...12, using: &random) })
                for id in ids { table[id] = Bool.random(using: &random) ? .random(in: 0...3, using: &random) : nil }
                let found = ids.compactMap { id in table[id].map { item(id, $0) } }
                let before = rows.entities
                let outcome = rows.apply(Set(ids.map { .integer($0) }), found: found)
                let expected = items(table, window: window).map(\.entity)
                if outcome == .incomplete {
                    #expect(window != nil)
                    rows = try #require(Rows(items(table, window: window), order: order, window: window))
                }
                try #require(rows.entities == expected, "STORAGEKIT_SEED=\(seed)")
                if outcome == .unchanged { #expect(before == expected) }
            }
        }
    }

    @Test func rowsInAnotherOrderAreRefused() {
        let items = [item(1, 2), item(2, 1)]
        #expect(Rows(items, order: order, window: nil) == nil)
    }

    @Test func twoRowsOfOneIdAreRefused() {
        #expect(Rows([item(1, 1), item(1, 2)], order: order, window: nil) == nil)
    }
}
