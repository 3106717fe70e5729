import Foundation
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct RoundTripTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let cells: [Cell] = [
        .null, .text(""), .text("\""), .text("a\"b,c\r\nd\n\re"), .text("nul \0 nul"), .text("\u{FEFF}"), .text(" a "),
        .text("👩‍👩‍👧‍👦 e\u{301} é \u{2028} \u{85} \u{7F} \u{1F}"), .text("NULL"), .text("null"), .text("12"), .text("1e5"),
        .text("x'00'"), .text("9e999"), .text("true"), .text("\\u0000 \\"), .text("{\"blob\":\"AA==\"}"),
        // To Swift, each of these marks is one letter with what stands before or behind it.
        .text("\"\u{301}"), .text("a\"\u{FE0F},b"), .text("\u{D4E}\"\r\n\",\""),
        .text(",\u{301}\n\u{301}\"\u{200D}\","),
        .brokenText(Data([0xFF, 0x22, 0x2C, 0x0A, 0xC3])), .integer(.max), .integer(.min), .integer(0), .integer(-1),
        .integer(9_007_199_254_740_993), .real(0.1), .real(-0.0), .real(1), .real(1e16), .real(.leastNonzeroMagnitude),
        .real(.greatestFiniteMagnitude), .real(.infinity), .real(-.infinity), .real(9_007_199_254_740_994),
        .blob(Data()),
        .blob(Data([0, 0x22, 0x27, 0xFF])), .blob(Data("text".utf8)),
    ]

    private static let table = """
        CREATE TABLE "a""b,c" (plain, "t x" TEXT, "i""nt" INTEGER, re REAL, num NUMERIC, bl BLOB, "select" VARCHAR(3) \
        COLLATE NOCASE, date DATETIME, sum AS (plain || num))
        """

    @Test(arguments: ExchangeFormat.allCases, 0..<12)
    func whatIsExportedIsImportedAsTheSame(format: ExchangeFormat, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let path = try folder.database("a.sqlite", Self.table)
        let connection = try Connection(path, .write)
        let rows = (0..<60).map { _ in
            (0..<8).map { _ in Self.cells.randomElement(using: &random) ?? .null }
        }
        for row in rows { _ = try connection.rows(#"INSERT INTO "a""b,c" VALUES (?, ?, ?, ?, ?, ?, ?, ?)"#, row) }
        let copy = try roundTrip(path, #"a"b,c"#, Self.table, format)
        let sql = #"SELECT * FROM "a""b,c" ORDER BY rowid"#
        #expect(try copy.rows(sql) == connection.rows(sql))
        #expect(try copy.rows(sql).count == 60)
    }

    @Test(arguments: ExchangeFormat.allCases)
    func aTableOfOneColumnKeepsItsNulls(format: ExchangeFormat) throws {
        let sql = "CREATE TABLE t (a)"
        let path = try folder.database("a.sqlite", sql, "INSERT INTO t VALUES (NULL), (''), (NULL), (1), (NULL)")
        let copy = try roundTrip(path, "t", sql, format)
        #expect(try copy.rows("SELECT a FROM t") == [[.null], [.text("")], [.null], [.integer(1)], [.null]])
    }

    /// Names of which Swift takes some for others, and the marks in them for parts of letters.
    private static let oddNames = [
        "\u{E9}", "e\u{301}", "a\"\u{301}", "\u{D4E}\"", "x\"\u{FE0F},y", ",\u{301}", "k", "\u{212A}",
    ]

    @Test(arguments: ExchangeFormat.allCases)
    func namesThatSwiftTakesForOthersAreNames(format: ExchangeFormat) throws {
        let names = Self.oddNames.map { name in
            "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
        }
        let columns = "(\(names.joined(separator: ", ")))"
        let path = try folder.database("a.sqlite")
        let original = try Connection(path, .write)
        for (index, name) in names.enumerated() {
            try original.run("CREATE TABLE \(name) \(columns)")
            try original.run(
                "INSERT INTO \(name) VALUES (?, 1, 2, 3, 4, 5, 6, 7)", [.integer(Int64(index) + 10)])
        }
        for (index, name) in names.enumerated() {
            let copy = try roundTrip(path, Self.oddNames[index], "CREATE TABLE \(name) \(columns)", format)
            let cells: [Cell] = [.integer(Int64(index) + 10)] + (1..<8).map { .integer($0) }
            #expect(try copy.rows("SELECT * FROM \(name)") == [cells], "\(name)")
            for file in ["copy.sqlite", "rows.\(format.rawValue)"] {
                try FileManager.default.removeItem(atPath: folder.path(file))
            }
        }
    }

    @Test(arguments: ExchangeFormat.allCases)
    func aFirstColumnWhoseNameBeginsWithTheMarkOfUTF8KeepsItsName(format: ExchangeFormat) throws {
        let sql = "CREATE TABLE t (\"\u{FEFF}id\", id)"
        let path = try folder.database("a.sqlite", sql, "INSERT INTO t VALUES (1, 2)")
        #expect(try roundTrip(path, "t", sql, format).rows("SELECT * FROM t") == [[.integer(1), .integer(2)]])
    }

    @Test(arguments: ExchangeFormat.allCases)
    func strictTablesKeepTheirTypes(format: ExchangeFormat) throws {
        let sql = "CREATE TABLE t (i INT, r REAL, t TEXT, b BLOB, a ANY) STRICT"
        let path = try folder.database(
            "a.sqlite", sql,
            "INSERT INTO t VALUES (1, 2, '3', x'04', '5'), (1, 2, '3', x'04', 5), (1, 2, '3', x'', 5.0)")
        let copy = try roundTrip(path, "t", sql, format)
        let select = "SELECT *, typeof(a) FROM t"
        #expect(try copy.rows(select) == DatabaseFile(path).read { try $0.rows(select) })
    }

    @Test(arguments: ExchangeFormat.allCases)
    func anEmptyTableStaysEmpty(format: ExchangeFormat) throws {
        let path = try folder.database("a.sqlite", "CREATE TABLE t (a, b)")
        #expect(try roundTrip(path, "t", "CREATE TABLE t (a, b)", format).integer("SELECT COUNT(*) FROM t") == 0)
    }

    @Test(arguments: ExchangeFormat.allCases)
    func aDatabaseInUTF16GivesTheSameTexts(format: ExchangeFormat) throws {
        let path = try folder.database(
            "a.sqlite", "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE t (a)", "INSERT INTO t VALUES ('Zoë 🌱'), ('')")
        let copy = try roundTrip(path, "t", "CREATE TABLE t (a)", format)
        #expect(try copy.rows("SELECT a FROM t") == [[.text("Zoë 🌱")], [.text("")]])
    }

    /// Exports a table and imports it into a new file, by the program.
    private func roundTrip(
        _ path: String, _ table: String, _ sql: String, _ format: ExchangeFormat
    ) throws -> Connection {
        let file = folder.path("rows.\(format.rawValue)")
        let exported = try Program.run("export", path, table, "--output", file)
        #expect(exported.status == 0, "\(exported.error)")
        let copy = try folder.database("copy.sqlite", sql)
        let imported = try Program.run("import", copy, table, file)
        #expect(imported.status == 0, "\(imported.error)")
        return try Connection(copy, .write)
    }
}
