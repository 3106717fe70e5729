import Foundation
import StorageSQLite

/// A value as it travels between the page and the server.
///
/// Texts are texts and NULL is null. All else is an object: `{"i": "12"}`, since a browser has whole numbers of 53 bits only,
/// `{"r": "1.5"}`, `{"n": 70000, "b64": "…", "type": "image/png"}` for bytes, `{"x": "base64"}` for text that is no UTF-8. A long text
/// is `{"t": "its beginning", "n": 100000}`, and long bytes have no content: both are asked for on their own. Nor have those that are too long
/// to be read.
struct CellJSON: Sendable, Hashable {
    /// The value, or its beginning.
    let cell: Cell
    /// How many bytes a value has of which there is only the beginning; nil for a whole one.
    let byteCount: Int?

    /// How much memory it takes, roughly.
    var memory: Int {
        switch cell {
        case .null, .integer, .real: 40
        case .text(let text): 40 + text.utf8.count
        case .brokenText(let bytes), .blob(let bytes): 40 + bytes.count
        }
    }

    /// Of a value with more bytes only the beginning travels, where many are shown.
    static let longest = 4000
    /// How many bytes the values of one answer may have, roughly.
    private static let mostBytes = 8 << 20
    private static let blobBeginning = 16

    /// How long a value may be, so that so many stay within bounds.
    static func longest(in count: Int) -> Int { max(40, min(longest, mostBytes / max(1, count))) }

    private enum Key: String, CodingKey { case i, r, n, b64, type, x, t }

    /// A whole value.
    init(_ cell: Cell) {
        self.init(cell, byteCount: nil)
    }

    /// Bytes of which only their number is known.
    init(unreadBytes count: Int) {
        self.init(.blob(Data()), byteCount: count)
    }

    private init(_ cell: Cell, byteCount: Int?) {
        (self.cell, self.byteCount) = (cell, byteCount)
    }

    private init(beginningOfText bytes: some Collection<UInt8>, longest: Int) {
        // A letter that is cut in two at the end is left out.
        let text = String(decoding: bytes.prefix(longest), as: UTF8.self)
        self.init(.text(String(text.unicodeScalars.dropLast())), byteCount: bytes.count)
    }

    private init(beginningOfBlob bytes: some Collection<UInt8>) {
        self.init(.blob(Data(bytes.prefix(CellJSON.blobBeginning))), byteCount: bytes.count)
    }

    /// What a column holds, of a long text or of long bytes the beginning only: no more than that is copied.
    init(beginningOf column: ColumnCell, longest: Int = longest) {
        switch column.storageClass {
        case .text where column.text.count > longest: self.init(beginningOfText: column.text, longest: longest)
        case .blob where column.blob.count > longest: self.init(beginningOfBlob: column.blob)
        default: self.init(Cell(column))
        }
    }
}

extension CellJSON {
    /// A value, of a long text or of long bytes the beginning only.
    init(beginningOf value: SQLiteValue) {
        switch value {
        case .null: self.init(.null)
        case .integer(let number): self.init(.integer(number))
        case .real(let number): self.init(.real(number))
        case .text(let text) where text.utf8.count > CellJSON.longest:
            self.init(beginningOfText: text.utf8, longest: CellJSON.longest)
        case .text(let text): self.init(.text(text))
        case .blob(let bytes) where bytes.count > CellJSON.longest: self.init(beginningOfBlob: bytes)
        case .blob(let bytes): self.init(.blob(bytes))
        }
    }
}

extension StatementHandle {
    /// The values of the row, of long texts and long bytes the beginning only.
    func beginnings(longest: Int = CellJSON.longest) -> [CellJSON] {
        (0..<Int32(columnCount)).map { CellJSON(beginningOf: cell(at: $0), longest: longest) }
    }
}

extension CellJSON: Encodable {
    func encode(to encoder: any Encoder) throws {
        if case .null = cell {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        if case .text(let text) = cell, byteCount == nil {
            var container = encoder.singleValueContainer()
            return try container.encode(text)
        }
        var container = encoder.container(keyedBy: Key.self)
        switch cell {
        case .null: break
        case .text(let text):
            try container.encode(text, forKey: .t)
            try container.encodeIfPresent(byteCount, forKey: .n)
        case .integer(let number): try container.encode("\(number)", forKey: .i)
        case .real(let number): try container.encode("\(number)", forKey: .r)
        case .brokenText(let bytes): try container.encode(bytes.base64EncodedString(), forKey: .x)
        case .blob(let bytes):
            try container.encode(byteCount ?? bytes.count, forKey: .n)
            if byteCount == nil { try container.encode(bytes.base64EncodedString(), forKey: .b64) }
            try container.encodeIfPresent(ImageType(bytes)?.rawValue, forKey: .type)
        }
    }
}

extension CellJSON: Decodable {
    init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer() {
            if container.decodeNil() {
                self.init(.null)
                return
            }
            if let text = try? container.decode(String.self) {
                self.init(.text(text))
                return
            }
        }
        let container = try decoder.container(keyedBy: Key.self)
        func wrong(_ key: Key) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: "is no such value")
        }
        if let text = try container.decodeIfPresent(String.self, forKey: .i) {
            guard let number = Int64(text) else { throw wrong(.i) }
            self.init(.integer(number))
        } else if let text = try container.decodeIfPresent(String.self, forKey: .r) {
            // SQLite would keep NULL for what is no number.
            guard let number = Double(text), !number.isNaN else { throw wrong(.r) }
            self.init(.real(number))
        } else if let text = try container.decodeIfPresent(String.self, forKey: .x) {
            guard let bytes = Data(base64Encoded: text) else { throw wrong(.x) }
            self.init(.brokenText(bytes))
        } else {
            guard let bytes = Data(base64Encoded: try container.decode(String.self, forKey: .b64)) else {
                throw wrong(.b64)
            }
            self.init(.blob(bytes))
        }
    }
}

/// The images that a browser may show: known by how their bytes begin, whatever the file says.
enum ImageType: String {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webP = "image/webp"

    init?(_ bytes: Data) {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            self = .gif
        } else if start.count == 12, start.starts(with: Array("RIFF".utf8)), start[8...] == Array("WEBP".utf8)[...] {
            self = .webP
        } else {
            return nil
        }
    }
}
