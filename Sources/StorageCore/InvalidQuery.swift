/// A query that was asked for something it cannot do; nothing was run.
public struct InvalidQuery: Error, Sendable, Equatable, LocalizedError {
    /// What is wrong, and what would be right.
    public let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var errorDescription: String? { reason }
}

extension StorageError {
    /// The error for a query that was asked for something it cannot do.
    ///
    /// - Parameter reason: What is wrong, and what would be right.
    package static func invalidQuery(_ reason: String) -> StorageError {
        .queryFailed(sql: nil, underlying: InvalidQuery(reason: reason))
    }
}
