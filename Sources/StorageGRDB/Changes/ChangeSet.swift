/// What a commit changed.
package enum ChangeSet: Sendable, Equatable {
    /// These tables, by lowercased name.
    case tables([String: TableChange])
    /// Nobody knows what: another connection or process committed, or the schema changed.
    case anything

    /// What it changed in a table; nil for nothing.
    package func change(of table: String) -> TableChange? {
        switch self {
        case .tables(let tables): tables[table]
        case .anything: .allRows
        }
    }

    var isEmpty: Bool { self == .tables([:]) }
}

/// What a commit changed in one table.
package enum TableChange: Sendable, Equatable {
    /// The rows that have, or had, these ids.
    case rows(Set<StoredValue>)
    /// Which rows is not known, or they were too many to list.
    case allRows
}
