import Foundation

/// A value as SQLite keeps it. Unlike GRDB's, it has texts in full, with a NUL in them or bytes that are no UTF-8.
enum Cell: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text whose bytes are no UTF-8, which SQLite does not check.
    case brokenText(Data)
    case blob(Data)

    /// - Parameter bytes: Bytes of a text.
    init(textBytes bytes: UnsafeRawBufferPointer) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .brokenText(Data(bytes))
        }
    }
}

extension Cell {
    /// Whether two values are the same to SQLite: texts only with the same bytes, while Swift takes a composed and a
    /// decomposed letter for one; 0.0 and -0.0 are two.
    static func == (left: Cell, right: Cell) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.brokenText(let left), .brokenText(let right)), (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes the value, a text by its bytes.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .brokenText(let value), .blob(let value): hasher.combine(value)
        }
    }

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, if it is an integer.
    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }
}
