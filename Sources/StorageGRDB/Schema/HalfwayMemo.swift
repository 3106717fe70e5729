import GRDB

private enum HalfwayMemo {}

extension DatabaseActor {
    /// Whether a statement may fail and leave what it did before.
    func mayFailHalfway(_ db: Database) throws -> Bool {
        // Others may have changed the schema.
        changes.catchUp()
        return try parts.value(of: HalfwayMemo.self) { SchemaMemo { try $0.mayFailHalfway() } }.value(
            db, epoch: changes.epoch)
    }
}

extension Database {
    /// Whether a statement of one row may fail and leave what it did before. SQLite undoes it, unless it was told to `FAIL`: by
    /// `RAISE(FAIL)` or `OR FAIL` in a trigger, or by a table's `ON CONFLICT FAIL` after a trigger has run. A connection may have
    /// triggers of its own, which its configuration makes.
    fileprivate func mayFailHalfway() throws -> Bool {
        // Not by LIKE, which may be told to know capitals.
        let sql = """
            SELECT EXISTS (SELECT 1 FROM main.sqlite_master WHERE instr(lower(sql), 'fail'))
                OR EXISTS (SELECT 1 FROM temp.sqlite_master WHERE instr(lower(sql), 'fail'))
            """
        return try firstRow(sql, []) { try $0.next() as Bool } ?? true
    }
}
