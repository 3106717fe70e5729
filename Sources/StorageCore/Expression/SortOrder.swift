/// The direction of a sort.
public enum SortOrder: String, Sendable, Codable, CaseIterable {
    /// Smallest first; NULL before everything.
    case ascending
    /// Largest first; NULL after everything.
    case descending

    /// Never there: it gives the compiler words for the name that others have.
    @available(*, unavailable, renamed: "ascending")
    public static var asc: SortOrder { .ascending }

    /// Never there.
    @available(*, unavailable, renamed: "descending")
    public static var desc: SortOrder { .descending }
}

/// Where NULLs stand in an order. SQLite takes NULL for less than any value.
public enum NullsOrder: Sendable {
    /// Before all values.
    case first
    /// After all values.
    case last
}
