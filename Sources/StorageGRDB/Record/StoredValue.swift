/// A value as SQLite keeps it in one column of one row.
public enum StoredValue: Sendable, Hashable {
    /// NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text, in UTF-8.
    case text(String)
    /// Bytes.
    case blob(Data)
}
