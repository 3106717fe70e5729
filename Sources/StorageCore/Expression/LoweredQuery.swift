/// SQL text and the arguments of its `?`, in order.
package struct LoweredQuery: Sendable, Hashable {
    package var sql: String { commonTables.isEmpty ? body : "WITH \(commonTables) \(body)" }
    /// The statement behind its common tables.
    package private(set) var body: String
    /// The tables that stand before the statement, whose arguments are the first; empty for none.
    package private(set) var commonTables = ""
    package var arguments: [StoredValue] = []
    /// What a connection needs to be able to run it.
    package var needs: ConnectionNeeds = []
    /// The full-text indexes that it reads.
    package var searches: [SearchedIndex] = []
    /// The columns whose JSON it looks into.
    package var jsonColumns: Set<String> = []

    package init(sql: String, arguments: [StoredValue] = []) {
        body = sql
        self.arguments = arguments
    }

    /// Writes text.
    package mutating func append(_ text: String) {
        body += text
    }

    /// Writes a value.
    mutating func append(_ argument: StoredValue) {
        body += "?"
        arguments.append(argument)
    }

    /// Writes a value where a list of some is one argument.
    mutating func append(_ text: String, _ argument: StoredValue) {
        body += text
        arguments.append(argument)
    }

    /// Makes a common table of all that was written, for the statement that follows.
    mutating func becomeCommonTable() {
        commonTables = body
        body = ""
    }

    /// Writes what was written elsewhere.
    mutating func append(_ other: LoweredQuery) {
        body += other.body
        arguments += other.arguments
        needs.formUnion(other.needs)
        searches += other.searches
        jsonColumns.formUnion(other.jsonColumns)
    }
}

/// Functions of ours that SQL may call. Stores have them on each connection; on one that another program opened they
/// are added when a query needs them.
package struct ConnectionNeeds: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The collation that orders decimal text as numbers.
    package static let decimalOrder = ConnectionNeeds(rawValue: 1)
    /// The function that makes upper and lower case the same.
    package static let caseFolding = ConnectionNeeds(rawValue: 2)
    /// The function that reads the values of a list.
    package static let listedValues = ConnectionNeeds(rawValue: 4)
}

/// The names under which connections know functions of ours.
package enum FunctionName {
    package static let decimalOrder = "storagekit_decimal"
    package static let caseFolding = "storagekit_fold"
    package static let listedValue = "storagekit_listed"
}
