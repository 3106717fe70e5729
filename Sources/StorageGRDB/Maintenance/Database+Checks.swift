import GRDB

extension Database {
    /// Runs `body` with all `CHECK` constraints off, and puts the switch back.
    func ignoringChecks<T>(_ body: () throws -> T) throws -> T {
        let before = try Int.fetchOne(self, sql: "PRAGMA ignore_check_constraints") ?? 0
        try execute(sql: "PRAGMA ignore_check_constraints = 1")
        defer { try? execute(sql: "PRAGMA ignore_check_constraints = \(before)") }
        return try body()
    }
}
