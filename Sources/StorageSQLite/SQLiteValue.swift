public import Foundation

/// A value as SQLite keeps it: what is bound to a `?`, and what stands in a column of a row.
@frozen
public enum SQLiteValue: Sendable, Hashable {
    /// NULL.
    case null
    /// INTEGER, of at most 64 bits.
    case integer(Int64)
    /// REAL. SQLite stores NaN as NULL.
    case real(Double)
    /// TEXT, of any Unicode, NUL included.
    case text(String)
    /// BLOB. Empty data is not NULL.
    case blob(Data)
}

extension SQLiteValue {
    /// What a column holds that has it.
    @inlinable package var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }

    /// How many bytes its TEXT or BLOB has; 0 for everything else.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .integer, .real, .null: 0
        }
    }

    /// Whether two values are the same to SQLite: texts only with the same bytes, while Swift takes a composed and a
    /// decomposed letter for one.
    @inline(never)
    public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
        // Not inlined: whatever compares arrays of values would have a copy of all this.
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.hasBytes(of: right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes the value, a text by its bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): value.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .blob(let value): value.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

extension String {
    fileprivate func hasBytes(of other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(start, other, left.count) == 0
            }
        }
    }

    /// Lends the bytes of the text where it has them, without a copy of the string.
    @inlinable
    package func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
        // Other strings than Swift's own, on systems that have any, keep their text in another form.
        try utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension SQLiteValue: Codable {
    /// Reads a value; bytes are an object with the one key `blob`, and a real number that JSON would not tell from an integer is one with
    /// the one key `real`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            let marked = try container.decode(Marked.self)
            if let blob = marked.blob {
                self = .blob(blob)
            } else if let number = marked.real.flatMap(Double.init) {
                self = .real(number)
            } else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "an object is neither 'blob' nor 'real'")
            }
        }
    }

    /// Writes the value; bytes as an object with the one key `blob`, a real number without a fraction, or an infinite one, as one with the
    /// one key `real`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .integer(let value): try container.encode(value)
        case .real(let value) where value == value.rounded() || !value.isFinite:
            try container.encode(Marked(real: "\(value)"))
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .blob(let value): try container.encode(Marked(blob: value))
        }
    }

    private struct Marked: Codable {
        var blob: Data?
        var real: String?
    }
}
