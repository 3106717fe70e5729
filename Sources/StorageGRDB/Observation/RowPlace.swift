/// Where a row stands in a list: what it holds in the columns that the list is sorted by.
struct RowPlace: Sendable {
    /// The values of the order's columns.
    let keys: [StoredValue]
    /// SQLite's number of the row, by which rows that are alike to the order are sorted; 0 where the id does that.
    let rowid: Int64
}

/// The order of a list, as SQLite sorts it.
struct RowOrder: Sendable {
    struct Term: Sendable {
        let isDescending: Bool
        let nullsFirst: Bool
        /// Whether texts are numbers.
        let isDecimal: Bool
    }

    let terms: [Term]

    /// Whether one row stands before another.
    func isBefore(_ left: RowPlace, _ right: RowPlace) -> Bool {
        for (term, (left, right)) in zip(terms, zip(left.keys, right.keys)) {
            switch term.compare(left, right) {
            case 0: continue
            case let result: return result < 0
            }
        }
        return left.rowid < right.rowid
    }
}

extension RowOrder.Term {
    /// Negative if the left value comes first, 0 if they are alike.
    func compare(_ left: StoredValue, _ right: StoredValue) -> Int {
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return nullsFirst ? -1 : 1
        case (_, .null): return nullsFirst ? 1 : -1
        default:
            let result = left.compare(right, isDecimal: isDecimal)
            return isDescending ? -result : result
        }
    }
}
