import Foundation

/// Reads one JSON object of plain values, as `export` writes them. Numbers keep all their digits, which Foundation's
/// parser does not promise, and every mistake has its place.
struct JSONLineParser {
    /// A member of the object.
    struct Member {
        let name: String
        let namePosition: Position
        let cell: Cell
        let position: Position
    }

    private let line: [UInt8]
    private let lineNumber: Int
    private var next = 0
    /// The place that was asked for last.
    private var counted = (next: 0, column: 1)

    /// - Parameters:
    ///   - line: The line without its end.
    ///   - number: Its number.
    init(_ line: [UInt8], number: Int) {
        self.line = line
        lineNumber = number
    }

    /// All members of the object that the line is.
    ///
    /// - Parameter check: Called before each value; an error ends the reading.
    mutating func members(check: () throws -> Void = {}) throws -> [Member] {
        var members: [Member] = []
        var names: Set<[UInt8]> = []
        try object { parser, name, position in
            try check()
            guard names.insert(Array(name.utf8)).inserted else {
                throw InputProblem(position: position, message: "'\(name)' stands twice in this object")
            }
            parser.skipSpace()
            let valuePosition = parser.position
            members.append(
                Member(name: name, namePosition: position, cell: try parser.value(), position: valuePosition))
        }
        skipSpace()
        guard next == line.count else { throw problem("text behind the object") }
        return members
    }

    // MARK: - Values

    private mutating func value() throws -> Cell {
        switch peek {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "{"): return try taggedValue()
        case UInt8(ascii: "["): throw problem("an array; a column takes one value")
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "t"): return try word("true", .integer(1))
        case UInt8(ascii: "f"): return try word("false", .integer(0))
        default: return try number()
        }
    }

    private mutating func word(_ word: String, _ cell: Cell) throws -> Cell {
        guard line[next...].starts(with: word.utf8) else { throw problem("no JSON value") }
        next += word.utf8.count
        return cell
    }

    private mutating func number() throws -> Cell {
        let start = position
        let end = line[next...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? line.count
        let text = line[next..<end]
        guard text.isJSONNumber, let number = NumberText.number(text) else { throw problem("no JSON value") }
        next = end
        if case .real(let value) = number {
            guard !NumberText.isLongInteger(text) else {
                throw InputProblem(position: start, message: "an integer of more than 64 bits")
            }
            guard value.isFinite else {
                throw InputProblem(
                    position: start, message: #"a number too large for 64 bits; infinity is {"real":"inf"}"#)
            }
        }
        return number
    }

    /// What JSON has no form for: `{"blob":"base64"}`, `{"real":"inf"}`, `{"text":"base64"}`.
    private mutating func taggedValue() throws -> Cell {
        let start = position
        var found: Cell?
        var count = 0
        try object { parser, name, _ in
            parser.skipSpace()
            guard parser.peek == UInt8(ascii: "\"") else { throw parser.problem("no text, as such an object has") }
            let text = try parser.string()
            count += 1
            found =
                switch name {
                case "blob": Data(base64Encoded: text).map { .blob($0) }
                case "text": Data(base64Encoded: text).map { data in data.withUnsafeBytes { Cell(textBytes: $0) } }
                case "real": ["inf": Double.infinity, "-inf": -.infinity][text].map { .real($0) }
                default: nil
                }
        }
        guard count == 1, let found else {
            throw InputProblem(
                position: start,
                message: #"an object that is neither {"blob":"base64"} nor {"real":"inf"} nor {"text":"base64"}"#)
        }
        return found
    }

    // MARK: - Structure

    private mutating func object(_ member: (inout JSONLineParser, String, Position) throws -> Void) throws {
        skipSpace()
        try expect("{")
        skipSpace()
        if peek == UInt8(ascii: "}") { return next += 1 }
        while true {
            skipSpace()
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw problem("no name in quotes") }
            let name = try string()
            skipSpace()
            try expect(":")
            try member(&self, name, start)
            skipSpace()
            guard peek == UInt8(ascii: ",") else { return try expect("}") }
            next += 1
        }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws {
        guard let byte = peek, byte == UInt8(ascii: character) else { throw problem("no '\(character)'") }
        next += 1
    }

    // MARK: - Texts

    private mutating func string() throws -> String {
        next += 1
        var bytes: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                next += 1
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw problem("text that is no UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): try escape(into: &bytes)
            case 0..<0x20: throw problem("a control character that is not escaped")
            default:
                bytes.append(byte)
                next += 1
            }
        }
        throw problem("a text that is never closed")
    }

    private mutating func escape(into bytes: inout [UInt8]) throws {
        let start = position
        next += 1
        guard let letter = peek else { throw problem("a text that is never closed") }
        let plain: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        if let byte = plain[letter] {
            bytes.append(byte)
            return next += 1
        }
        guard letter == UInt8(ascii: "u") else { throw problem("an escape that JSON does not have") }
        next += 1
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), peek == UInt8(ascii: "\\"), next + 1 < line.count, line[next + 1] == 0x75 {
            next += 2
            units.append(try unit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw InputProblem(position: start, message: "half of a surrogate pair")
        }
        bytes += text.utf8
    }

    private mutating func unit() throws -> UInt16 {
        let digits = line[next...].prefix(4)
        guard digits.count == 4, let text = String(validating: digits, as: UTF8.self), text.allSatisfy(\.isHexDigit),
            let unit = UInt16(text, radix: 16)
        else { throw problem("no four digits behind \\u") }
        next += 4
        return unit
    }

    // MARK: - Bytes

    private var peek: UInt8? { next < line.count ? line[next] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D { next += 1 }
    }

    /// Counted on from where it was asked for last: a line may have many members behind a long text.
    private var position: Position {
        mutating get {
            counted.column += line[counted.next..<next].count { $0 & 0xC0 != 0x80 }
            counted.next = next
            return Position(line: lineNumber, column: counted.column)
        }
    }

    private mutating func problem(_ message: String) -> InputProblem {
        InputProblem(position: position, message: message)
    }
}

extension ArraySlice<UInt8> {
    /// Of what SQL takes for a number, whether JSON does so too: no plus, no leading zeros, and digits on both sides of a point.
    fileprivate var isJSONNumber: Bool {
        let digits = first == UInt8(ascii: "-") ? dropFirst() : dropFirst(0)
        let whole = digits.prefix { (0x30...0x39).contains($0) }
        let rest = digits.dropFirst(whole.count)
        guard whole.first != 0x30 || whole.count == 1, !whole.isEmpty else { return false }
        return rest.first != UInt8(ascii: ".") || rest.dropFirst().first.map { (0x30...0x39).contains($0) } == true
    }
}
