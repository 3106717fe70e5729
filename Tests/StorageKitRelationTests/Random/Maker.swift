import StorageKit
import StorageTestSupport

/// Draws values, expressions and queries.
struct Maker {
    var random: SeededGenerator
    /// Where queries inside of queries ask.
    let storage: Storage
    /// The entities of the model.
    let entities: [any DrawnEntity.Type]
    /// Whether some dates are written without decimals, which come before the same dates with some: no order of dates is drawn.
    var hasTwoSpellings = false
    /// What the queries that are drawn find now.
    var world = World()

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func once(in times: Int) -> Bool { number(1...times) == 1 }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...values.count - 1)] }
    mutating func maybe<T>(_ value: T) -> T? { once(in: 3) ? nil : value }
}

/// The six comparisons.
enum Relation: String, CaseIterable, Sendable, CustomStringConvertible {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var description: String { rawValue }

    /// Nil is equal to nil, and neither less nor greater than anything.
    func holds<K: Kind>(_ first: K?, _ second: K?) -> Bool {
        switch (self, first, second) {
        case (.equal, nil, nil): return true
        case (.notEqual, nil, nil): return false
        case (.notEqual, _, nil), (.notEqual, nil, _): return true
        case (_, nil, _), (_, _, nil): return false
        case (_, let first?, let second?):
            let (isLess, isSame) = (K.isLess(first, second), K.isSame(first, second))
            return switch self {
            case .equal: isSame
            case .notEqual: !isSame
            case .less: isLess && !isSame
            case .lessOrEqual: isLess || isSame
            case .greater: !isLess && !isSame
            case .greaterOrEqual: !isLess || isSame
            }
        }
    }

    func with<T: ColumnValue>(_ column: Column<T>, _ value: T) -> Predicate {
        switch self {
        case .equal: column == value
        case .notEqual: column != value
        case .less: column < value
        case .lessOrEqual: column <= value
        case .greater: column > value
        case .greaterOrEqual: column >= value
        }
    }

    /// The same in SQL of the app's.
    func inSQL<T>(_ first: Column<T>, _ second: Column<T>) -> Predicate {
        switch self {
        case .equal: Predicate(sql: "\(first) = \(second)")
        case .notEqual: Predicate(sql: "\(first) <> \(second)")
        case .less: Predicate(sql: "\(first) < \(second)")
        case .lessOrEqual: Predicate(sql: "\(first) <= \(second)")
        case .greater: Predicate(sql: "\(first) > \(second)")
        case .greaterOrEqual: Predicate(sql: "\(first) >= \(second)")
        }
    }

    func between<T>(_ first: Column<T>, _ second: Column<T>) -> Predicate {
        switch self {
        case .equal: first == second
        case .notEqual: first != second
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        }
    }

    func between<T>(_ first: Column<T>, _ second: Column<T?>) -> Predicate {
        switch self {
        case .equal: first == second
        case .notEqual: first != second
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        }
    }

    func between<T>(_ first: Column<T?>, _ second: Column<T>) -> Predicate {
        switch self {
        case .equal: first == second
        case .notEqual: first != second
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        }
    }
}
