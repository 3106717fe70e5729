/// SQL text and the arguments of its `?`, in order.
package struct LoweredQuery: Sendable, Equatable {
    package var sql: String
    package var arguments: [StoredValue] = []
    /// Whether decimal numbers are compared or sorted, for which a connection needs our collation.
    var ordersDecimals = false

    package init(sql: String, arguments: [StoredValue] = []) {
        self.sql = sql
        self.arguments = arguments
    }
}

/// A query that was asked for something it cannot do; nothing was run.
public struct InvalidQuery: Error, Sendable, Equatable, LocalizedError {
    /// What is wrong, and what would be right.
    public let reason: String

    package init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var errorDescription: String? { reason }
}

extension QueryPlan {
    /// The SELECT of all columns.
    ///
    /// - Throws: `StorageError.queryFailed` for an unknown column, a negative limit or offset.
    package func selectSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        var query = LoweredQuery(sql: "SELECT \(table.sql.selectList) FROM \(table.name.quotedIdentifier)")
        try appendFilter(to: &query, table)
        try appendOrderAndWindow(to: &query, table)
        return query
    }

    /// The count of the rows that ``selectSQL(_:)`` would return.
    package func countSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        guard limit != nil || offset != nil else {
            var query = LoweredQuery(sql: "SELECT COUNT(*) FROM \(table.name.quotedIdentifier)")
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
        guard limit != nil || offset != nil else {
            try appendFilter(to: &query, table)
            return query
        }
        var ids = try idsSQL(table)
        ids.sql = query.sql + " WHERE \(table.idColumn.quotedIdentifier) IN (\(ids.sql))"
        query = ids
        return query
    }

    private func idsSQL<R>(_ table: RecordTable<R>) throws -> LoweredQuery {
        var query = LoweredQuery(
            sql: "SELECT \(table.idColumn.quotedIdentifier) FROM \(table.name.quotedIdentifier)")
        try appendFilter(to: &query, table)
        try appendOrderAndWindow(to: &query, table)
        return query
    }

    private func appendFilter<R>(to query: inout LoweredQuery, _ table: RecordTable<R>) throws {
        guard let filter else { return }
        query.sql += " WHERE "
        try filter.append(to: &query, table)
    }

    private func appendOrderAndWindow<R>(to query: inout LoweredQuery, _ table: RecordTable<R>) throws {
        if !order.isEmpty {
            for (position, term) in order.enumerated() {
                query.sql += position == 0 ? " ORDER BY " : ", "
                try table.column(term.column).appendOrdering(to: &query)
                query.sql += term.order == .ascending ? " ASC" : " DESC"
            }
        }
        guard limit ?? 0 >= 0, offset ?? 0 >= 0 else {
            throw StorageError.queryFailed(
                sql: nil, underlying: InvalidQuery(reason: "limit and offset must not be negative"))
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
    /// - Throws: `StorageError.queryFailed` that lists the columns, if there is no such column.
    package func column(_ name: String) throws -> ColumnSchema {
        if let column = columns.first(where: { $0.name == name }) { return column }
        let near = columns.map(\.name).nearest(to: name)
        let hint = near.map { "; did you mean '\($0)'? Its" } ?? "; its"
        throw StorageError.queryFailed(
            sql: nil,
            underlying: InvalidQuery(
                reason: "table '\(self.name)' has no column '\(name)'\(hint) columns are "
                    + columns.map(\.name).joined(separator: ", ")))
    }
}

extension PredicateNode {
    fileprivate func append<R>(to query: inout LoweredQuery, _ table: RecordTable<R>) throws {
        switch self {
        case .compare(let column, let comparison, let value):
            try table.column(column).append(comparison, value, to: &query)
        case .isNull(let column):
            query.sql += try table.column(column).quotedName + " IS NULL"
        case .isNotNull(let column):
            query.sql += try table.column(column).quotedName + " IS NOT NULL"
        case .match(let column, let match, let needle):
            try match.append(column: table.column(column).quotedName, needle: needle, to: &query)
        case .and(let left, let right):
            try append(left, "AND", right, to: &query, table)
        case .or(let left, let right):
            try append(left, "OR", right, to: &query, table)
        case .not(let operand):
            query.sql += "NOT ("
            try operand.append(to: &query, table)
            query.sql += ")"
        case .invalid(let column, let reason):
            throw StorageError.queryFailed(
                sql: nil, underlying: InvalidQuery(reason: "column '\(column)': \(reason)"))
        }
    }

    private func append<R>(
        _ left: PredicateNode, _ word: String, _ right: PredicateNode,
        to query: inout LoweredQuery, _ table: RecordTable<R>
    ) throws {
        query.sql += "("
        try left.append(to: &query, table)
        query.sql += ") \(word) ("
        try right.append(to: &query, table)
        query.sql += ")"
    }
}

extension TextMatch {
    /// LIKE is not used: `%` and `_` would be wildcards, and it ignores the case of ASCII letters.
    fileprivate func append(column: String, needle: String, to query: inout LoweredQuery) throws {
        guard !needle.isEmpty else {
            query.sql += "\(column) IS NOT NULL"
            return
        }
        switch self {
        case .contains:
            query.sql += "instr(\(column), ?) > 0"
            query.arguments.append(.text(needle))
        case .hasPrefix:
            query.sql += "\(column) >= ?"
            query.arguments.append(.text(needle))
            if let end = needle.firstTextAfterPrefix {
                query.sql += " AND \(column) < ?"
                query.arguments.append(.text(end))
            }
        case .hasSuffix:
            // Compared as bytes, since SQLite's length of a text ends at its first NUL.
            query.sql += "substr(CAST(\(column) AS BLOB), ?) = ?"
            query.arguments.append(.integer(Int64(-needle.utf8.count)))
            query.arguments.append(.blob(Data(needle.utf8)))
        }
    }
}

extension String {
    /// The least text that sorts after every text with this prefix, or nil if there is none.
    ///
    /// SQLite compares text as UTF-8 bytes, which is the order of scalars: the last scalar that has a
    /// successor is replaced by it.
    fileprivate var firstTextAfterPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let successor = Unicode.Scalar(next) {
                scalars.append(successor)
                var result = String.UnicodeScalarView()
                result.append(contentsOf: scalars)
                return String(result)
            }
        }
        return nil
    }
}
