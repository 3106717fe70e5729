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

private func compare<T: ColumnValue>(_ column: Column<T>, _ comparison: Comparison, _ value: T) -> Predicate {
    do {
        let stored = try value.storedValue()
        if stored == .null {
            // NULL is equal to NULL, and to nothing else; it is neither less nor greater than anything.
            return comparison == .notEqual
                ? Predicate(.isNotNull(column: column.name))
                : comparison == .equal
                    ? Predicate(.isNull(column: column.name))
                    : Predicate(.compare(column: column.name, comparison, .null))
        }
        return Predicate(.compare(column: column.name, comparison, stored))
    } catch {
        return Predicate(.invalid(column: column.name, reason: error.localizedDescription))
    }
}

/// The column holds that value; `nil` finds NULL. SQL: `"c" = ?`
public func == <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .equal, rhs) }

/// The column holds another value. A row with NULL is found too, as it is in Swift. SQL: `"c" <> ?`
public func != <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .notEqual, rhs) }

/// The column sorts before the value. NULL never does. SQL: `"c" < ?`
public func < <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .less, rhs) }

/// The column is the value or sorts before it. SQL: `"c" <= ?`
public func <= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .lessOrEqual, rhs) }

/// The column sorts after the value. NULL never does. SQL: `"c" > ?`
public func > <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .greater, rhs) }

/// The column is the value or sorts after it. SQL: `"c" >= ?`
public func >= <T: ColumnValue>(lhs: Column<T>, rhs: T) -> Predicate { compare(lhs, .greaterOrEqual, rhs) }

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
    Predicate(.not(operand.predicate.node))
}
