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
    /// The rows that have, or had, these ids, and what is known of how they were.
    case rows(Set<StoredValue>, FormerValues = FormerValues())
    /// Which rows is not known, or they were too many to list.
    case allRows
}

/// What is known of changed rows of one table as they were: of the columns that somebody wants to know of.
package struct FormerValues: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        /// Whether any row holds something else there now, or is gone.
        var differs = false
        /// What such rows held, if somebody wants to know that too.
        var values: Set<StoredValue>?
    }

    /// Whether there are rows that were not there. Said only where columns are known.
    var addsRows = false
    /// By column. Of one that is not here nothing is known.
    var columns: [String: Column] = [:]

    /// Whether a change may concern somebody who reads these columns only.
    func touches(_ read: Set<String>) -> Bool {
        addsRows || read.contains { columns[$0]?.differs ?? true }
    }

    mutating func add(_ other: FormerValues) {
        addsRows = addsRows || other.addsRows
        var both: [String: Column] = [:]
        // Of what one knows nothing, both do not.
        for (name, column) in columns {
            guard let added = other.columns[name] else { continue }
            both[name] = Column(
                differs: column.differs || added.differs,
                values: column.values.flatMap { values in added.values.map(values.union) })
        }
        columns = both
    }
}
