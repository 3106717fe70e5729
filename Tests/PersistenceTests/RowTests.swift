import Persistence
import Testing

@Suite struct RowTests {
    @Test func aColumnIsFoundWhateverTheCaseOfItsLetters() {
        let row = Row(["Name": .text("a"), "É": .integer(1)])
        #expect(row.value("name") == .text("a"))
        #expect(row.value("NAME") == .text("a"))
        #expect(row.value("é") == nil)
        #expect(row.value("nothing") == nil)
    }

    @Test func theExactSpellingComesFirst() {
        let row = Row(["ID": .integer(1), "id": .integer(2)])
        #expect(row.value("id") == .integer(2))
        #expect(row.value("ID") == .integer(1))
        #expect(row.value("Id") == .integer(1))
    }

    @Test func theFirstOfSeveralColumnsOfOneNameCounts() async throws {
        let database = try await SQLiteDatabase.inMemory()
        let row = try await database.rows("SELECT 1 AS a, 2 AS a, NULL AS b").first
        #expect(row?.columns == ["a", "a", "b"])
        #expect(row?.value("a") == .integer(1))
        #expect(row?.value("b") == .null)
        #expect(row?.values == [.integer(1), .integer(2), .null])
    }

    @Test func rowsAreEqualByColumnsAndValues() async throws {
        let database = try await SQLiteDatabase.inMemory()
        let rows = try await database.rows("SELECT 1 AS a UNION ALL SELECT 1 UNION ALL SELECT 2")
        #expect(rows[0] == rows[1])
        #expect(rows[0] == Row(["a": .integer(1)]))
        #expect(rows[0] != Row(["b": .integer(1)]))
        #expect(Set(rows).count == 2)
    }

    @Test func columnsThatDifferInBytesAloneAreTwo() async throws {
        let database = try await SQLiteDatabase.inMemory()
        let row = try await database.rows("SELECT 1 AS \u{E9}, 2 AS e\u{301}").first
        #expect(row?.value("\u{E9}") == .integer(1))
        #expect(row?.value("e\u{301}") == .integer(2))
        #expect(Row(["\u{E9}": .null]) != Row(["e\u{301}": .null]))
        #expect(Row(["\u{E9}": .null]).value("e\u{301}") == nil)
    }

    @Test func textsThatDifferInBytesAloneAreTwo() {
        #expect(SQLiteValue.text("\u{E9}") != .text("e\u{301}"))
        #expect(Set([SQLiteValue.text("\u{E9}"), .text("e\u{301}"), .text("\u{E9}")]).count == 2)
    }
}
