/// The names that a table and its columns had in earlier versions of the model.
public struct FormerNames: Sendable {
    /// Those of the table, the latest last.
    public let ofTable: [String]
    /// Those of columns, the latest last, by the name that the column has now.
    public let ofColumns: [String: [String]]

    /// Names of a table and its columns.
    ///
    /// - Parameters:
    ///   - ofTable: Those of the table, the latest last.
    ///   - ofColumns: Those of columns, the latest last, by the name that the column has now.
    public init(ofTable: [String] = [], ofColumns: [String: [String]] = [:]) {
        self.ofTable = ofTable
        self.ofColumns = ofColumns
    }
}
