/// Text columns, optional or not.
public protocol TextColumnValue: ColumnValue {}
extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped == String {}

extension Column where T: TextColumnValue {
    /// The text contains the needle, which is taken literally and case-sensitively. NULL contains nothing.
    /// SQL: `instr("c", ?) > 0`
    ///
    /// - Parameter value: What to look for; the empty string is in every text.
    public func contains(_ value: String) -> Predicate {
        Predicate(.match(column: name, .contains, needle: value))
    }

    /// The text starts with the needle, which is taken literally and case-sensitively. An index on the column
    /// is used. SQL: `"c" >= ? AND "c" < ?`
    ///
    /// - Parameter value: The first characters; the empty string starts every text.
    public func hasPrefix(_ value: String) -> Predicate {
        Predicate(.match(column: name, .hasPrefix, needle: value))
    }

    /// The text ends with the needle, which is taken literally and case-sensitively.
    ///
    /// - Parameter value: The last characters; the empty string ends every text.
    public func hasSuffix(_ value: String) -> Predicate {
        Predicate(.match(column: name, .hasSuffix, needle: value))
    }
}

extension Column where T: OptionalColumnValue {
    /// The column holds NULL. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(column: name)) }

    /// The column holds a value. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(column: name)) }
}

/// The types of columns that may hold NULL.
public protocol OptionalColumnValue {}
extension Optional: OptionalColumnValue {}
