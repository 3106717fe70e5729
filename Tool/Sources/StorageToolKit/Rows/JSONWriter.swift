import Foundation

/// Rows as JSON objects, keys in the order of the columns.
///
/// Integers stand with all their digits, real numbers with a point or an exponent. What JSON has no form for is an
/// object of one key: `{"blob": "base64"}`, `{"real": "inf"}`, `{"text": "base64"}` for text that is no UTF-8.
struct JSONWriter: RowWriter {
    /// Whether each row is a line of its own; otherwise all are one array.
    let isLines: Bool
    private var keys: [String] = []
    private var isFirst = true

    init(isLines: Bool) {
        self.isLines = isLines
    }

    mutating func begin(_ columns: [String], to output: Output) throws {
        keys = JSONWriter.distinct(columns).map { JSONText.quoted($0) + ":" }
        if !isLines { try output.write("[") }
    }

    mutating func write(_ cells: [Cell], to output: Output) throws {
        if !isLines { try output.write(isFirst ? "\n  " : ",\n  ") }
        isFirst = false
        let members = zip(keys, cells).map { $0 + JSONText.of($1) }
        try output.write("{" + members.joined(separator: ",") + (isLines ? "}\n" : "}"))
    }

    mutating func end(to output: Output) throws {
        if !isLines { try output.write(isFirst ? "]\n" : "\n]\n") }
    }

    /// The names, the later of equal ones with a number behind, since an object has each key once.
    private static func distinct(_ names: [String]) -> [String] {
        var taken: Set<[UInt8]> = []
        return names.map { name in
            var distinct = name
            var number = 2
            while !taken.insert(Array(distinct.utf8)).inserted {
                distinct = "\(name)_\(number)"
                number += 1
            }
            return distinct
        }
    }
}

/// Values and texts as JSON writes them.
enum JSONText {
    static func of(_ cell: Cell) -> String {
        switch cell {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value) where value.isFinite: "\(value)"
        case .real(let value): #"{"real":"\#(value)"}"#
        case .text(let value): quoted(value)
        case .brokenText(let value): #"{"text":"\#(value.base64EncodedString())"}"#
        case .blob(let value): #"{"blob":"\#(value.base64EncodedString())"}"#
        }
    }

    /// The text in quotes. Characters outside ASCII stand as they are.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // JSON allows most of them, but they steer terminals, or end a line for some readers.
            case _ where Printable.isControl(scalar): quoted += escaped(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A value as JSON on many lines.
    static func indented(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(value), as: UTF8.self)
        // The encoder leaves some control characters in texts as they are. Line ends are its own.
        return json.unicodeScalars.map { $0 != "\n" && Printable.isControl($0) ? escaped($0) : String($0) }.joined()
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String { String(format: "\\u%04x", scalar.value) }
}
