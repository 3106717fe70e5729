/// Cuts CSV into records and fields, after RFC 4180: fields stand between commas, quoted ones may contain commas, line
/// ends and doubled quotes. Lines may end with LF or CR alone, too.
struct CSVParser {
    /// A field as it stands in the file.
    struct Field: Equatable {
        /// What is in it, without quotes.
        var bytes: [UInt8] = []
        var isQuoted = false
        let position: Position

        /// Whether there is nothing, not even quotes.
        var isBlank: Bool { bytes.isEmpty && !isQuoted }
    }

    private let source: ByteSource
    /// A longer record is a missing quote, and would otherwise take all memory.
    private let maximumRecordBytes: Int
    private var recordBytes = 0
    private var hasBegun = false

    init(_ source: ByteSource, maximumRecordBytes: Int = 1 << 30) {
        self.source = source
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// The next record, which has one field at least; nil at the end.
    ///
    /// - Throws: ``InputProblem`` that says where a quote is wrong.
    mutating func next() throws -> [Field]? {
        if !hasBegun { try source.skipByteOrderMark() }
        hasBegun = true
        guard try source.peek() != nil else { return nil }
        recordBytes = 0
        var fields: [Field] = []
        while true {
            fields.append(try field())
            switch try source.take() {
            case CSVParser.comma: continue
            case CSVParser.carriageReturn:
                if try source.peek() == CSVParser.lineFeed { _ = try source.take() }
                return fields
            default: return fields
            }
        }
    }

    /// Reads up to the comma, the line end or the end of the file.
    private mutating func field() throws -> Field {
        var field = Field(position: source.position)
        if try source.peek() == CSVParser.quote {
            try readQuoted(into: &field)
            return field
        }
        while let byte = try source.peek(), !CSVParser.isEnd(byte) {
            guard byte != CSVParser.quote else {
                throw problem("a quote inside a field that does not begin with one")
            }
            try append(byte, to: &field)
        }
        return field
    }

    private mutating func readQuoted(into field: inout Field) throws {
        _ = try source.take()
        field.isQuoted = true
        while let byte = try source.peek() {
            guard byte == CSVParser.quote else {
                try append(byte, to: &field)
                continue
            }
            _ = try source.take()
            switch try source.peek() {
            case CSVParser.quote: try append(CSVParser.quote, to: &field)
            case let next where next.map(CSVParser.isEnd) ?? true: return
            default: throw problem("text behind the quote that ends a field; a quote in a field has to be doubled")
            }
        }
        throw InputProblem(position: field.position, message: "the quote that begins here is never closed")
    }

    private mutating func append(_ byte: UInt8, to field: inout Field) throws {
        _ = try source.take()
        field.bytes.append(byte)
        recordBytes += 1
        if recordBytes > maximumRecordBytes {
            throw InputProblem(
                position: field.position,
                message: "a record of more than \(maximumRecordBytes) bytes; is a quote missing?")
        }
    }

    private func problem(_ message: String) -> InputProblem {
        InputProblem(position: source.position, message: message)
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == comma || byte == lineFeed || byte == carriageReturn
    }

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
