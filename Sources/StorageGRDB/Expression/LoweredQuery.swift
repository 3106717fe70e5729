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
