import Testing

@testable import ContactBookKit

@Suite struct RecordCuttingTests {
    /// Pieces that are trouble for a CSV reader, or for one that reads by characters.
    private static let pieces = [
        "a", "Z", " ", "\t", "\"", "\"\"", ",", "\n", "\r\n", "\r", "é", "e\u{301}", "\u{301}", "漢字", "👩‍🔬", "🇺🇳",
        "\u{200D}", "\u{600}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\u{3000}", ";", "'",
    ]

    @Test(arguments: 1...40)
    func whatTheWriterWroteIsReadBackInBlocksOfAnySize(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lineEnd = random.pick(["\n", "\r\n", "\r"])
        let records = (0..<(1 + random.below(40))).map { _ in
            (0..<3).map { _ in (0..<random.below(6)).map { _ in random.pick(Self.pieces) }.joined() }
        }
        var text = records.map { CSVWriter.record($0, lineEnd: lineEnd) }.joined()
        if random.below(2) == 0 { text.unicodeScalars.removeLast(lineEnd.unicodeScalars.count) }
        if random.below(2) == 0 { text = "\u{FEFF}" + text }

        let rows = try Self.read(Array(text.utf8)) { 1 + random.below(17) }

        #expect(Self.scalars(rows.map(\.fields)) == Self.scalars(records), "seed \(seed)")
        #expect(rows.map(\.line) == Self.firstLines(of: records), "seed \(seed)")
    }

    @Test func aByteOrderMarkIsNoPartOfTheFirstField() throws {
        let rows = try Self.read(Array("\u{FEFF}Name,Notes\nAda,x\n".utf8)) { 1 }
        #expect(rows.map(\.fields) == [["Name", "Notes"], ["Ada", "x"]])
    }

    @Test(arguments: ["\u{FF57}", "\u{FEFC}"])
    func aTextThatBeginsLikeAByteOrderMarkAndIsNoneIsKept(letter: String) throws {
        let rows = try Self.read(Array("\(letter),x\n".utf8)) { 1 }
        #expect(rows.map(\.fields) == [[letter, "x"]])
    }

    @Test func spaceAroundAQuotedFieldDoesNotCount() throws {
        let rows = try Self.read(Array("a, \"b\nc\" ,d\ne,f,g\n".utf8)) { 1 }
        #expect(rows.map(\.fields) == [["a", "b\nc", "d"], ["e", "f", "g"]])
    }

    @Test func aLineSeparatorOutsideQuotesIsASpaceAndEndsNoRow() throws {
        let rows = try Self.read(Array("a\u{2028}b,c\u{85}d\n".utf8)) { 3 }
        #expect(rows.map(\.fields) == [["a b", "c d"]])
    }

    @Test func aQuoteThatIsNeverClosedIsReportedWithItsOwnLine() throws {
        #expect(throws: CuttingProblem.unterminatedQuote(line: 3)) {
            try Self.read(Array("a,b\nc,d\ne,\"f\n\n\n".utf8)) { 4 }
        }
    }

    @Test func aRecordWithoutEndDoesNotFillTheMemory() throws {
        var cutter = RecordCutter(maximumRecordLength: 100)
        let block = Array("a\n\"".utf8) + [UInt8](repeating: 0x61, count: 200)
        #expect(throws: CuttingProblem.recordTooLong(line: 2)) {
            try block.withUnsafeBytes { try cutter.append($0) }
        }
    }
}

extension RecordCuttingTests {
    @discardableResult
    private static func read(_ bytes: [UInt8], blockLength: () -> Int) throws -> [CSVRow] {
        var cutter = RecordCutter()
        var rows: [CSVRow] = []
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + blockLength())
            try bytes[position..<end].withUnsafeBytes { try cutter.append($0) }
            // Chunks are taken at any moment too.
            if end % 2 == 0 { rows += try CSVRows.parse(cutter.takeRecords(), of: "test.csv") }
            position = end
        }
        try cutter.finish()
        return rows + (try CSVRows.parse(cutter.takeRecords(), of: "test.csv"))
    }

    /// Swift calls texts equal that have different bytes; a reader must not change these either.
    private static func scalars(_ records: [[String]]) -> [[[UInt32]]] {
        records.map { $0.map { $0.unicodeScalars.map(\.value) } }
    }

    private static func firstLines(of records: [[String]]) -> [Int] {
        var line = 1
        return records.map { fields in
            defer { line += 1 + fields.reduce(0) { $0 + lineEnds(in: $1) } }
            return line
        }
    }

    private static func lineEnds(in text: String) -> Int {
        var count = 0
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar == "\r" || (scalar == "\n" && previous != "\r") { count += 1 }
            previous = scalar
        }
        return count
    }
}
