import Foundation
import Testing

@testable import StorageStudio

@Suite struct CellJSONTests {
    private func decode(_ json: String) throws -> [CellJSON] {
        try JSONDecoder().decode([CellJSON].self, from: Data("[\(json)]".utf8))
    }

    @Test(arguments: [#"{"t":"its beginning","n":9000}"#, #"{"n":9000,"type":"image/png"}"#])
    func theBeginningOfAValueIsNoneToBeWritten(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test(arguments: [
        #"{"i":"9223372036854775808"}"#, #"{"i":"1.5"}"#, #"{"i":""}"#, #"{"r":"nan"}"#, #"{"r":"much"}"#,
    ])
    func aNumberThatSQLiteWouldNotKeepIsNoValue(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test(
        arguments: [
            ("GIF87a......", .gif), ("GIF89a......", .gif), ("GIF90a......", nil), ("RIFF....WEBP", .webP),
            ("RIFF....WAVE", nil), ("RIFF", nil), ("<svg xmlns='x'/>", nil), ("", nil),
        ] as [(String, ImageType?)])
    func anImageIsKnownByHowItBegins(beginning: String, type: ImageType?) {
        #expect(ImageType(Data(beginning.utf8)) == type)
    }

    // MARK: - Long values

    private func rows(_ script: String, _ question: RowQuestion) async throws -> [RowWindow.Row] {
        let file = try TemporaryFile(script)
        let orders = RowOrders(file.path) { _ in }
        return try await StudioConnection(file.path, .look).run { connection, schema in
            try RowReader(question, connection, schema, orders).window().rows
        }
    }

    @Test func aLetterThatIsCutInTwoIsLeftOut() async throws {
        let script = "CREATE TABLE long (t TEXT); INSERT INTO long VALUES (replace(hex(zeroblob(1000)), '0', '€'))"
        let cell = try #require(try await rows(script, RowQuestion(table: "long")).first?.cells.first)
        #expect(cell.byteCount == 6000)
        #expect(cell.cell.text == String(repeating: "€", count: CellJSON.longest / 3))
    }

    @Test(arguments: [(1, nil), (RowQuestion.mostRows, 3000)] as [(Int, Int?)])
    func whereManyRowsAreAskedForLongValuesAreCutSooner(limit: Int, byteCount: Int?) async throws {
        let columns = (0..<10).map { "c\($0)" }.joined(separator: ", ")
        let script = "CREATE TABLE wide (\(columns)); INSERT INTO wide (c0) VALUES (hex(zeroblob(1500)))"
        let cell = try #require(try await rows(script, RowQuestion(table: "wide", limit: limit)).first?.cells.first)
        #expect(cell.byteCount == byteCount)
    }

    @Test func theBeginningOfAValueIsNoPlaceInAnOrder() async throws {
        let script = "CREATE TABLE long (t TEXT); INSERT INTO long VALUES (hex(zeroblob(5000))), ('short')"
        let found = try await rows(script, RowQuestion(table: "long", sort: "t"))
        #expect(found.map { $0.mark == nil } == [true, false])
    }

    @Test func aLongKeyComesAsAWhole() async throws {
        let script = "CREATE TABLE long (t TEXT PRIMARY KEY); INSERT INTO long VALUES (hex(zeroblob(5000)))"
        let row = try #require(try await rows(script, RowQuestion(table: "long")).first)
        #expect(row.cells.first?.byteCount == 10_000)
        #expect(row.key?.count == 2)
        #expect(row.key?.allSatisfy { $0.byteCount == nil } == true)
    }
}
