import GRDB

extension DatabaseCollation {
    /// Orders decimal text as numbers. Raw SQL may use it: `ORDER BY price COLLATE storagekit_decimal`.
    static let decimal = DatabaseCollation(FunctionName.decimalOrder) { compareDecimalTexts($0, $1) }
}
