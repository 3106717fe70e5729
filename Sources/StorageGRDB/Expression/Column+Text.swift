import StorageSQLite

/// Text columns, optional or not.
public protocol TextColumnValue: ColumnValue {}
extension String: TextColumnValue {}
extension Optional: TextColumnValue where Wrapped == String {}

extension Column where T: TextColumnValue {
    /// The text contains the needle, which is taken literally and case-sensitively. NULL contains nothing.
    /// SQL: `instr("c", ?) > 0`
    ///
    /// - Parameter value: What to look for; the empty string is in every text.
    public func contains(_ value: String) -> Predicate { match(.contains, value) }

    /// The text starts with the needle, which is taken literally and case-sensitively. An index on the column
    /// is used, unless the column has a collation of its own.
    /// SQL: `"c" COLLATE BINARY >= ? AND "c" COLLATE BINARY < ? || x'FFFF'`
    ///
    /// - Parameter value: The first characters; the empty string starts every text.
    public func hasPrefix(_ value: String) -> Predicate { match(.hasPrefix, value) }

    /// The text ends with the needle, which is taken literally and case-sensitively.
    ///
    /// - Parameter value: The last characters; the empty string ends every text.
    public func hasSuffix(_ value: String) -> Predicate { match(.hasSuffix, value) }

    /// The text contains the needle.
    ///
    /// - Parameters:
    ///   - value: What to look for; the empty string is in every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func contains(_ value: String, ignoringCase: Bool) -> Predicate {
        match(.contains, value, ignoringCase)
    }

    /// The text starts with the needle. No index is used where case is ignored.
    ///
    /// - Parameters:
    ///   - value: The first characters; the empty string starts every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func hasPrefix(_ value: String, ignoringCase: Bool) -> Predicate {
        match(.hasPrefix, value, ignoringCase)
    }

    /// The text ends with the needle.
    ///
    /// - Parameters:
    ///   - value: The last characters; the empty string ends every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    public func hasSuffix(_ value: String, ignoringCase: Bool) -> Predicate {
        match(.hasSuffix, value, ignoringCase)
    }

    /// The text is the other one, upper and lower case being the same in all of Unicode. NULL equals nothing.
    ///
    /// - Parameter value: The other text.
    public func equalsIgnoringCase(_ value: String) -> Predicate {
        match(.equals, value, true)
    }

    private func match(_ match: TextMatch, _ needle: String, _ ignoringCase: Bool = false) -> Predicate {
        Predicate(.match(match, node, needle: .value(needle), ignoringCase: ignoringCase))
    }
}

extension Column where T: TextColumnValue {
    /// The text contains another one of the row, by case. NULL contains nothing and is in nothing. SQL: `instr("c", "d") > 0`
    ///
    /// - Parameters:
    ///   - other: The other text; an empty one is in every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    @_disfavoredOverload
    public func contains(_ other: Column<some TextColumnValue>, ignoringCase: Bool = false) -> Predicate {
        Predicate(.match(.contains, node, needle: other.node, ignoringCase: ignoringCase))
    }

    /// The text begins with another one of the row, by case. NULL begins with nothing and begins nothing.
    ///
    /// - Parameters:
    ///   - other: The other text; an empty one begins every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    @_disfavoredOverload
    public func hasPrefix(_ other: Column<some TextColumnValue>, ignoringCase: Bool = false) -> Predicate {
        Predicate(.match(.hasPrefix, node, needle: other.node, ignoringCase: ignoringCase))
    }

    /// The text ends with another one of the row, by case. NULL ends with nothing and ends nothing.
    ///
    /// - Parameters:
    ///   - other: The other text; an empty one ends every text.
    ///   - ignoringCase: Whether upper and lower case are the same, in all of Unicode.
    @_disfavoredOverload
    public func hasSuffix(_ other: Column<some TextColumnValue>, ignoringCase: Bool = false) -> Predicate {
        Predicate(.match(.hasSuffix, node, needle: other.node, ignoringCase: ignoringCase))
    }

    /// The text is another one of the row, upper and lower case being the same in all of Unicode. NULL equals nothing.
    ///
    /// - Parameter other: The other text.
    @_disfavoredOverload
    public func equalsIgnoringCase(_ other: Column<some TextColumnValue>) -> Predicate {
        Predicate(.match(.equals, node, needle: other.node, ignoringCase: true))
    }

    /// The text in small letters, as Swift makes them of all of Unicode. SQL: `storagekit_lower("c")`
    public func lowercased() -> Column<T> {
        Column(.call(SQLFunction(FunctionName.lowercased), [node]))
    }

    /// The first characters of the text. SQL: `storagekit_prefix("c", ?)`
    ///
    /// - Parameter count: How many characters, as Swift counts them; the query throws if it is negative.
    public func prefix(_ count: Int) -> Column<T> {
        let length = count < 0 ? ExpressionNode.invalid("a prefix cannot have a negative length") : .value(count)
        return Column(.call(SQLFunction(FunctionName.prefix), [node, length]))
    }

    /// The text as others compare and sort it. SQL: `"c" COLLATE storagekit_caseless`
    ///
    /// ```swift
    /// storage.query(User.self).orderBy { $0.name.collated(.localized(Locale(identifier: "sv"))) }
    /// ```
    ///
    /// - Parameter collation: What is one text, and which comes first. The query throws for a locale whose identifier has signs beyond ASCII, or
    ///   256 of them or more: there is none.
    public func collated(_ collation: TextCollation) -> Column<T> {
        Column(collation.applied(to: node))
    }
}

extension Column where T == String {
    /// How many characters the text has, as Swift counts them. SQL: `storagekit_count("c")`
    public var count: Column<Int> { Column<Int>(node.characterCount) }
}

extension Column where T == String? {
    /// How many characters the text has, as Swift counts them; nil for nil. SQL: `storagekit_count("c")`
    public var count: Column<Int?> { Column<Int?>(node.characterCount) }
}

extension Column where T == Data {
    /// How many bytes there are, without reading them. SQL: `length("c")`
    @_disfavoredOverload
    public var count: Column<Int> { Column<Int>(node.byteCount) }
}

extension Column where T == Data? {
    /// How many bytes there are, without reading them; nil for nil. SQL: `length("c")`
    @_disfavoredOverload
    public var count: Column<Int?> { Column<Int?>(node.byteCount) }
}

extension ExpressionNode {
    fileprivate var byteCount: ExpressionNode { .call(SQLFunction("length", type: .integer), [self]) }

    fileprivate var characterCount: ExpressionNode {
        .call(SQLFunction(FunctionName.characterCount, type: .integer), [self])
    }
}

/// How texts are compared and sorted: see ``Column/collated(_:)``.
public enum TextCollation: Sendable {
    /// Upper and lower case are the same, in all of Unicode.
    case caseInsensitive
    /// As readers of a language expect it.
    case localized(Locale)

    fileprivate func applied(to node: ExpressionNode) -> ExpressionNode {
        guard case .localized(let locale) = self else { return .collated(node, FunctionName.caseless) }
        guard let name = Connection.localizedCollation(locale.identifier) else {
            let identifier = String(locale.identifier.prefix(40)).debugDescription
            return .invalid("\(identifier) is the identifier of no locale, so that nothing can be sorted by it")
        }
        return .collated(node, name)
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
