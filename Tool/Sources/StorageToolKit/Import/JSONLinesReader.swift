/// Rows from JSON lines: an object a line, whose keys are columns. A column that is not named gets its default.
struct JSONLinesReader: RecordReader {
    private let source: ByteSource
    private let table: Table
    private let maximumLineBytes: Int
    private let check: () throws -> Void
    /// The columns that were named, by the bytes of their names.
    private var columns: [[UInt8]: Int] = [:]
    private var hasBegun = false

    /// - Parameters:
    ///   - source: Where the lines come from.
    ///   - table: What they are rows of.
    ///   - maximumLineBytes: A longer line is an error.
    ///   - check: Called before each value; an error ends the reading.
    init(
        _ source: ByteSource, into table: Table, maximumLineBytes: Int = 1 << 30,
        check: @escaping () throws -> Void = {}
    ) {
        self.source = source
        self.table = table
        self.maximumLineBytes = maximumLineBytes
        self.check = check
    }

    mutating func next() throws -> ImportRecord? {
        if !hasBegun { try source.skipByteOrderMark() }
        hasBegun = true
        while let (line, number) = try line() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            var parser = JSONLineParser(line, number: number)
            var fields: [ImportRecord.Field] = []
            var named: Set<Int> = []
            for member in try parser.members(check: check) {
                let name = Array(member.name.utf8)
                let column = try columns[name] ?? table.importedColumn(member.name, at: member.namePosition)
                columns[name] = column
                guard named.insert(column).inserted else {
                    throw InputProblem(position: member.namePosition, message: "column '\(member.name)' is named twice")
                }
                fields.append(ImportRecord.Field(column: column, cell: member.cell, position: member.position))
            }
            return ImportRecord(position: Position(line: number, column: 1), fields: fields)
        }
        return nil
    }

    /// The next line without its line feed, and its number.
    private func line() throws -> (bytes: [UInt8], number: Int)? {
        guard try source.peek() != nil else { return nil }
        let start = source.position
        var bytes: [UInt8] = []
        while let byte = try source.take(), byte != UInt8(ascii: "\n") {
            bytes.append(byte)
            if bytes.count > maximumLineBytes {
                throw InputProblem(position: start, message: "a line of more than \(maximumLineBytes) bytes")
            }
        }
        return (bytes, start.line)
    }
}
