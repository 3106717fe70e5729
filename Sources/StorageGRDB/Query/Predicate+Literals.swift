extension PredicateNode {
    /// The condition as SQL with its values in it, since SQLite takes no arguments in an index. The printer is that of queries.
    ///
    /// - Throws: `StorageError.queryFailed` for what is more than comparisons of the table's columns with constants.
    func literalSQL<R>(_ table: RecordTable<R>) throws -> String {
        guard comparesColumnsOnly else {
            throw StorageError.invalidQuery("a partial index takes comparisons of columns with constants only")
        }
        var query = LoweredQuery(sql: "")
        try append(to: &query, table)
        let literals = query.arguments.map(\.sqlLiteral)
        guard query.needs.isEmpty, !literals.contains(nil),
            let text = query.sql.replacingArguments(literals.compactMap(\.self))
        else {
            throw StorageError.invalidQuery(
                "a partial index compares values as every program does, and without NUL in texts")
        }
        return text
    }

    private var comparesColumnsOnly: Bool {
        switch self {
        case .compare, .compareStored, .isIn, .isNull, .isNotNull, .invalid: true
        case .and(let left, let right), .or(let left, let right): left.comparesColumnsOnly && right.comparesColumnsOnly
        case .not(let operand): operand.comparesColumnsOnly
        case .match, .isAmong, .isHit, .compareRank, .never: false
        }
    }
}

extension String {
    /// Puts each text in the place of a `?`; nil if there are more or fewer. Those between quotes are none.
    fileprivate func replacingArguments(_ texts: [String]) -> String? {
        var bytes = Array(utf8)
        let places = [SQLToken](of: bytes)?.filter { $0.isSign("?") } ?? []
        guard places.count == texts.count else { return nil }
        for (place, text) in zip(places, texts).reversed() { bytes.replaceSubrange(place.range, with: text.utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
