import Foundation

/// Rows as CSV after RFC 4180, with a line of column names before them.
///
/// Text is always quoted, so that every other value can be told from it: nothing at all is NULL, `""` the empty text;
/// numbers stand bare, infinite ones as `9e999` and `-9e999`; bytes are `x'00ff'`, as SQL writes them.
struct CSVWriter: RowWriter {
    /// Whether a person sees it: then control characters in texts are shown and not sent.
    var isForTerminal = false

    func begin(_ columns: [String], to output: Output) throws {
        try output.write(columns.map { shown(CSVWriter.header($0)) }.joined(separator: ",") + "\r\n")
    }

    func write(_ cells: [Cell], to output: Output) throws {
        for (index, cell) in cells.enumerated() {
            if index > 0 { try output.write(",") }
            if case .brokenText(let bytes) = cell, !isForTerminal {
                try output.write([CSVWriter.quote] + bytes.flatMap { $0 == CSVWriter.quote ? [$0, $0] : [$0] })
                try output.write("\"")
            } else {
                try output.write(shown(CSVWriter.field(cell)))
            }
        }
        try output.write("\r\n")
    }

    func end(to output: Output) {}

    private func shown(_ field: String) -> String { isForTerminal ? Printable.lines(field) : field }

    private static let quote = UInt8(ascii: "\"")

    private static func field(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .integer(let value): "\(value)"
        case .real(let value) where value.isFinite: "\(value)"
        case .real(let value): value < 0 ? "-9e999" : "9e999"
        case .text(let value): value.quotedName
        case .brokenText(let value): String(decoding: value, as: UTF8.self).quotedName
        case .blob(let value): HexText.of(value)
        }
    }

    /// A name is quoted only if it has to be: what is bare in the first line is no value. The mark of UTF-8 would be passed over at the
    /// beginning of a file.
    private static func header(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && ![0x22, 0x2C, 0x7F].contains($0) }
        return isPlain && !name.utf8.starts(with: "\u{FEFF}".utf8) ? name : name.quotedName
    }
}

/// Bytes as SQL writes them.
enum HexText {
    /// All bytes: `x'00ff'`.
    static func of(_ bytes: some Sequence<UInt8>) -> String {
        "x'" + digits(bytes) + "'"
    }

    static func digits(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes that such a text stands for, or nil.
    static func bytes(_ text: some Collection<UInt8>) -> Data? {
        let text = Array(text)
        guard text.count >= 3, text.count % 2 == 1, text[0] | 0x20 == UInt8(ascii: "x"), text[1] == 0x27,
            text.last == 0x27
        else { return nil }
        var data = Data()
        for index in stride(from: 2, to: text.count - 1, by: 2) {
            guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
            data.append(high << 4 | low)
        }
        return data
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
