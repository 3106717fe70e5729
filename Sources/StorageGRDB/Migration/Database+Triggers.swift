import GRDB

extension Database {
    /// Compiles the triggers that name a table. Of what they say of a column that is dropped SQLite looks at values and conditions alone,
    /// not at the columns that they write; each write that fires them would fail.
    ///
    /// - Throws: The error of the first that cannot be compiled, which names it.
    func checkTriggers(naming table: String) throws {
        let triggers = try Row.fetchAll(
            self, sql: "SELECT name, tbl_name, sql FROM main.sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL")
        for trigger in triggers {
            let (name, target, sql): (String, String, String) = (trigger[0], trigger[1], trigger[2])
            guard let tokens = [SQLToken](of: Array(sql.utf8)),
                tokens.contains(where: { $0.kind != .sign && $0.text.isSameName(as: table) }),
                let write = try writeThatFires(tokens, of: target)
            else { continue }
            do {
                _ = try makeStatement(sql: write)
            } catch let error as DatabaseError {
                throw DatabaseError(
                    resultCode: error.extendedResultCode, message: "error in trigger \(name): \(error.message ?? "")",
                    sql: sql)
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
            // No generated ones.
            let columns = try String.fetchAll(
                self, sql: "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0", arguments: [target]
            ).map { "\($0.quotedIdentifier) = NULL" }
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
