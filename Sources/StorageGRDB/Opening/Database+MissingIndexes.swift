import GRDB

// Which indexes a statement lacks, is SQLite's to say: it plans the statement again, over the same tables without rows, where every
// column has an index.

/// What is known of a statement on its own database.
struct PlannedStatement: Sendable {
    let sql: String
    /// What SQLite does for it, a line a step.
    let plan: [String]
    /// The SQL that makes the tables and indexes.
    let schema: [String]

    /// The statement that reads `schema`.
    static let schemaSQL = """
        SELECT sql FROM main.sqlite_master WHERE type <> 'trigger' AND sql IS NOT NULL ORDER BY type <> 'table', rowid
        """
}

extension Database {
    /// The indexes of one column that SQLite would find rows by, where it reads a whole table now. The connection is an empty database's.
    ///
    /// Truth values are left out: by an index over them half a table is found.
    ///
    /// - Parameters:
    ///   - statement: What another database does.
    ///   - tables: The tables that can have more indexes.
    func missingIndexes(for statement: PlannedStatement, on tables: [TableSchema]) throws -> [MissingIndex] {
        var scanned = statement.plan.scanned
        guard !scanned.isEmpty else { return [] }
        for sql in statement.schema {
            // The parts of a full-text index are there by now, and SQLite's own tables may not be made.
            try? execute(sql: sql)
        }
        for table in tables { try widenPartialIndexes(of: table.name) }
        scanned.formIntersection(try queryPlan(of: statement.sql).scanned)
        var tried: [MissingIndex] = []
        for table in tables {
            for column in table.columns where try isWorthAnIndex(column, of: table) {
                try execute(
                    sql: """
                        CREATE INDEX \(Self.triedName)\(tried.count) ON \(table.name.quotedIdentifier) \
                        (\(column.name.quotedIdentifier))
                        """)
                tried.append(MissingIndex(sql: statement.sql, table: table.name, column: column.name))
            }
        }
        let used = try queryPlan(of: statement.sql).compactMap { step -> Int? in
            guard step.hasPrefix("SEARCH "), scanned.contains(step.planned("SEARCH ")),
                let name = step.range(of: " INDEX \(Self.triedName)")
            else { return nil }
            // Without a comparison behind it, it gives the least or the greatest value only.
            let rest = step[name.upperBound...]
            return rest.contains(" (") ? Int(rest.prefix(while: \.isNumber)) : nil
        }
        return Set(used).sorted().map { tried[$0] }
    }

    /// Has each partial index of a table once more over all rows: whether a statement meets the condition, only its values say.
    private func widenPartialIndexes(of table: String) throws {
        let columns = """
            SELECT list.name, group_concat('"' || replace(part.name, '"', '""') || '" COLLATE "' || part.coll || '"') AS columns
            FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part
            WHERE list.partial AND part.key AND part.name IS NOT NULL GROUP BY list.name
            """
        for index in try Row.fetchAll(self, sql: columns, arguments: [table]) {
            let name = "storagekit_whole_\(index["name"] as String)".quotedIdentifier
            try execute(sql: "CREATE INDEX \(name) ON \(table.quotedIdentifier) (\(index["columns"] as String))")
        }
    }

    private static let triedName = "storagekit_tried_"

    private func isWorthAnIndex(_ column: ColumnSchema, of table: TableSchema) throws -> Bool {
        guard column.type != ColumnType.boolean.rawValue, table.keyColumns != [column.name],
            let collation = collation(of: column.name, in: table.name)
        else { return false }
        let sql = """
            SELECT EXISTS (
                SELECT 1 FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part
                WHERE NOT list.partial AND part.seqno = 0 AND part.name = ? COLLATE NOCASE AND upper(part.coll) = ?)
            """
        return try Bool.fetchOne(self, sql: sql, arguments: [table.name, column.name, collation]) == false
    }

    /// What SQLite does for a statement, a line a step. Its values are not known, and the plan does without them.
    func queryPlan(of sql: String) throws -> [String] {
        let statement = try makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        statement.setUncheckedArguments(StatementArguments())
        // The column that people read.
        return try String.fetchAll(statement, adapter: SuffixRowAdapter(fromIndex: 3))
    }
}

extension [String] {
    /// The tables, by the names that a statement gives them, all of whose rows are read in its plan.
    fileprivate var scanned: Set<Substring> {
        Set(
            compactMap { step in
                if step.hasPrefix("SEARCH "), step.contains(" USING AUTOMATIC ") { return step.planned("SEARCH ") }
                return step.hasPrefix("SCAN ") ? step.planned("SCAN ") : nil
            })
    }
}

extension String {
    /// The name of the table in a step of a plan that begins so.
    fileprivate func planned(_ start: String) -> Substring {
        let name = dropFirst(start.count)
        let ends = [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN"].compactMap { name.range(of: $0)?.lowerBound }
        return name[..<(ends.min() ?? name.endIndex)]
    }
}
