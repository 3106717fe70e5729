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
        return [
            trigger("ai", "AFTER INSERT", key: key, keys: new),
            trigger("au", "AFTER UPDATE", when: changes(key: key), key: key, keys: "\(old), \(new)"),
            trigger("ad", "AFTER DELETE", key: key, keys: old),
        ]
    }

    private func trigger(
        _ suffix: String, _ event: String, when condition: String? = nil, key: FullTextKey, keys: String
    ) -> FullTextPart {
        let triggerName = "\(name)_\(suffix)"
        var lines = ["CREATE TRIGGER \(triggerName.quotedIdentifier) \(event) ON \(table.quotedIdentifier)"]
        if let condition { lines.append("WHEN \(condition)") }
        lines.append("BEGIN")
        lines += statements(key: key, keys: keys).map { "    \($0);" }
        lines.append("END")
        return FullTextPart(kind: .trigger, name: triggerName, sql: lines.joined(separator: "\n"))
    }

    /// An upsert sets all columns, most of them to what they were: such an update is none for the index. Values
    /// are compared as the text that FTS5 reads, and byte by byte whatever collation a column has.
    private func changes(key: FullTextKey) -> String {
        let keyName = key.column.quotedIdentifier
        let texts = columns.map { column in
            let column = column.quotedIdentifier
            return "CAST(old.\(column) AS TEXT) IS NOT CAST(new.\(column) AS TEXT) COLLATE BINARY"
        }
        return (["old.\(keyName) IS NOT new.\(keyName) COLLATE BINARY"] + texts).joined(separator: "\n    OR ")
    }

    private func statements(key: FullTextKey, keys: String) -> [String] {
        let documents = name.quotedIdentifier
        switch key {
        case .number(let column):
            let column = column.quotedIdentifier
            return [
                "DELETE FROM \(documents) WHERE rowid IN (\(keys))",
                "\(insertSQL) \(documentsSQL(key: key)) WHERE \(column) IN (\(keys))",
            ]
        case .mapped(let column, _, _):
            let (rows, ids) = (table.quotedIdentifier, idsName.quotedIdentifier)
            return [
                "DELETE FROM \(documents) WHERE rowid IN (SELECT docid FROM \(ids) WHERE id IN (\(keys)))",
                """
                DELETE FROM \(ids) WHERE id IN (\(keys)) \
                AND NOT EXISTS (SELECT 1 FROM \(rows) WHERE \(key.equal(rows, ids)))
                """,
                """
                INSERT INTO \(ids) (id) SELECT \(column.quotedIdentifier) FROM \(rows) \
                WHERE \(key.qualified(rows)) IN (\(keys)) \
                AND NOT EXISTS (SELECT 1 FROM \(ids) WHERE \(key.equal(rows, ids)))
                """,
                "\(insertSQL) \(documentsSQL(key: key)) WHERE \(ids).id IN (\(keys))",
            ]
        }
    }
}
