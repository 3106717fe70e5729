// Few overloads, all generic, so that a long predicate type-checks in milliseconds. None of these types
// conforms to anything of GRDB's, for the same reason.

/// What can stand beside `&&`, `||` and `!`: a predicate, or a Bool column.
public protocol PredicateConvertible {
    /// The condition.
    var predicate: Predicate { get }
}

extension Predicate: PredicateConvertible {
    /// The predicate itself.
    public var predicate: Predicate { self }
}

extension Column: PredicateConvertible where T == Bool {
    /// The condition that the column is true.
    public var predicate: Predicate { self == true }
}

extension Column {
    fileprivate func compare(_ comparison: Comparison, _ value: () throws -> StoredValue) -> Predicate {
        do {
            switch (comparison, try value()) {
            // NULL is equal to NULL, and to nothing else; it is neither less nor greater than anything.
            case (.equal, .null): return Predicate(.isNull(column: name))
            case (.notEqual, .null): return Predicate(.isNotNull(column: name))
            case (_, let stored): return Predicate(.compare(column: name, comparison, stored))
            }
        } catch {
            return Predicate(.invalid(column: name, reason: ColumnEncodingError(error).reason))
        }
    }
}

// MARK: - Columns of a ColumnValue

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
public func == <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.equal) { try rhs.storedValue() }
}

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
public func != <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.notEqual) { try rhs.storedValue() }
}

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
public func < <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.less) { try rhs.storedValue() }
}

/// The column is the value or sorts before it. SQL: `"c" <= ?`
public func <= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.lessOrEqual) { try rhs.storedValue() }
}

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
public func > <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greater) { try rhs.storedValue() }
}

/// The column is the value or sorts after it. SQL: `"c" >= ?`
public func >= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate {
    lhs.compare(.greaterOrEqual) { try rhs.storedValue() }
}

// MARK: - Columns of a raw value

// Disfavoured, so that a type which is a ColumnValue too is compared in its own form.

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
@_disfavoredOverload
public func == <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.equal) { try rhs.rawValue.storedValue() }
}

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
@_disfavoredOverload
public func != <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.notEqual) { try rhs.rawValue.storedValue() }
}

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
@_disfavoredOverload
public func < <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.less) { try rhs.rawValue.storedValue() }
}

/// The column is the value or sorts before it. SQL: `"c" <= ?`
@_disfavoredOverload
public func <= <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.lessOrEqual) { try rhs.rawValue.storedValue() }
}

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
@_disfavoredOverload
public func > <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.greater) { try rhs.rawValue.storedValue() }
}

/// The column is the value or sorts after it. SQL: `"c" >= ?`
@_disfavoredOverload
public func >= <T: RawRepresentable>(lhs: Column<T>, rhs: T) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.greaterOrEqual) { try rhs.rawValue.storedValue() }
}

// MARK: - Columns of a raw value that may be missing

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
@_disfavoredOverload
public func == <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.equal) { try rhs?.rawValue.storedValue() ?? .null }
}

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
@_disfavoredOverload
public func != <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.notEqual) { try rhs?.rawValue.storedValue() ?? .null }
}

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
@_disfavoredOverload
public func < <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.less) { try rhs?.rawValue.storedValue() ?? .null }
}

/// The column is the value or sorts before it. SQL: `"c" <= ?`
@_disfavoredOverload
public func <= <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.lessOrEqual) { try rhs?.rawValue.storedValue() ?? .null }
}

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
@_disfavoredOverload
public func > <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.greater) { try rhs?.rawValue.storedValue() ?? .null }
}

/// The column is the value or sorts after it. SQL: `"c" >= ?`
@_disfavoredOverload
public func >= <T: RawRepresentable>(lhs: Column<T?>, rhs: T?) -> Predicate where T.RawValue: ColumnValue {
    lhs.compare(.greaterOrEqual) { try rhs?.rawValue.storedValue() ?? .null }
}

// MARK: - Logic

/// Both conditions hold. SQL: `(a) AND (b)`
public func && (lhs: some PredicateConvertible, rhs: some PredicateConvertible) -> Predicate {
    Predicate(.and(lhs.predicate.node, rhs.predicate.node))
}

/// One of the conditions holds. SQL: `(a) OR (b)`
public func || (lhs: some PredicateConvertible, rhs: some PredicateConvertible) -> Predicate {
    Predicate(.or(lhs.predicate.node, rhs.predicate.node))
}

/// The condition does not hold. SQL: `NOT (a)`
public prefix func ! (operand: some PredicateConvertible) -> Predicate {
    // What is denied twice holds, so that a chain of denials nests nothing.
    if case .not(let node) = operand.predicate.node { return Predicate(node) }
    return Predicate(.not(operand.predicate.node))
}
