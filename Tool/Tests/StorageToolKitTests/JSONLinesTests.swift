import Testing

@testable import StorageToolKit

@Suite struct JSONLinesTests {
    /// A table of many columns, and a row of it that begins with a long text.
    private static func wideRow(columns: Int, textBytes: Int) -> (table: Table, line: [UInt8]) {
        let names = (0..<columns).map { "c\($0)" }
        let table = Table(
            name: "t", kind: .table, sql: "", isStrict: false, hasRowid: true,
            columns: names.map {
                Table.Column(
                    name: $0, type: "", isNotNull: false, defaultSQL: nil, keyPosition: 0, isGenerated: false)
            })
        let text = "\"\(names[0])\":\"\(String(repeating: "x", count: textBytes))\""
        let members = [text] + names.dropFirst().map { "\"\($0)\":1" }
        return (table, Array("{\(members.joined(separator: ","))}\n".utf8))
    }

    /// It would take far more than the ten minutes if each member were counted from the beginning of its line.
    @Test(.timeLimit(.minutes(10))) func aLongRowOfManyColumnsIsGoneThroughOnce() throws {
        let (table, line) = Self.wideRow(columns: 3000, textBytes: 20_000_000)
        var reader = JSONLinesReader(ByteSource(line), into: table)
        let fields = try #require(try reader.next()).fields
        #expect(fields.count == 3000)
        #expect(fields.last?.position == Position(line: 1, column: line.count - 2))
    }

    @Test func aLineMayBeAsLongAsTheLimitAndNoLonger() throws {
        let (table, line) = Self.wideRow(columns: 1, textBytes: 3)
        let length = line.count - 1
        var reader = JSONLinesReader(ByteSource(line), into: table, maximumLineBytes: length)
        let fields = try #require(try reader.next()).fields
        #expect(fields.count == 1)
        var strict = JSONLinesReader(ByteSource(line), into: table, maximumLineBytes: length - 1)
        let problem = InputProblem(
            position: Position(line: 1, column: 1), message: "a line of more than \(length - 1) bytes")
        #expect(throws: problem) { try strict.next() }
    }

    @Test func anInterruptIsHeardWithinARow() throws {
        let (table, line) = Self.wideRow(columns: 100, textBytes: 10)
        var looks = 0
        var reader = JSONLinesReader(ByteSource(line), into: table) {
            looks += 1
            if looks > 50 { throw ToolError(.interrupted, "enough") }
        }
        #expect(throws: ToolError(.interrupted, "enough")) { try reader.next() }
    }
}
