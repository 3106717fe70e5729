/// What a commit changed.
package enum ChangeSet: Sendable, Equatable {
    /// These tables, by lowercased name.
    case tables([String: TableChange])
    /// Nobody knows what: another connection or process committed, or the schema changed.
    case anything

    var isEmpty: Bool { self == .tables([:]) }
}

/// What a commit changed in one table.
package enum TableChange: Sendable, Equatable {
    /// The rows that have, or had, these ids, and what is known of what they hold and held.
    case rows(Set<StoredValue>, ChangedValues = ChangedValues())
    /// Which rows is not known, or they were too many to list.
    case allRows
}

/// What is known of changed rows of one table: of the columns that somebody wants to know of.
package struct ChangedValues: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        /// Whether any row holds something else there now, or is gone.
        var differs = false
        /// What such rows held, if somebody wants to know that too.
        var former: Set<StoredValue>?
        /// What all changed rows held and hold, if somebody wants to know that too.
        var all: Set<StoredValue>?
    }

    /// Whether there are rows that were not there. Said only where columns are known.
    var addsRows = false
    /// By column. Of one that is not here nothing is known.
    var columns: [String: Column] = [:]

    /// Whether a change may concern somebody who reads these columns only.
    func touches(_ read: Set<String>) -> Bool {
        addsRows || read.contains { columns[$0]?.differs ?? true }
    }

    mutating func add(_ other: ChangedValues) {
        addsRows = addsRows || other.addsRows
        var both: [String: Column] = [:]
        // Of what one knows nothing, both do not.
        for (name, column) in columns {
            guard let added = other.columns[name] else { continue }
            both[name] = Column(
                differs: column.differs || added.differs,
                former: column.former.flatMap { values in added.former.map(values.union) },
                all: column.all.flatMap { values in added.all.map(values.union) })
        }
        columns = both
    }
}

/// What somebody wants to know of a column of changed rows, beside whether it differs.
struct ColumnInterest: OptionSet, Sendable {
    let rawValue: Int

    /// What rows held that hold something else now, or are gone.
    static let formerValues = ColumnInterest(rawValue: 1)
    /// What all changed rows held and hold.
    static let allValues = ColumnInterest(rawValue: 2)
}
