/// The direction of a sort.
public enum SortOrder: Sendable {
    /// Smallest first; NULL before everything.
    case ascending
    /// Largest first; NULL after everything.
    case descending
}
