/// A table has a column that the model does not know, takes no NULL and has no default: no row could be saved.
public struct UnknownColumnError: Error, Sendable, Equatable {
    /// Why the start does not let the column take NULL.
    public enum Reason: Sendable, Equatable {
        /// No model that started on the file has had the column: it was made by hand.
        case isInNoModel
        /// The SQL of the table is not understood.
        case isNotUnderstood
    }

    /// The table.
    public let table: String
    /// The column.
    public let column: String
    /// Why the start does not let the column take NULL.
    public let reason: Reason
}

extension UnknownColumnError: LocalizedError {
    /// The column and what to do.
    public var errorDescription: String? {
        let problem =
            "table '\(table)' has a column '\(column)' that the model does not know, takes no NULL and has no default, so that "
            + "no row could be saved"
        let why =
            switch reason {
            case .isInNoModel: "No version of the app has had it in its model"
            case .isNotUnderstood: "The SQL of the table is not understood"
            }
        return "\(problem). \(why): add a property for it, or drop it or give it a default in a migration"
    }
}
