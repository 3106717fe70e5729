import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Live lists sort as SQLite does.
@Suite struct RowOrderTests {
    private static let values: [StoredValue] = [
        .null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
        .integer(.max - 1), .real(0), .real(-0.0), .real(0.5), .real(-0.5), .real(.infinity), .real(-.infinity),
        .real(9_007_199_254_740_992), .real(9_223_372_036_854_775_808), .real(-9_223_372_036_854_775_808), .real(1e300),
        .text(""), .text("a"), .text("A"), .text("ab"), .text("é"), .text("e\u{301}"), .text("日本"), .text("a\0b"),
        .text("10"), .text("9"), .text("-9"), .text("9.5"), .blob(Data()), .blob(Data([0])), .blob(Data([97])),
        .blob(Data([255])), .blob(Data([97, 0])),
    ]

    @Test(arguments: [(false, true), (false, false), (true, true), (true, false)], [false, true])
    func rowsStandAsSQLiteSortsThem(_ direction: (isDescending: Bool, nullsFirst: Bool), isDecimal: Bool) throws {
        let (isDescending, nullsFirst) = direction
        // Other texts are no numbers; a decimal column has none.
        let values = Self.values.filter { value in
            if isDecimal, case .text(let text) = value { Double(text) != nil } else { true }
        }
        let queue = try GRDB.DatabaseQueue(configuration: PoolOptions().configuration())
        let sorted = try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
            for (a, b) in values.flatMap({ a in values.map { (a, $0) } }).shuffled() {
                let insert = try db.makeStatement(sql: "INSERT INTO t (a, b) VALUES (?, ?)")
                try insert.bind([a, b])
                try insert.run()
            }
            let term = isDecimal ? "COLLATE storagekit_decimal" : ""
            let direction = "\(isDescending ? "DESC" : "ASC") NULLS \(nullsFirst ? "FIRST" : "LAST")"
            let query = LoweredQuery(
                sql: "SELECT a, b, id FROM t ORDER BY a \(term) \(direction), b \(term) \(direction), id")
            var sorted: [RowPlace] = []
            try db.forEachRow(query, coders: .standard) { row in
                let rowid = try row.integer(at: 2, as: Int64.self)
                sorted.append(RowPlace(keys: [row.storedValue(at: 0), row.storedValue(at: 1)], rowid: rowid))
            }
            return sorted
        }
        let term = RowOrder.Term(isDescending: isDescending, nullsFirst: nullsFirst, isDecimal: isDecimal)
        let order = RowOrder(terms: [term, term])
        for (index, place) in sorted.enumerated().dropLast() {
            let next = sorted[index + 1]
            #expect(order.isBefore(place, next) && !order.isBefore(next, place), "\(place) and \(next)")
        }
    }
}
