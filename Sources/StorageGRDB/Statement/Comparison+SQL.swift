import GRDB

// Columns whose order is not the one SQLite gives to their text.

extension ColumnSchema {
    var quotedName: String { name.quotedIdentifier }

    /// Writes the column as something to sort by, or to compare.
    func appendOrdering(to query: inout LoweredQuery) {
        query.sql += quotedName
        if isDecimal {
            query.sql += " COLLATE \(DatabaseCollation.decimal.name)"
            query.ordersDecimals = true
        }
    }

    private var isDecimal: Bool { type == ColumnType.decimal.rawValue }
    private var isDate: Bool { type == ColumnType.datetime.rawValue }

    /// Writes `column <comparison> ?`.
    func append(_ comparison: Comparison, _ value: StoredValue, to query: inout LoweredQuery) {
        if isDate, case .text(let text) = value, text.hasSuffix(ColumnSchema.noFraction) {
            return append(comparison, wholeSecond: String(text.dropLast(ColumnSchema.noFraction.count)), to: &query)
        }
        appendOrdering(to: &query)
        // `<>` is never true for NULL in SQL, but `!=` is in Swift.
        query.sql += comparison == .notEqual && isNullable ? " IS NOT ?" : " \(comparison.rawValue) ?"
        query.arguments.append(isDecimal ? value.asDecimalText : value)
    }

    /// `CURRENT_TIMESTAMP` writes a whole second without decimals, StorageKit and GRDB with three, and as text the
    /// one is less than the other. So both are taken for the same time.
    private func append(_ comparison: Comparison, wholeSecond text: String, to query: inout LoweredQuery) {
        let short = StoredValue.text(text)
        let long = StoredValue.text(text + ColumnSchema.noFraction)
        switch comparison {
        case .equal:
            query.sql += "\(quotedName) IN (?, ?)"
            query.arguments += [short, long]
        case .notEqual:
            let differs = "\(quotedName) NOT IN (?, ?)"
            query.sql += isNullable ? "(\(quotedName) IS NULL OR \(differs))" : differs
            query.arguments += [short, long]
        case .less, .greaterOrEqual:
            query.sql += "\(quotedName) \(comparison.rawValue) ?"
            query.arguments.append(short)
        case .lessOrEqual, .greater:
            query.sql += "\(quotedName) \(comparison.rawValue) ?"
            query.arguments.append(long)
        }
    }

    private var isNullable: Bool { !notNull && !primaryKey }
    private static let noFraction = ".000"
}
