public import GRDBSQLite

/// What SQLite does with bytes that it is given.
@frozen
public enum BytesOwnership {
    /// It copies them before the call returns: `SQLITE_TRANSIENT`.
    case copied
    /// They stay where they are until the parameter is bound anew: `SQLITE_STATIC`.
    case leftInPlace

    // Swift does not import the cast -1.
    @usableFromInline nonisolated(unsafe) static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// Where no bytes are: SQLite takes a null pointer for NULL, and reads nothing from here.
    @usableFromInline nonisolated(unsafe) static let noBytes = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    @inlinable var destructor: sqlite3_destructor_type? {
        switch self {
        case .copied: BytesOwnership.transient
        case .leftInPlace: nil
        }
    }
}
