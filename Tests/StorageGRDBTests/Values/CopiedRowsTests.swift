import GRDB
import GRDBSQLite
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// A copy of a row is read as the row itself.
@Suite struct CopiedRowsTests {
    private let queue: GRDB.DatabaseQueue

    init() throws {
        queue = try GRDB.DatabaseQueue()
    }

    /// Runs `body` with the rows as a statement steps over them.
    private func forEach(
        _ rows: [[StoredValue]], _ body: @escaping @Sendable (Int, StatementCells) throws -> Void
    ) async throws {
        try await queue.write { db in
            let columns = (0..<(rows.first?.count ?? 0)).map { "c\($0)" }.joined(separator: ", ")
            try db.execute(sql: "CREATE TABLE t (\(columns))")
            let marks = [String](repeating: "?", count: rows.first?.count ?? 0).joined(separator: ", ")
            let insertion = try db.makeStatement(sql: "INSERT INTO t VALUES (\(marks))")
            for row in rows {
                try insertion.bind(row)
                try insertion.run()
            }
            let select = try db.makeStatement(sql: "SELECT * FROM t ORDER BY rowid")
            for index in rows.indices {
                #expect(sqlite3_step(select.sqliteStatement) == SQLITE_ROW)
                try body(index, StatementCells(statement: select.handle))
            }
            sqlite3_reset(select.sqliteStatement)
            try db.execute(sql: "DROP TABLE t")
        }
    }

    private func randomValue(_ random: inout SeededGenerator) -> StoredValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .null
        case 1: .integer([0, -1, .min, .max, 1 << 53].randomElement(using: &random) ?? 0)
        case 2: .real([0, -0.5, 1e300, 3, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0)
        case 3: .text(["", "a\u{0}b", "2026-01-01 00:00:00.000", "é", "\u{1F600}"].randomElement(using: &random) ?? "")
        case 4: .text(String(repeating: "x", count: Int.random(in: 0...5000, using: &random)))
        case 5: .blob(Data())
        default: .blob(Data(repeating: 7, count: Int.random(in: 0...40_000, using: &random)))
        }
    }

    @Test func copiesHoldWhatTheRowsHeldLongAfterThem() async throws {
        var random = SeededGenerator()
        for _ in 0..<programCount(quick: 10, full: 200) {
            let columns = Int.random(in: 1...12, using: &random)
            let rows = (0..<60).map { _ in (0..<columns).map { _ in randomValue(&random) } }
            let seed = random.seed
            let copies = Copies(columns: columns)
            try await forEach(rows) { _, row in copies.add(row) }
            let found = copies.read { row in (0..<columns).map { row.storedValue(at: Int32($0)) } }
            #expect(found == rows, "STORAGEKIT_SEED=\(seed)")
        }
    }

    @Test func everyReadOfACopyGivesWhatTheRowGives() async throws {
        var random = SeededGenerator()
        let rows = (0..<200).map { _ in [randomValue(&random)] }
        let seed = random.seed
        try await forEach(rows) { index, row in
            var copies = CopiedRows(columns: 1)
            let copy = copies.append(row)
            let values = ValueCells(values: rows[index])
            for cells in [copy, row] as [any RawCells] {
                #expect(cells.storageClass(at: 0) == values.storageClass(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.integer(at: 0) == values.integer(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.real(at: 0) == values.real(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.text(at: 0) == values.text(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.blob(at: 0) == values.blob(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.bytes(at: 0) == values.bytes(at: 0), "STORAGEKIT_SEED=\(seed)")
                #expect(cells.date(at: 0) == values.date(at: 0), "STORAGEKIT_SEED=\(seed)")
            }
            withExtendedLifetime(copies) {}
        }
    }

    @Test(arguments: [1 << 20, (1 << 20) - 5, (1 << 20) - 4, 5_000_000])
    func aRowMayTakeMoreThanABlock(size: Int) async throws {
        let rows: [[StoredValue]] = [1, size, 2].map { [.blob(Data(repeating: 9, count: $0))] }
        let copies = Copies(columns: 1)
        try await forEach(rows) { _, row in copies.add(row) }
        #expect(copies.read { [$0.storedValue(at: 0)] } == rows)
    }

    /// Rows to copy into from a closure.
    private final class Copies: @unchecked Sendable {
        private var rows: CopiedRows
        private var cells: [CopiedCells] = []

        init(columns: Int) {
            rows = CopiedRows(columns: columns)
        }

        func add(_ row: StatementCells) {
            cells.append(rows.append(row))
        }

        func read<T>(_ body: (CopiedCells) -> T) -> [T] {
            withExtendedLifetime(self) { cells.map(body) }
        }
    }
}
