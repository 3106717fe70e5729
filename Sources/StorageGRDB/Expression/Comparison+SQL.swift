import GRDB

// Columns whose order is not the one SQLite gives to their text.

extension ColumnSchema {
    var quotedName: String { name.quotedIdentifier }

    /// Writes the column as something to sort by, or to compare.
    func appendOrdering(to query: inout LoweredQuery) {
        query.sql += quotedName
        if isDecimal {
            query.sql += " COLLATE \(DatabaseCollation.decimal.name)"
            query.needs.insert(.decimalOrder)
        }
    }

    var isDecimal: Bool { type == ColumnType.decimal.rawValue }
    private var isDate: Bool { type == ColumnType.datetime.rawValue }

    /// Writes `column <comparison> ?`.
    func append(_ comparison: Comparison, _ value: StoredValue, to query: inout LoweredQuery) {
        if let (short, long) = wholeSecond(value) { return append(comparison, short: short, long: long, to: &query) }
        appendOrdering(to: &query)
        // `<>` is never true for NULL in SQL, but `!=` is in Swift.
        query.sql += comparison == .notEqual && isNullable ? " IS NOT ?" : " \(comparison.rawValue) ?"
        query.arguments.append(form(of: value))
    }

    /// `CURRENT_TIMESTAMP` writes a whole second without decimals, StorageKit and GRDB with three, and as text the
    /// one is less than the other. So both are taken for the same time.
    private func append(
        _ comparison: Comparison, short: StoredValue, long: StoredValue, to query: inout LoweredQuery
    ) {
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

    /// Writes `column <comparison> ?` with a value as a row holds it.
    func appendStored(_ comparison: Comparison, _ value: StoredValue, to query: inout LoweredQuery) {
        appendOrdering(to: &query)
        query.sql += comparison == .equal ? " IS ?" : " \(comparison.rawValue) ?"
        query.arguments.append(value)
    }

    /// Writes `column IN (?, ?)`, or `0` where there is nothing to be in.
    func append(isIn values: [StoredValue], orNull: Bool, to query: inout LoweredQuery) {
        guard !values.isEmpty else {
            query.sql += orNull ? "\(quotedName) IS NULL" : "0"
            return
        }
        if orNull { query.sql += "(" }
        appendOrdering(to: &query)
        query.sql += " IN ("
        let values = values.flatMap(formsInRows)
        if values.count > ColumnSchema.mostArguments {
            query.append(list: values)
        } else {
            query.sql += values.map { _ in "?" }.joined(separator: ", ")
            query.arguments += values
        }
        query.sql += ")"
        if orNull { query.sql += " OR \(quotedName) IS NULL)" }
    }

    /// A value as the column holds it, whatever its Swift type was.
    func form(of value: StoredValue) -> StoredValue {
        if isDecimal { return value.asDecimalText }
        // To SQLite, digits beyond Int64.max are a number with a fraction.
        if type == ColumnType.unsigned.rawValue, case .text(let text) = value, let number = UInt64(text) {
            return number.storedValue()
        }
        return value
    }

    private func formsInRows(_ value: StoredValue) -> [StoredValue] {
        wholeSecond(value).map { [$0.short, $0.long] } ?? [form(of: value)]
    }

    /// A date without fraction in the form without decimals and in that with three; nil for anything else.
    private func wholeSecond(_ value: StoredValue) -> (short: StoredValue, long: StoredValue)? {
        guard isDate, case .text(let text) = value else { return nil }
        if text.hasSuffix(ColumnSchema.noFraction) {
            return (.text(String(text.dropLast(ColumnSchema.noFraction.count))), value)
        }
        var long = text + ColumnSchema.noFraction
        let isDate = text.utf8.count == "YYYY-MM-DD HH:MM:SS".utf8.count && long.withUTF8 { DateText.parse($0) } != nil
        return isDate ? (value, .text(long)) : nil
    }

    private static let mostArguments = 500

    var isNullable: Bool { !notNull && !primaryKey }
    private static let noFraction = ".000"
}
