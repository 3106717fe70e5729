extension PredicateNode {
    /// Writes the condition.
    ///
    /// Swift knows two truth values, SQL three. A condition that is NULL finds no row, which is what Swift says of a
    /// comparison with nil; only where it is negated the difference shows, and there NULL is made false first.
    ///
    /// - Throws: `StorageError.queryFailed` for an unknown column or a value that cannot be stored.
    func append<R>(to query: inout LoweredQuery, _ table: RecordTable<R>) throws {
        switch self {
        case .compare(let column, let comparison, let value):
            try table.column(column).append(comparison, value, to: &query)
        case .compareStored(let column, let comparison, let value):
            try table.column(column).appendStored(comparison, value, to: &query)
        case .isIn(let column, let values, let orNull):
            try table.column(column).append(isIn: values, orNull: orNull, to: &query)
        case .isNull(let column):
            query.sql += try table.column(column).quotedName + " IS NULL"
        case .isNotNull(let column):
            query.sql += try table.column(column).quotedName + " IS NOT NULL"
        case .match(let column, let match, let needle, let ignoringCase):
            let column = try table.column(column).quotedName
            match.append(column: column, needle: needle, ignoringCase: ignoringCase, to: &query)
        case .and:
            try append(operands(\.conjuncts), "AND", to: &query, table)
        case .or:
            try append(operands(\.disjuncts), "OR", to: &query, table)
        case .not(let operand):
            let mayBeNull = try operand.mayBeNull(in: table)
            query.sql += mayBeNull ? "(" : "NOT ("
            try operand.append(to: &query, table)
            query.sql += mayBeNull ? ") IS NOT TRUE" : ")"
        case .isAmong(let ids):
            query.sql += "\(table.idColumn.quotedIdentifier) IN (\(ids.sql))"
            query.arguments += ids.arguments
            query.needs.formUnion(ids.needs)
            query.searches += ids.searches
        case .isHit(let search):
            let id = table.idColumn.quotedIdentifier
            query.sql += "\(id) IN (SELECT \(id) FROM "
            try search.appendHits(to: &query, of: table.name, idColumn: table.idColumn, passage: nil)
            query.sql += ")"
        case .compareRank(let comparison, let value):
            // The plus keeps the comparison from FTS5, which would take it for something else.
            query.sql += "+\"\(FullTextSearch.Result.rank)\" \(comparison.rawValue) "
            query.append(value)
        case .never:
            query.sql += "0"
        case .invalid(let column, let reason):
            throw StorageError.invalidQuery("column '\(column)': \(reason)")
        }
    }

    /// Whether SQL may answer NULL.
    private func mayBeNull<R>(in table: RecordTable<R>) throws -> Bool {
        switch self {
        case .compare(let column, let comparison, let value), .compareStored(let column, let comparison, let value):
            try value == .null || comparison != .notEqual && table.column(column).isNullable
        // SQLite takes a piece of an empty text for NULL.
        case .match(_, .hasSuffix, _, _): true
        case .isIn(let column, _, _), .match(let column, _, _, _): try table.column(column).isNullable
        case .and: try operands(\.conjuncts).contains { try $0.mayBeNull(in: table) }
        case .or: try operands(\.disjuncts).contains { try $0.mayBeNull(in: table) }
        case .isNull, .isNotNull, .not, .isAmong, .isHit, .compareRank, .never, .invalid: false
        }
    }

    /// Writes `(a) AND (b) AND (c)`. A long chain is halved again and again, since SQLite refuses what is nested more
    /// than a thousand times, and takes a chain for that.
    private func append<R>(
        _ operands: some RandomAccessCollection<PredicateNode>, _ word: String, to query: inout LoweredQuery,
        _ table: RecordTable<R>
    ) throws {
        if operands.count > PredicateNode.longestChain {
            let half = operands.count / 2
            query.sql += "("
            try append(operands.prefix(half), word, to: &query, table)
            query.sql += ") \(word) ("
            try append(operands.dropFirst(half), word, to: &query, table)
            query.sql += ")"
            return
        }
        for (position, operand) in operands.enumerated() {
            query.sql += position == 0 ? "(" : " \(word) ("
            try operand.append(to: &query, table)
            query.sql += ")"
        }
    }
}
