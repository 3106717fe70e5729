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
