import GRDB
import StorageSQLite

extension Database {
    /// Runs `body` with all `CHECK` constraints off, and puts the switch back.
    func ignoringChecks<T>(_ body: () throws -> T) throws -> T {
        try setting("ignore_check_constraints", to: 1, body)
    }

    /// Runs `body` with a pragma of the connection at a value, and puts it back.
    func setting<T>(_ pragma: String, to value: Int, _ body: () throws -> T) throws -> T {
        let before = try Int.fetchOne(self, sql: "PRAGMA \(pragma)") ?? 0
        try execute(sql: "PRAGMA \(pragma) = \(value)")
        // Not through GRDB, which refuses all statements of a task that was cancelled.
        defer { try? borrowedConnection?.run("PRAGMA \(pragma) = \(before)") }
        return try body()
    }

    /// What SQLite finds wrong with the structure of the file. Rows that break a CHECK are the app's own business, and it may call what this
    /// connection does not know.
    ///
    /// - Parameter mostLines: How many lines to ask for.
    func damage(mostLines: Int = 100) throws -> [String] {
        try ignoringChecks {
            do {
                return try integrityCheck("\(mostLines)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // An index, too, may call what only another program knows. SQLite looks at the other tables one by one.
                let tables = try String.fetchAll(
                    self, sql: "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0")
                return try tables.flatMap { table in
                    do {
                        return try integrityCheck(table.quotedLiteral)
                    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                        return []
                    }
                }
            }
        }
    }

    private func integrityCheck(_ argument: String) throws -> [String] {
        let lines = try String.fetchAll(self, sql: "PRAGMA main.integrity_check(\(argument))")
        return lines == ["ok"] ? [] : lines
    }
}
