import Foundation
import Testing

@testable import StorageToolKit

@Suite struct JSONFuzzTests {
    private static let isFull = ProcessInfo.processInfo.environment["STORAGEKIT_FULL"] != nil
    private static let values = [
        "null", "true", "1", "-0", "9223372036854775807", "1.5e-3", "1e999", #""a\u0000\n\"""#, #""\ud83c\udf31 é""#,
        #""\ud800""#,
        #"{"blob":"AP8="}"#, #"{"real":"-inf"}"#, #"{"text":"/w=="}"#, "[1]", "{}", " 2 ",
    ]

    @Test func randomLinesAreRowsOrAnErrorThatSaysWhere() throws {
        var random = SeededGenerator(seed: 20_261_122)
        let table = Table(
            name: "t", kind: .table, sql: "", isStrict: false, hasRowid: true,
            columns: ["a", "b"].map {
                Table.Column(
                    name: $0, type: "", isNotNull: false, defaultSQL: nil, keyPosition: 0, isGenerated: false)
            })
        let count = Self.isFull ? 200_000 : 5000
        var (rowCount, errorCount) = (0, 0)
        for _ in 0..<count {
            let bytes = Self.input(&random)
            let source = ByteSource(bytes, pieceLength: Int.random(in: 1...40, using: &random))
            var reader = JSONLinesReader(source, into: table, maximumLineBytes: 100)
            do {
                while let record = try reader.next() {
                    #expect(record.fields.count <= 2)
                    rowCount += 1
                }
            } catch let problem as InputProblem {
                #expect((1...bytes.count { $0 == 0x0A || $0 == 0x0D } + 1).contains(problem.position.line))
                #expect((1...bytes.count + 1).contains(problem.position.column))
                errorCount += 1
            }
        }
        #expect(rowCount > 0 && errorCount > 0)
        print("fuzz · JSON lines import: \(count) inputs, \(rowCount) rows, \(errorCount) refused")
    }

    /// Objects that are right but for a few bytes.
    private static func input(_ random: inout SeededGenerator) -> [UInt8] {
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let members = ["a", "b"].prefix(Int.random(in: 0...2, using: &random)).map { name in
                "\"\(name)\":" + (values.randomElement(using: &random) ?? "")
            }
            text += "{\(members.joined(separator: ","))}\n"
        }
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(Array("\"\\{}:,\n".utf8).randomElement(using: &random) ?? 0, at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}
