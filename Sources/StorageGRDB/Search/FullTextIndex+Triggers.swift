extension FullTextIndex {
    /// One for each kind of change. All do the same: they make the documents of the keys concerned equal to the
    /// rows that have those keys *now*. So it does not matter in which order they and an app's own triggers run,
    /// nor how often.
    ///
    /// No statement in them has a conflict clause, since the one of the statement that fired the trigger would
    /// override it.
    func triggers(key: FullTextKey) -> [FullTextPart] {
        let old = "old.\(key.column.quotedIdentifier)"
        let new = "new.\(key.column.quotedIdentifier)"
        // One key in each statement: FTS5 takes twice as long to look for one of a list.
        let isMoved = " AND \(keyChanges(key))"
        return [
            trigger("ai", "AFTER INSERT", statements(key, of: new)),
            trigger(
                "au", "AFTER UPDATE", when: changes(key: key),
                statements(key, of: old, where: isMoved) + statements(key, of: new)),
            trigger("ad", "AFTER DELETE", statements(key, of: old)),
        ]
    }

    private func trigger(
        _ suffix: String, _ event: String, when condition: String? = nil, _ statements: [String]
    ) -> FullTextPart {
        let triggerName = "\(name)_\(suffix)"
        var lines = ["CREATE TRIGGER \(triggerName.quotedIdentifier) \(event) ON \(table.quotedIdentifier)"]
        if let condition { lines.append("WHEN \(condition)") }
        lines.append("BEGIN")
        lines += statements.map { "    \($0);" }
        lines.append("END")
        return FullTextPart(
            kind: .trigger, name: triggerName, table: SQLName(table), sql: lines.joined(separator: "\n"))
    }

    /// An upsert sets all columns, most of them to what they were: such an update is none for the index. Values
    /// are compared as the text that FTS5 reads, and byte by byte whatever collation a column has.
    private func changes(key: FullTextKey) -> String {
        let texts = columns.map { column in
            let column = column.quotedIdentifier
            return "CAST(old.\(column) AS TEXT) IS NOT CAST(new.\(column) AS TEXT) COLLATE BINARY"
        }
        return ([keyChanges(key)] + texts).joined(separator: "\n    OR ")
    }

    private func keyChanges(_ key: FullTextKey) -> String {
        let name = key.column.quotedIdentifier
        return "old.\(name) IS NOT new.\(name) COLLATE BINARY"
    }

    /// - Parameters:
    ///   - id: The key concerned.
    ///   - condition: What else has to hold, with ` AND ` before it.
    private func statements(_ key: FullTextKey, of id: String, where condition: String = "") -> [String] {
        let documents = name.quotedIdentifier
        switch key {
        case .number(let column):
            let column = column.quotedIdentifier
            return [
                "DELETE FROM \(documents) WHERE rowid = \(id)\(condition)",
                "\(insertSQL) \(documentsSQL(key: key)) WHERE \(column) = \(id)\(condition)",
            ]
        case .mapped(let column, _, _):
            let ids = idsName.quotedIdentifier
            return [
                "DELETE FROM \(documents) WHERE rowid = (SELECT docid FROM \(ids) WHERE id = \(id))\(condition)",
                """
                DELETE FROM \(ids) WHERE id = \(id)\(condition) \
                AND NOT EXISTS (SELECT 1 FROM \(rowsDeclaration) WHERE \(key.equal(rowsName, ids)))
                """,
                """
                INSERT INTO \(ids) (id) SELECT \(column.quotedIdentifier) FROM \(rowsDeclaration) \
                WHERE \(key.qualified(rowsName)) = \(id)\(condition) \
                AND NOT EXISTS (SELECT 1 FROM \(ids) WHERE \(key.equal(rowsName, ids)))
                """,
                "\(insertSQL) \(documentsSQL(key: key)) WHERE \(ids).id = \(id)\(condition)",
            ]
        }
    }
}
