extension QueryPlan {
    /// The SELECT of all columns.
    ///
    /// - Parameters:
    ///   - columns: Columns to select once more behind all, or the rank.
    ///   - passage: What to select behind them of the text that the search found.
    ///   - rowid: The name of the rowid, if it is to be selected too, and rows that are alike to the order sorted by it.
    ///     Not for a plan that searches.
    /// - Throws: `StorageError.queryFailed` for an unknown column, a negative limit or offset.
    package func selectSQL<R>(
        _ table: RecordTable<R>, alsoSelecting columns: [String] = [], passage: SearchPassage? = nil,
        rowid: String? = nil
    ) throws -> LoweredQuery {
        var list = try [table.sql.selectList] + columns.map { try orderColumn($0, table).quotedName }
        if passage != nil { list.append(FullTextSearch.Result.passage.quotedIdentifier) }
        if let rowid { list.append(rowid) }
        var query = LoweredQuery(sql: "SELECT \(list.joined(separator: ", "))")
        try appendSource(to: &query, table, passage: passage)
        try appendFilter(to: &query, table)
        try appendOrderAndWindow(to: &query, table, rowid: rowid)
        return query
    }

    /// The count of the rows that ``selectSQL(_:)`` would return.
    package func countSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        guard limit != nil || offset != nil else {
            var query = LoweredQuery(sql: "SELECT COUNT(*)")
            try checkOrder(table)
            try appendSource(to: &query, table)
            try appendFilter(to: &query, table)
            return query
        }
        var query = try idsSQL(table)
        query.sql = "SELECT COUNT(*) FROM (\(query.sql))"
        return query
    }

    /// The DELETE of the rows that ``selectSQL(_:)`` would return.
    package func deleteSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        var query = LoweredQuery(sql: "DELETE FROM \(table.name.quotedIdentifier)")
        try withoutWindow(table).appendFilter(to: &query, table)
        return query
    }

    /// Whether there is a row that ``selectSQL(_:)`` would return.
    package func existsSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        try checkOrder(table)
        var query = LoweredQuery(sql: "SELECT EXISTS (SELECT 1")
        try appendSource(to: &query, table)
        try appendFilter(to: &query, table)
        try appendWindow(to: &query)
        query.sql += ")"
        return query
    }

    /// The UPDATE of the rows that ``selectSQL(_:)`` would return.
    ///
    /// - Throws: Also if a column is unknown, is the id or the version, or is set twice, or a value cannot be stored.
    package func updateSQL<R>(
        _ table: RecordTable<R>, _ assignments: [ColumnAssignment], stamp: StoredValue
    ) throws -> LoweredQuery {
        var assigned = assignments
        if let stampColumn = table.sql.stampColumn, !assigned.contains(where: { $0.column == stampColumn }) {
            assigned.append(ColumnAssignment(column: stampColumn) { stamp })
        }
        var query = LoweredQuery(sql: "UPDATE \(table.name.quotedIdentifier) SET ")
        for (position, assignment) in assigned.enumerated() {
            if position > 0 { query.sql += ", " }
            try assignment.append(to: &query, table, isRepeated: assigned[..<position].contains(assignment.column))
        }
        if let version = table.sql.versionColumn?.quotedIdentifier { query.sql += ", \(version) = \(version) + 1" }
        try withoutWindow(table).appendFilter(to: &query, table)
        return query
    }

    /// The SELECT of one column's values that are not NULL, in the order of the table.
    package func valuesSQL<R>(_ table: RecordTable<R>, _ column: String) throws -> LoweredQuery {
        var plan = try withoutWindow(table)
        plan.add(Predicate(.isNotNull(column: column)))
        return try plan.columnSQL(table, column)
    }

    /// The SELECT of one column's least or greatest value; NULL is none.
    package func extremeSQL<R>(_ table: RecordTable<R>, _ column: String, _ order: SortOrder) throws -> LoweredQuery {
        var plan = try withoutWindow(table)
        plan.add(Predicate(.isNotNull(column: column)))
        plan.sort(by: column, order)
        plan.limit = 1
        return try plan.columnSQL(table, column)
    }

    /// The SELECT of one column's different values, sorted; NULL is none. Limit and offset count values.
    package func distinctSQL<R>(_ table: RecordTable<R>, _ column: String) throws -> LoweredQuery {
        var plan = self
        try checkOrder(table)
        plan.add(Predicate(.isNotNull(column: column)))
        plan.order = []
        plan.sort(by: column, .ascending)
        return try plan.columnSQL(table, column, distinct: true)
    }

    private func columnSQL<R>(
        _ table: RecordTable<R>, _ column: String, distinct: Bool = false
    ) throws -> LoweredQuery {
        var query = LoweredQuery(sql: distinct ? "SELECT DISTINCT " : "SELECT ")
        // By the collation, different texts of one decimal are one value.
        try table.column(column).appendOrdering(to: &query)
        try appendSource(to: &query, table)
        try appendFilter(to: &query, table)
        try appendOrderAndWindow(to: &query, table)
        return query
    }

    /// Statements that do not sort refuse an unknown column all the same.
    private func checkOrder<R>(_ table: RecordTable<R>) throws {
        for term in order { _ = try orderColumn(term.column, table) }
    }

    /// What a term of the order sorts by: a column, or the rank.
    func orderColumn<R>(_ name: String, _ table: RecordTable<R>) throws -> ColumnSchema {
        guard search != nil, name == FullTextSearch.Result.rank else { return try table.column(name) }
        return ColumnSchema(name: name, type: ColumnType.real.rawValue, notNull: true)
    }

    /// The same rows without limit and offset, for statements that know neither.
    private func withoutWindow<R>(_ table: RecordTable<R>) throws -> QueryPlan {
        try checkOrder(table)
        var plan = QueryPlan()
        plan.filter = limit == nil && offset == nil ? unranked().filter : .isAmong(try idsSQL(table))
        return plan
    }

    private func idsSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        var query = LoweredQuery(sql: "SELECT \(table.idColumn.quotedIdentifier)")
        try appendSource(to: &query, table)
        try appendFilter(to: &query, table)
        try appendOrderAndWindow(to: &query, table)
        return query
    }

    private func appendSource<R>(
        to query: inout LoweredQuery, _ table: RecordTable<R>, passage: SearchPassage? = nil
    ) throws {
        query.sql += " FROM "
        if let search {
            try search.appendHits(to: &query, of: table.name, idColumn: table.idColumn, passage: passage)
        } else {
            query.sql += table.name.quotedIdentifier
        }
    }

    private func appendFilter<R>(to query: inout LoweredQuery, _ table: RecordTable<R>) throws {
        guard let filter = try filter?.followedByParser() else { return }
        query.sql += " WHERE "
        try filter.append(to: &query, table)
    }

    private func appendOrderAndWindow<R>(
        to query: inout LoweredQuery, _ table: RecordTable<R>, rowid: String? = nil
    ) throws {
        for (position, term) in effectiveOrder.enumerated() {
            query.sql += position == 0 ? " ORDER BY " : ", "
            try orderColumn(term.column, table).appendOrdering(to: &query)
            query.sql += term.order == .ascending ? " ASC" : " DESC"
            switch term.nulls {
            case .first: query.sql += " NULLS FIRST"
            case .last: query.sql += " NULLS LAST"
            case nil: break
            }
        }
        if let rowid { query.sql += (order.isEmpty ? " ORDER BY " : ", ") + rowid }
        try appendWindow(to: &query)
    }

    private func appendWindow(to query: inout LoweredQuery) throws {
        guard limit ?? 0 >= 0, offset ?? 0 >= 0 else {
            throw StorageError.invalidQuery("limit and offset must not be negative")
        }
        guard limit != nil || offset != nil else { return }
        // SQLite knows OFFSET only after LIMIT; -1 is its word for no limit.
        query.sql += " LIMIT ?"
        query.arguments.append(.integer(Int64(limit ?? -1)))
        if let offset {
            query.sql += " OFFSET ?"
            query.arguments.append(.integer(Int64(offset)))
        }
    }
}

extension RecordTable {
    /// The column of that name.
    ///
    /// - Throws: `StorageError.queryFailed` that lists the columns, if there is no such column;
    ///   `StorageError.invalidConfiguration` for an entity that no table can hold.
    package func column(_ name: String) throws -> ColumnSchema {
        if let column = columns.first(where: { $0.name == name }) { return column }
        try check()
        let near = columns.map(\.name).nearest(to: name)
        let hint = near.map { "; did you mean '\($0)'? Its" } ?? "; its"
        throw StorageError.invalidQuery(
            "table '\(self.name)' has no column '\(name)'\(hint) columns are "
                + columns.map(\.name).joined(separator: ", "))
    }
}
