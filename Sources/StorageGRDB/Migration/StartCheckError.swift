/// A start has looked at what it was about to commit and found it wrong. The file is as it was.
public struct StartCheckError: Error, Sendable, Equatable {
    /// One thing that is wrong.
    public enum Finding: Sendable, Hashable {
        /// What SQLite says of the structure of the file, of an index, or of a NULL where none may be; with table and column, or the
        /// index.
        case damage(String)
        /// A row refers to one that is not there. The rowid is nil in a table without rowids.
        case reference(table: String, rowid: Int64?, parent: String)
    }

    /// All that is wrong.
    public let findings: [Finding]
}

extension StartCheckError.Finding: CustomStringConvertible {
    /// The finding in words.
    public var description: String {
        switch self {
        case .damage(let line): line
        case .reference(let table, let rowid, let parent):
            "'\(table)'\(rowid.map { " row \($0)" } ?? "") would refer to a row of '\(parent)' that is not there"
        }
    }
}

extension StartCheckError: LocalizedError {
    /// The first findings, and how many there are beyond them.
    public var errorDescription: String? {
        let first =
            findings.prefix(10).map(\.description) + (findings.count > 10 ? ["and \(findings.count - 10) more"] : [])
        return "the file would not be sound: \(first.joined(separator: "; "))"
    }
}
