import Synchronization

extension ChangeHub {
    /// The tables whose rows somebody wants to know.
    struct Tracking {
        /// By lowercased name.
        var tables: [String: TrackedTable] = [:]
        var stamp = Stamp()

        /// Moves with each change of `tables`, so that a collector compares two numbers and not all columns.
        struct Stamp: Equatable {
            /// One more with each column.
            var version = 0
            /// One more with each change that nobody knows, after which a schema may be another.
            var epoch = 0
        }

        /// Where two ask for the rows of a table by different columns, nobody can say by which of them ids were collected: all rows count
        /// as changed.
        func rowsKnown(to changes: ChangeSet) -> ChangeSet {
            guard case .tables(var tables) = changes else { return changes }
            for table in tables.keys where self.tables[table]?.idColumn.isEmpty == true { tables[table] = .allRows }
            return .tables(tables)
        }
    }

    /// ``Tracking/Stamp/version``, for reading without the lock, and without the hub.
    final class TrackingVersion: Sendable {
        let number = Atomic<Int>(0)
    }
}

/// What somebody wants to know of a table's changes.
struct TrackedTable: Equatable {
    /// The column that rows are known by; empty where they are known by two.
    var idColumn: String
    /// The columns of which to know whether they change, and what else.
    var columns: [String: ColumnInterest] = [:]

    mutating func add(idColumn: String, _ columns: [String: ColumnInterest]) {
        // Rows cannot be known by two columns. Of a column that does not exist, all rows count as changed.
        if self.idColumn != idColumn { self.idColumn = "" }
        self.columns.merge(columns) { $0.union($1) }
    }
}
