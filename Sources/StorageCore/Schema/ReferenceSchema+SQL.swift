extension ReferenceSchema {
    /// The clause as a column's SQL has it: `REFERENCES "lists"("id") ON DELETE CASCADE`. What is so anyway is not said.
    package var sql: String {
        var sql = "REFERENCES \(table.quotedIdentifier)(\(key.quotedIdentifier))"
        if onDelete != .noAction { sql += " ON DELETE \(onDelete.rawValue)" }
        if onUpdate != .noAction { sql += " ON UPDATE \(onUpdate.rawValue)" }
        return sql
    }

    /// Whether both say the same. Names are compared without case, as SQLite does.
    package func isSame(as other: ReferenceSchema) -> Bool {
        column.isSameName(as: other.column) && table.isSameName(as: other.table) && key.isSameName(as: other.key)
            && onDelete == other.onDelete && onUpdate == other.onUpdate
    }
}
