/// What came of a round of reading.
struct LiveOutcome: Sendable {
    /// Whether the value is another one now.
    let isNew: Bool
    /// What was read for it; nil for nothing.
    let read: (scope: StreamRead.Scope, rowCount: Int?)?

    /// Nothing had to be read.
    static let nothing = LiveOutcome(isNew: false, read: nil)

    /// All of the value was read.
    ///
    /// - Parameter rowCount: How many rows; nil if the value tells, or nobody knows.
    static func all(isNew: Bool, _ rowCount: Int? = nil) -> LiveOutcome {
        LiveOutcome(isNew: isNew, read: (.all, rowCount))
    }

    /// What a change may concern was read.
    ///
    /// - Parameters:
    ///   - rowCount: How many rows, or groups.
    ///   - areGroups: Whether they are groups.
    static func some(isNew: Bool, _ rowCount: Int, areGroups: Bool) -> LiveOutcome {
        LiveOutcome(isNew: isNew, read: (areGroups ? .groups : .rows, rowCount))
    }
}
