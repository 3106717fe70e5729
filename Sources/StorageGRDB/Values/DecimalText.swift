// A Decimal is kept as its plain digits: no exponent, no needless zeros, one text for each number. So all 38
// digits survive and equal numbers are equal texts. The order of such texts is that of their numbers only under
// the collation `storagekit_decimal`.

extension Decimal: ColumnValue {
    /// `DECIMAL_TEXT`
    public static var columnType: ColumnType { .decimal }

    /// What is stored for this value.
    public func storedValue() throws -> StoredValue {
        guard !isNaN else { throw ColumnEncodingError(reason: "NaN cannot be stored as a decimal number") }
        return .text(description)
    }

    /// Reads decimal text, and a number as its shortest decimal form.
    public static func read(from row: borrowing RowReader, at index: Int32) throws -> Decimal {
        guard let decimal = row.storedValue(at: index).decimal, !decimal.isNaN else {
            throw row.mismatch(at: index, expected: Decimal.self)
        }
        return decimal
    }
}
