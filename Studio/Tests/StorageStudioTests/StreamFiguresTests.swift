import StorageCore
import Testing

@testable import StorageStudio

@Suite struct StreamFiguresTests {
    private func read(
        _ sql: String = "SELECT 1", _ scope: StreamRead.Scope = .all, rows: Int = 1, isNew: Bool = true
    ) -> StreamRead {
        StreamRead(table: "t", sql: sql, scope: scope, rowCount: rows, isNew: isNew, duration: .milliseconds(2))
    }

    @Test func aStreamTellsHowOftenItWasReadAsAWholeAndWithoutAChange() throws {
        let figures = StreamFigures()
        figures.add(read(rows: 10))
        figures.add(read("SELECT 1", .rows, rows: 1, isNew: false))
        figures.add(read("SELECT 1", .rows, rows: 2))
        let figure = try #require(figures.takeChanged().first)
        #expect(figure.reads == 3)
        #expect(figure.wholeReads == 1)
        #expect(figure.unchangedReads == 1)
        #expect(figure.allRows == 13 && figure.rows == 2 && figure.scope == "rows")
    }

    @Test func soManyStreamsAreCountedAndThoseThatAreKnownGoOn() {
        let figures = StreamFigures()
        for number in 0...StreamFigures.most { figures.add(read("SELECT \(number)")) }
        figures.add(read("SELECT 0"))
        let changed = figures.takeChanged()
        #expect(changed.count == StreamFigures.most)
        #expect(changed.first?.reads == 2)
    }
}
