import GRDB

/// Measures the operations of a step.
struct OperationCost {
    private var changes: Int
    private var start = ContinuousClock.now

    init(_ db: Database) {
        changes = db.totalChangesCount
    }

    /// What has been done since the last call.
    ///
    /// - Parameter operations: What it was. Of several that are one piece of work the first stands for all: each with all rows,
    ///   one would take the sum for what is written.
    mutating func take(of operations: [MigrationPlan.Operation], _ db: Database) -> [MigrationPlan.Cost] {
        guard let operation = operations.first else { return [] }
        let (end, changesNow) = (ContinuousClock.now, db.totalChangesCount)
        let rows = operation.rowsWritten(db, changes: changesNow - changes)
        let cost = MigrationPlan.Cost(rows: rows, duration: end - start)
        (start, changes) = (.now, changesNow)
        return [cost] + operations.dropFirst().map { _ in MigrationPlan.Cost.nothing }
    }
}

extension MigrationPlan.Operation {
    /// SQLite does not count the rows that it copies or indexes as changes, and counts those of its own schema.
    fileprivate func rowsWritten(_ db: Database, changes: Int) -> Int {
        switch self {
        case .makeNullable(_, let table), .changeType(_, _, _, let table), .allowNull(_, let table),
            .refuseNull(_, let table), .changeDefault(_, _, let table), .changeKey(_, let table),
            .addReference(_, let table), .dropReference(_, let table), .createIndex(_, let table),
            .dropColumn(_, let table), .buildFullTextIndex(let table, _):
            (try? db.rowCount(of: table)) ?? 0
        case .eraseDatabase, .createCacheTable, .createTable, .addColumn, .renameTable, .renameColumn, .dropIndex,
            .skipMigration:
            0
        case .fillColumn, .runMigration: changes
        }
    }
}

extension MigrationPlan {
    /// The operations in words, those that write rows with their number and the time.
    var lines: [String] {
        zip(operations, costs).map { operation, cost in
            cost.rows == 0 ? "\(operation)" : "\(operation) (\(cost))"
        }
    }

    /// How long all of it is likely to take; nothing where no rows are written.
    var summary: [String] {
        let rows = costs.map(\.rows).reduce(0, +)
        return rows == 0 ? [] : ["In all: \(Cost(rows: rows, duration: duration))"]
    }
}

extension MigrationPlan.Cost {
    static let nothing = Self(rows: 0, duration: .zero)
}

extension MigrationPlan.Cost: CustomStringConvertible {
    /// The number of rows and the time, as in `12000 rows, about 0.2 s`.
    public var description: String {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let time = seconds < 0.1 ? "less than 0.1 s" : String(format: "about %.1f s", seconds)
        return "\(rows) row\(rows == 1 ? "" : "s"), \(time)"
    }
}
