import GRDB

extension Database {
    /// Drops a column of a table, and compiles the triggers that name the table. Of what they say of the column SQLite looks at values and
    /// conditions alone, not at the columns that they write; each write that fires them would fail.
    ///
    /// - Throws: The error of the first that can no longer be compiled, which names it.
    func dropColumn(_ column: String, of table: String) throws {
        // One of another program's may need a function that only that has.
        let broken = try brokenTriggers(naming: table).map(\.name)
        // The app may have asked for the old way, in which nobody looks whether a view names the column.
        try setting("legacy_alter_table", to: 0) {
            try execute(sql: "ALTER TABLE main.\(table.quotedIdentifier) DROP COLUMN \(column.quotedIdentifier)")
        }
        if let trigger = try brokenTriggers(naming: table).first(where: { !broken.contains($0.name) }) {
            throw trigger.error
        }
    }

    private func brokenTriggers(naming table: String) throws -> [(name: String, error: DatabaseError)] {
        let triggers = try Row.fetchAll(
            self, sql: "SELECT name, tbl_name, sql FROM main.sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL")
        return try triggers.compactMap { trigger in
            let (name, target, sql): (String, String, String) = (trigger[0], trigger[1], trigger[2])
            guard let tokens = [SQLToken](of: Array(sql.utf8)),
                tokens.contains(where: { $0.kind != .sign && $0.text.isSameName(as: table) }),
                let write = try writeThatFires(tokens, of: target)
            else { return nil }
            do {
                _ = try makeStatement(sql: write)
                return nil
            } catch let error as DatabaseError {
                let message = "error in trigger \(name): \(error.message ?? "")"
                return (name, DatabaseError(resultCode: error.extendedResultCode, message: message, sql: sql))
            }
        }
    }

    /// A statement that fires a trigger of a table or view.
    private func writeThatFires(_ trigger: [SQLToken], of target: String) throws -> String? {
        let name = target.quotedIdentifier
        switch trigger.lazy.compactMap(TriggerEvent.init).first {
        case .insert: return "INSERT INTO main.\(name) DEFAULT VALUES"
        case .delete: return "DELETE FROM main.\(name)"
        case .update:
            let columns = try storedColumns(of: target).map { "\($0.quotedIdentifier) = NULL" }
            return "UPDATE main.\(name) SET \(columns.joined(separator: ", "))"
        case nil: return nil
        }
    }
}

private enum TriggerEvent: String {
    case insert, update, delete

    init?(_ token: SQLToken) {
        guard token.kind == .word else { return nil }
        self.init(rawValue: token.text.asciiLowercased)
    }
}
