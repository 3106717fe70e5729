/// The direction of a sort.
public enum SortOrder: String, Sendable, Codable, CaseIterable {
    /// Smallest first; NULL before everything.
    case ascending
    /// Largest first; NULL after everything.
    case descending
}

/// Where NULLs stand in an order. SQLite takes NULL for less than any value.
public enum NullsOrder: Sendable {
    /// Before all values.
    case first
    /// After all values.
    case last
}
