import Foundation
import StorageSQLite

/// A plan in words, measured on a copy.
enum PlanText {
    /// One line for each thing to do, then what stays, then what all of it takes.
    ///
    /// - Parameter connection: One to the file, which is copied if there is something to do.
    static func lines(_ comparison: SchemaComparison, on connection: Connection) throws -> [String] {
        guard !comparison.operations.isEmpty else { return ["Nothing to do"] + comparison.remarks }
        let copy = try connection.privateCopy()
        var (rows, time) = (0, Duration.zero)
        var lines: [String] = []
        for operation in comparison.operations {
            let count = try operation.table.map { try rowCount(of: $0, on: copy) } ?? 0
            let start = ContinuousClock.now
            let failure = try failure(of: operation, on: copy)
            let duration = ContinuousClock.now - start
            (rows, time) = (rows + count, time + duration)
            lines.append(
                operation.text + (count == 0 ? "" : " (\(text(count, duration)))")
                    + (failure.map { ": this would fail: \($0)" } ?? ""))
        }
        return lines + comparison.remarks + ["In all: \(text(rows, time)), without the app's own migrations"]
    }

    /// How many rows a table has; 0 for one that only the app can read, or that could not be made.
    private static func rowCount(of table: String, on copy: Connection) throws -> Int {
        do {
            return try copy.integer("SELECT COUNT(*) FROM main.\(table.quotedName)")
        } catch let failure as SQLiteFailure where failure.kind == .error {
            return 0
        }
    }

    /// Why it cannot be done, as where rows break a unique index. Nothing is left of it then.
    private static func failure(of operation: SchemaComparison.Operation, on copy: Connection) throws -> String? {
        if let problem = operation.problem { return problem }
        do {
            try copy.transaction { for sql in operation.sql { try copy.run(sql) } }
            for check in operation.checks {
                let problem: String? = try copy.transaction { try check.problem(on: copy) }
                if let problem { return problem }
            }
            return nil
        } catch let failure as SQLiteFailure {
            return failure.message
        }
    }

    private static func text(_ rows: Int, _ duration: Duration) -> String {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let time = seconds < 0.1 ? "less than 0.1 s" : String(format: "about %.1f s", seconds)
        return "\(Amount.of(rows, "row")), \(time)"
    }
}
