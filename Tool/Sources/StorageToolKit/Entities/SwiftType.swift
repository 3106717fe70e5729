import StorageSQLite

/// The types that a generated property can have.
enum SwiftType: String {
    case string = "String"
    case int = "Int"
    case unsigned = "UInt64"
    case double = "Double"
    case bool = "Bool"
    case date = "Date"
    case decimal = "Decimal"
    case data = "Data"

    /// The type for a column: the one that `@StorageEntity` declares so, unless what stands there cannot be read as
    /// that.
    ///
    /// - Parameters:
    ///   - column: The column as it is declared.
    ///   - contents: What stands in it.
    ///   - isStrict: Whether the table is STRICT.
    init(of column: Table.Column, _ contents: ColumnContents, isStrict: Bool) {
        let type = column.type.folded
        if type == "bool" || type == "boolean", SwiftType.bool.unreadable(contents) == 0 {
            self = .bool
        } else if column.isForDates, SwiftType.date.unreadable(contents) == 0, contents.integers + contents.reals == 0 {
            self = .date
        } else if column.isForDecimals {
            self = .decimal
        } else if type == "unsigned big int" {
            self = .unsigned
        } else {
            switch Affinity(of: column.type, isStrict: isStrict) {
            case .integer: self = .int
            case .text: self = .string
            case .real: self = .double
            case .blob where !type.isEmpty && type != "any": self = .data
            case .blob: self = SwiftType(mostOf: contents) ?? .data
            case .numeric: self = SwiftType(mostOf: contents) ?? (type.hasPrefix("bool") ? .bool : .double)
            }
        }
    }

    /// The type that most values are of; nil where there are none.
    private init?(mostOf contents: ColumnContents) {
        guard contents.values > 0 else { return nil }
        let most = max(contents.integers + contents.reals, contents.texts, contents.blobs)
        if most == contents.texts {
            self = .string
        } else if most == contents.blobs {
            self = .data
        } else {
            self = contents.fractions == 0 && contents.reals == 0 ? .int : .double
        }
    }

    /// How many values of a column cannot be read as this type.
    func unreadable(_ contents: ColumnContents) -> Int {
        switch self {
        case .string: contents.values - contents.texts
        case .int: contents.texts + contents.blobs + contents.fractions
        case .unsigned: contents.texts + contents.fractions
        case .double: contents.texts + contents.blobs
        case .bool: contents.texts + contents.blobs + contents.reals + contents.integersBeyondBool
        case .date: contents.textsWithoutDate + contents.blobs
        case .decimal: contents.blobs
        case .data: contents.values - contents.blobs
        }
    }

    /// The type that `@StorageEntity` declares a column of it with.
    private var declared: String {
        switch self {
        case .string: "TEXT"
        case .int: "INTEGER"
        case .unsigned: "UNSIGNED BIG INT"
        case .double: "REAL"
        case .bool: "BOOLEAN"
        case .date: "DATETIME"
        case .decimal: "DECIMAL_TEXT"
        case .data: "BLOB"
        }
    }

    /// Whether a start would give a column this type and cannot, for values that are none.
    func isRefused(by contents: ColumnContents, of column: Table.Column, isStrict: Bool) -> Bool {
        let isKey = column.keyPosition > 0
        guard unreadable(contents) > 0, !column.hasSameType(as: declared, isKey: isKey, isStrict: isStrict) else {
            return false
        }
        // Numbers become texts that are the same numbers again, where the column makes numbers of texts.
        let becomesText = self == .string && Affinity(of: column.type, isStrict: isStrict) == .numeric
        return !becomesText || contents.blobs > 0
    }

    /// The value of a column's default as Swift writes it; nil for what is no plain value of this type.
    func literal(_ defaultSQL: String) -> String? {
        let sql = defaultSQL.folded
        switch self {
        case .int, .unsigned:
            guard case .integer(let value)? = NumberText.number(sql.utf8), self == .int || value >= 0 else {
                return nil
            }
            return "\(value)"
        case .double:
            switch NumberText.number(sql.utf8) {
            case .integer(let value)?: return "\(value)"
            case .real(let value)? where value.isFinite: return "\(value)"
            default: return nil
            }
        case .bool: return ["0": "false", "1": "true", "false": "false", "true": "true"][sql]
        case .string: return defaultSQL.unquotedText.map { SwiftText.quoted($0) }
        case .date, .decimal, .data: return nil
        }
    }
}
