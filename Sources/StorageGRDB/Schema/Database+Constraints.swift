import GRDB

extension Database {
    /// Runs a write. A constraint that it breaks is thrown as a `ConstraintViolation` with the names that the schema has.
    ///
    /// - Parameter brokenReference: Finds out which foreign key is broken, of which SQLite does not tell.
    func namingConstraints<T>(
        _ body: () throws -> T, brokenReference: () throws -> ConstraintViolation? = { nil }
    ) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            guard let violation = violation(error) else { throw error }
            guard violation.kind == .foreignKey else { throw StorageError.constraintViolated(violation) }
            // What goes wrong in looking says nothing of the write.
            throw StorageError.constraintViolated(((try? brokenReference()) ?? nil) ?? violation)
        }
    }

    /// What SQLite's error says, with the table of a check or of an index over expressions, which it does not name.
    private func violation(_ error: DatabaseError) -> ConstraintViolation? {
        guard let violation = ConstraintViolation(error) else { return nil }
        guard let tables = try? tables(of: violation), tables.count == 1 else { return violation }
        return ConstraintViolation(kind: violation.kind, table: tables.first, message: violation.message)
    }

    /// The tables that may have the rule. What SQLite calls a check is its name or its text, which stands in the table's SQL, perhaps
    /// with quotes doubled.
    private func tables(of violation: ConstraintViolation) throws -> Set<String> {
        if let index = violation.namedIndex { return try tables(having: "type = 'index' AND name = ?1", index) }
        guard violation.kind == .check, let check = violation.subject else { return [] }
        let spellings = ["?1"] + ["'\"'", "''''", "'`'"].map { "replace(?1, \($0), \($0) || \($0))" }
        let has = spellings.map { "instr(sql, \($0))" }.joined(separator: " OR ")
        return try tables(having: "type = 'table' AND instr(lower(sql), 'check') AND (\(has))", check)
    }

    /// The tables of all files that have something in their schema.
    private func tables(having condition: String, _ name: String) throws -> Set<String> {
        let schemas = try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list")
        let names = try schemas.flatMap { schema in
            try String.fetchAll(
                self, sql: "SELECT tbl_name FROM \(schema.quotedIdentifier).sqlite_master WHERE \(condition)",
                arguments: [name])
        }
        return Set(names)
    }
}
