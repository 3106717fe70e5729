/// Text columns, optional or not.
public protocol TextColumnValue: ColumnValue {}
extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped == String {}

extension Column where T: TextColumnValue {
    /// The text contains the needle, which is taken literally and case-sensitively. NULL contains nothing.
    /// SQL: `instr("c", ?) > 0`
    ///
    /// - Parameters:
    ///   - value: What to look for; the empty string is in every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func contains(_ value: String, ignoringCase: Bool = false) -> Predicate {
        match(.contains, value, ignoringCase)
    }

    /// The text starts with the needle, which is taken literally and case-sensitively. An index on the column
    /// is used, unless case is ignored or the column has a collation of its own.
    /// SQL: `"c" COLLATE BINARY >= ? AND "c" COLLATE BINARY < ? || x'FFFF'`
    ///
    /// - Parameters:
    ///   - value: The first characters; the empty string starts every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func hasPrefix(_ value: String, ignoringCase: Bool = false) -> Predicate {
        match(.hasPrefix, value, ignoringCase)
    }

    /// The text ends with the needle, which is taken literally and case-sensitively.
    ///
    /// - Parameters:
    ///   - value: The last characters; the empty string ends every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func hasSuffix(_ value: String, ignoringCase: Bool = false) -> Predicate {
        match(.hasSuffix, value, ignoringCase)
    }

    /// The text is the other one, upper and lower case being the same in all of Unicode. NULL equals nothing.
    ///
    /// - Parameter value: The other text.
    public func equalsIgnoringCase(_ value: String) -> Predicate {
        match(.equals, value, true)
    }

    private func match(_ match: TextMatch, _ needle: String, _ ignoringCase: Bool) -> Predicate {
        Predicate(.match(match, node, needle: .value(needle), ignoringCase: ignoringCase))
    }
}

extension Column where T: OptionalColumnValue {
    /// The column holds NULL. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(node)) }

    /// The column holds a value. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(node)) }
}

/// The types of columns that may hold NULL.
public protocol OptionalColumnValue {}
extension Optional: OptionalColumnValue {}
