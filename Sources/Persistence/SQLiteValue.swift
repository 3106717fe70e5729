/// One value as SQLite keeps it: what is bound to a `?`, and what stands in a column.
public enum SQLiteValue: Sendable, Hashable {
    /// NULL.
    case null
    /// INTEGER, of at most 64 bits.
    case integer(Int64)
    /// REAL. NaN cannot be bound, since SQLite would store NULL.
    case real(Double)
    /// TEXT, of any Unicode, NUL included.
    case text(String)
    /// BLOB. Empty data is not NULL.
    case blob(Data)
}

extension SQLiteValue {
    /// Whether two values are the same to SQLite: texts only with the same bytes, while Swift takes a composed and a
    /// decomposed letter for one.
    public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): ByteText(left) == ByteText(right)
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
        case .text(let value): hasher.combine(ByteText(value))
        case .blob(let value): hasher.combine(value)
        }
    }
}

extension SQLiteValue {
    /// The name of the storage class, for errors, which do not carry the value itself.
    var storageClass: String {
        switch self {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }

    /// About how many bytes the value takes in memory.
    var byteCount: Int {
        switch self {
        case .null, .integer, .real: MemoryLayout<SQLiteValue>.stride
        case .text(let text): MemoryLayout<SQLiteValue>.stride + text.utf8.count
        case .blob(let data): MemoryLayout<SQLiteValue>.stride + data.count
        }
    }
}
