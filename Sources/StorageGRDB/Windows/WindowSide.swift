/// One of the two sides of a window.
enum WindowSide: Sendable {
    case start, end

    var opposite: WindowSide { self == .start ? .end : .start }
}

/// How a window ends at one of its sides.
enum WindowEnd: Sendable {
    /// The list ends there too: whatever comes there comes in.
    case open
    /// The list goes on.
    ///
    /// - Parameters:
    ///   - at: What the last row of the window held in the columns of the order when the window came to end there. Rows that stand
    ///     behind that are not in it, whether or not there still is such a row. In a search by rank, where each commit may change all
    ///     ranks, what that row held after the last commit.
    ///   - beyond: The id of the row that follows. While it stays as it is, the list goes on.
    case closed(at: [StoredValue], beyond: StoredValue)

    var isOpen: Bool { edge == nil }

    /// Where it ends; nil where it is open.
    var edge: [StoredValue]? {
        if case .closed(let edge, _) = self { edge } else { nil }
    }

    /// The same as a place in the list.
    var place: RowPlace? { edge.map { RowPlace(keys: $0, rowid: 0) } }
}

/// How many rows a window has.
struct WindowSize: Sendable {
    let page: Int
    /// More rows than these are not kept.
    let maximum: Int

    /// How many of some rows are given back: whole pages.
    func excess(of count: Int) -> Int {
        count > maximum ? (count - maximum + page - 1) / page * page : 0
    }
}
