import Foundation
import StorageSQLite

/// A value as SQLite keeps it, also a text whose bytes are no UTF-8.
enum Cell: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text whose bytes are no UTF-8, which SQLite does not check.
    case brokenText(Data)
    case blob(Data)

    /// A copy of what a column holds.
    init(_ cell: ColumnCell) {
        switch cell.storageClass {
        case .text: self.init(textBytes: UnsafeRawBufferPointer(cell.text))
        case .null: self = .null
        case .integer: self = .integer(cell.integer)
        case .real: self = .real(cell.real)
        case .blob: self = .blob(Data(cell.blob))
        }
    }

    /// - Parameter bytes: Bytes of a text.
    init(textBytes bytes: UnsafeRawBufferPointer) {
        self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .brokenText(Data(bytes))
    }

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The text to be shown, with marks in place of bytes that are no UTF-8.
    var shownText: String? {
        if case .brokenText(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { text }
    }

    /// The number, if it is an integer.
    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    // MARK: - Equality

    /// Two values are the same if SQLite takes them for the same, with the same bits: 0.0 and -0.0 are two.
    static func == (left: Cell, right: Cell) -> Bool { left.bits == right.bits }

    /// Hashes the value, a text by its bytes.
    func hash(into hasher: inout Hasher) {
        hasher.combine(bits.value)
        hasher.combine(bits.isOther)
    }

    /// Texts by their bytes, as `SQLiteValue` compares them; and whether it is the other of two kinds with such bits.
    private var bits: (value: SQLiteValue, isOther: Bool) {
        switch self {
        case .null: (.null, false)
        case .integer(let value): (.integer(value), false)
        case .real(let value): (.integer(Int64(bitPattern: value.bitPattern)), true)
        case .text(let value): (.text(value), false)
        case .brokenText(let value): (.blob(value), true)
        case .blob(let value): (.blob(value), false)
        }
    }
}
