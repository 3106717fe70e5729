public import GRDB

extension StoredValue: DatabaseValueConvertible {
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let value): .integer(value)
            case .double(let value): .real(value)
            case .string(let value): .text(value)
            case .blob(let value): .blob(value)
            }
    }

    /// The same value as GRDB writes it.
    public var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .blob(let value): value.databaseValue
        }
    }

    /// The same value as GRDB reads it.
    ///
    /// - Parameter dbValue: GRDB's value.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> StoredValue? {
        StoredValue(dbValue)
    }
}

extension Row {
    func storedValue(named column: String) throws -> StoredValue {
        guard let value: DatabaseValue = self[column] else {
            throw ColumnDecodingError(column: column, expected: "a column of the row", found: "no such column")
        }
        return StoredValue(value)
    }
}

extension RowReader {
    /// The next columns as a row of GRDB's type, for records that read themselves.
    func grdbRow(columnCount: Int) -> Row {
        var values: [(String, (any DatabaseValueConvertible)?)] = []
        for index in index..<index + Int32(columnCount) {
            values.append((name(at: index), storedValue(at: index)))
        }
        return Row.ofColumns(values)
    }
}

extension Row {
    /// A row of columns in their order, which records that read by position need.
    ///
    /// GRDB keeps the order of a literal only, whose elements are as many as the source code says. To the machine they are
    /// an array.
    fileprivate static let ofColumns = unsafeBitCast(
        Row.init(dictionaryLiteral:) as ((String, (any DatabaseValueConvertible)?)...) -> Row,
        to: (@Sendable ([(String, (any DatabaseValueConvertible)?)]) -> Row).self)
}
