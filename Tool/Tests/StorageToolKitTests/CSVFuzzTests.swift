import Foundation
import Testing

@testable import StorageToolKit

@Suite struct CSVFuzzTests {
    private static let isFull = ProcessInfo.processInfo.environment["STORAGEKIT_FULL"] != nil
    private let table = Table(
        name: "t", kind: .table, sql: "", isStrict: false, hasRowid: true,
        columns: ["a", "b"].map {
            Table.Column(
                name: $0, type: $0 == "a" ? "" : "INTEGER", isNotNull: false, defaultSQL: nil, keyPosition: 0,
                isGenerated: false)
        })

    @Test func randomBytesAreRowsOrAnErrorThatSaysWhere() throws {
        var random = SeededGenerator(seed: 20_261_122)
        let count = Self.isFull ? 200_000 : 5000
        var (rowCount, errorCount) = (0, 0)
        for _ in 0..<count {
            let bytes = Self.input(&random)
            let lineCount = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
            let pieceLength = Int.random(in: 1...40, using: &random)
            do {
                let rows = try records(ByteSource(bytes, pieceLength: pieceLength))
                #expect(rows.allSatisfy { (1...2).contains($0.fields.count) })
                // How the bytes arrive makes no difference.
                let whole = try records(ByteSource(bytes)).map { $0.fields.map(\.cell) }
                #expect(rows.map { $0.fields.map(\.cell) } == whole)
                rowCount += rows.count
            } catch let problem as InputProblem {
                #expect((1...lineCount).contains(problem.position.line))
                #expect((1...bytes.count + 1).contains(problem.position.column))
                errorCount += 1
            }
        }
        #expect(rowCount > 0 && errorCount > 0)
        print("fuzz · CSV import: \(count) inputs, \(rowCount) rows, \(errorCount) refused")
    }

    private func records(_ source: ByteSource) throws -> [ImportRecord] {
        var reader = try CSVReader(CSVParser(source, maximumRecordBytes: 50), into: table)
        var records: [ImportRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private static let fields = [
        "", "\"\"", "a", "\"a,b\"", "\"c\"\"d\r\ne\"", "x'00ff'", " ", "é\u{301}", "\0", "\u{FEFF}",
    ]
    private static let numbers = ["", "1", "-0.5e3", "9e999", "\"7\"", "\"\"", "x'00'", "18446744073709551616"]

    /// Rows that are right but for a few bytes, and in a tenth of the inputs nothing but bytes.
    private static func input(_ random: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<10, using: &random) == 0 {
            return (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var text = ["a,b", "b,\"a\"", "\u{FEFF}A,B"].randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            text += ["\n", "\r\n", "\r"].randomElement(using: &random) ?? ""
            text += numbers.randomElement(using: &random) ?? ""
            text += "," + (numbers.randomElement(using: &random) ?? "")
            if Int.random(in: 0..<8, using: &random) == 0 { text += fields.randomElement(using: &random) ?? "" }
        }
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(Array("\",\n\r".utf8).randomElement(using: &random) ?? 0, at: place)
            default: bytes.remove(at: place)
            }
            if bytes.isEmpty { return bytes }
        }
        return bytes
    }
}
