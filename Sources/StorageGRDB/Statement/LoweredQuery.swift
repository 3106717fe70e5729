/// SQL text and the arguments of its `?`, in order.
package struct LoweredQuery: Sendable, Hashable {
    package var sql: String
    package var arguments: [StoredValue] = []
    /// What a connection needs to be able to run it.
    var needs: ConnectionNeeds = []
    /// The full-text indexes that it reads.
    var searches: [SearchedIndex] = []

    package init(sql: String, arguments: [StoredValue] = []) {
        self.sql = sql
        self.arguments = arguments
    }

    /// Writes a value.
    mutating func append(_ argument: StoredValue) {
        sql += "?"
        arguments.append(argument)
    }
}

/// Functions of ours that SQL may call. Stores have them on each connection; on one that another program opened they
/// are added when a query needs them.
struct ConnectionNeeds: OptionSet, Hashable {
    let rawValue: Int
    /// The collation that orders decimal text as numbers.
    static let decimalOrder = ConnectionNeeds(rawValue: 1)
    /// The function that makes upper and lower case the same.
    static let caseFolding = ConnectionNeeds(rawValue: 2)
    /// The function that reads the values of a list.
    static let listedValues = ConnectionNeeds(rawValue: 4)
}

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
