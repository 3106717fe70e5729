/// What a check of a database found.
///
/// ```swift
/// let report = try await context.checkIntegrity()
/// if !report.isIntact { print(report) }
/// ```
public struct IntegrityReport: Sendable, Equatable {
    /// A row that refers to one that is not there.
    public struct BrokenReference: Sendable, Equatable {
        /// The table that refers.
        public let table: String
        /// The rowid of the row; nil in a table without rowids.
        public let rowid: Int64?
        /// The table that is referred to.
        public let parent: String
    }

    /// What SQLite says is wrong with the structure of the file, and the foreign keys that it cannot check; empty if
    /// nothing is.
    public internal(set) var damage: [String] = []
    /// The rows that refer to rows which are not there.
    public internal(set) var brokenReferences: [BrokenReference] = []
    /// The full-text indexes that contradict themselves or their table, or that have lost it.
    public internal(set) var brokenIndexes: [String] = []

    /// Whether nothing was found.
    public var isIntact: Bool { self == IntegrityReport() }
}

extension IntegrityReport: CustomStringConvertible {
    /// One line for each thing found, or `ok`.
    public var description: String {
        let lines =
            damage
            + brokenReferences.map { broken in
                "'\(broken.table)'\(broken.rowid.map { " row \($0)" } ?? "") refers to a row of '\(broken.parent)' that "
                    + "is not there"
            }
            + brokenIndexes.map { "full-text index '\($0)' is damaged: build it anew" }
        return lines.isEmpty ? "ok" : lines.joined(separator: "\n")
    }
}
