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
        var scanned = Set(statement.plan.scans)
        guard !scanned.isEmpty else { return [] }
        for sql in statement.schema {
            // The parts of a full-text index are there by now, and SQLite's own tables may not be made.
            try? execute(sql: sql)
        }
        let asked = statement.sql.names(behind: ["where", "on"])
        for table in tables { try widenPartialIndexes(of: table.name, askedFor: asked) }
        let scans = try queryPlan(of: statement.sql).scans
        scanned.formIntersection(scans)
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
        let plan = try queryPlan(of: statement.sql)
        // Of two joined tables one is read whole either way.
        guard plan.scans.count < min(scans.count, statement.plan.scans.count) else { return [] }
        let used = plan.compactMap { step -> Int? in
            guard step.hasPrefix("SEARCH "), scanned.contains(step.planned("SEARCH ")),
                let name = step.range(of: " INDEX \(Self.triedName)")
            else { return nil }
            // Without a comparison behind it, it gives the least or the greatest value only.
            let rest = step[name.upperBound...]
            return rest.contains(" (") ? Int(rest.prefix(while: \.isNumber)) : nil
        }
        return Set(used).sorted().map { tried[$0] }
    }

    /// Has each partial index of a table once more over all rows, if a statement asks for all columns of its condition:
    /// whether it meets the condition, only its values say.
    private func widenPartialIndexes(of table: String, askedFor asked: Set<String>) throws {
        let columns = """
            SELECT list.name, master.sql,
                group_concat('"' || replace(part.name, '"', '""') || '" COLLATE "' || part.coll || '"') AS columns
            FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part, main.sqlite_master AS master
            WHERE list.partial AND part.key AND part.name IS NOT NULL AND master.name = list.name
            GROUP BY list.name
            """
        let indexes = try Row.fetchAll(self, sql: columns, arguments: [table])
        guard !indexes.isEmpty else { return }
        let own = try Set(storedColumns(of: table).map(\.asciiLowercased))
        for index in indexes {
            let condition = (index["sql"] as String).names(behind: ["where"])
            guard condition.intersection(own).isSubset(of: asked) else { continue }
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
    /// The tables, by the names that a statement gives them, all of whose rows are read in its plan, one a step.
    fileprivate var scans: [Substring] {
        compactMap { step in
            if step.hasPrefix("SEARCH "), step.contains(" USING AUTOMATIC ") { return step.planned("SEARCH ") }
            return step.hasPrefix("SCAN ") ? step.planned("SCAN ") : nil
        }
    }
}

extension String {
    /// The lowercased words and quoted names behind the first of some keywords of an SQL text, without its text values.
    fileprivate func names(behind keywords: [String]) -> Set<String> {
        let bytes = Array(utf8)
        let tokens = [SQLToken](of: bytes) ?? []
        let rest = tokens.drop { token in !keywords.contains { token.isKeyword($0) } }
        let names = rest.filter { $0.kind != .sign && !$0.isText(in: bytes) }
        return Set(names.map(\.text.asciiLowercased))
    }

    /// The name of the table in a step of a plan that begins so.
    fileprivate func planned(_ start: String) -> Substring {
        let name = dropFirst(start.count)
        let ends = [" USING ", " VIRTUAL TABLE ", " LEFT-JOIN"].compactMap { name.range(of: $0)?.lowerBound }
        return name[..<(ends.min() ?? name.endIndex)]
    }
}
