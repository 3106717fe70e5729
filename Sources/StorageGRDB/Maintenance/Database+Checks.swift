import GRDB

extension Database {
    /// Runs `body` with all `CHECK` constraints off, and puts the switch back.
    func ignoringChecks<T>(_ body: () throws -> T) throws -> T {
        try setting("ignore_check_constraints", to: 1, body)
    }

    /// Runs `body` with a pragma of the connection at a value, and puts it back.
    func setting<T>(_ pragma: String, to value: Int, _ body: () throws -> T) throws -> T {
        let before = try Int.fetchOne(self, sql: "PRAGMA \(pragma)") ?? 0
        try execute(sql: "PRAGMA \(pragma) = \(value)")
        defer { try? execute(sql: "PRAGMA \(pragma) = \(before)") }
        return try body()
    }
}
