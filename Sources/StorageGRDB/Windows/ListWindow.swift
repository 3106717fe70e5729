/// A stretch of a list without gaps, as it was after one commit.
struct ListWindow<Item: Sendable>: Sendable {
    typealias Row = LiveRows<Item>.Item

    private var held: Held
    private var start = WindowEnd.open
    private var end = WindowEnd.open

    private enum Held: Sendable {
        case rows([Row])
        /// Rows among which changed ones are put where they belong. Without this form a write in the window takes half as long again
        /// (W20i).
        case inPlace(LiveRows<Item>)
    }

    init(_ rows: [Row]) {
        held = .rows(rows)
    }

    subscript(side: WindowSide) -> WindowEnd {
        get { side == .start ? start : end }
        set { if side == .start { start = newValue } else { end = newValue } }
    }

    var rows: [Row] {
        get {
            switch held {
            case .rows(let rows): rows
            case .inPlace(let rows): rows.items
            }
        }
        set { held = .rows(newValue) }
    }

    var items: [Item] {
        switch held {
        case .rows(let rows): rows.map(\.entity)
        case .inPlace(let rows): rows.entities
        }
    }

    var count: Int {
        switch held {
        case .rows(let rows): rows.count
        case .inPlace(let rows): rows.entities.count
        }
    }

    /// Says where the window ends, if changed rows are put in their places.
    func say(_ order: RowOrder, _ stretch: LiveStretch) {
        guard keepsPlaces else { return }
        let neighbours = [start, end].compactMap { end in
            if case .closed(_, let beyond) = end { beyond } else { nil }
        }
        stretch.become(order, from: start.place, to: end.place, neighbours: neighbours)
    }

    // MARK: - Growing and shrinking

    /// Adds rows at a side.
    ///
    /// - Parameters:
    ///   - found: The rows that follow there, the next one first.
    ///   - count: How many of them to add, at most. One more says that the list goes on.
    /// - Throws: What is wrong with a row that is to be shown.
    mutating func add(_ found: [WindowRow<Item>], at side: WindowSide, upTo count: Int) throws {
        let added = try found.prefix(count).map { try $0.readable() }
        rows = side == .end ? rows + added : added.reversed() + rows
        guard found.count > count else { return self[side] = .open }
        let last = side == .end ? rows.last : rows.first
        if let edge = added.last?.place.keys ?? self[side].edge ?? last?.place.keys {
            self[side] = .closed(at: edge, beyond: found[count].id)
        }
    }

    /// Says what follows at a side now.
    ///
    /// - Parameter beyond: The id of the row that does; nil where the list ends.
    mutating func follow(_ beyond: StoredValue?, at side: WindowSide) {
        guard let edge = self[side].edge else { return }
        self[side] = beyond.map { .closed(at: edge, beyond: $0) } ?? .open
    }

    /// Lets a side where the list goes on end at another place.
    mutating func move(_ side: WindowSide, to edge: [StoredValue]) {
        if case .closed(_, let beyond) = self[side] { self[side] = .closed(at: edge, beyond: beyond) }
    }

    /// Drops rows that are too many.
    mutating func drop(_ count: Int, at side: WindowSide) {
        var rows = rows
        guard count > 0, count < rows.count else { return }
        let isStart = side == .start
        let beyond = isStart ? rows[count - 1] : rows[rows.count - count]
        if isStart { rows.removeFirst(count) } else { rows.removeLast(count) }
        let edge = isStart ? rows[0] : rows[rows.count - 1]
        self.rows = rows
        self[side] = .closed(at: edge.place.keys, beyond: beyond.id)
    }

    /// The side that gives rows back where there are too many: the one that the list went on at before a commit, since
    /// a window that had come to one end of the list stays there. Where the list went on at both or at none, it is the
    /// one that it goes on at now. Where that is both or none too, it is the end, unless that is where a row has come.
    ///
    /// - Parameter before: The window as it was before the commit.
    func farSide(since before: ListWindow) -> WindowSide {
        if before.start.isOpen != before.end.isOpen { return before.start.isOpen ? .end : .start }
        return switch (start.isOpen, end.isOpen) {
        case (false, true): .start
        case (true, true): rows.last.map { last in before.rows.contains { $0.id == last.id } } ?? true ? .end : .start
        default: .end
        }
    }

    // MARK: - Changes

    /// Lets changes be put in their places.
    mutating func keepPlaces(_ order: RowOrder) {
        if case .rows(let rows) = held, let live = LiveRows(rows, order: order, window: nil) { held = .inPlace(live) }
    }

    var keepsPlaces: Bool {
        if case .inPlace = held { true } else { false }
    }

    /// Whether changes can be put in their places with nothing else to see to: no side comes to the list's end, and there are neither too
    /// many rows nor too few.
    func isSettled(after ids: Set<StoredValue>, _ found: [Row], _ size: WindowSize) -> Bool {
        guard case .inPlace(let rows) = held, doubtfulSides(ids).isEmpty else { return false }
        let mayBeShort = count - ids.count < size.page && !(start.isOpen && end.isOpen)
        return !mayBeShort && count + found.count { !rows.contains($0.id) } <= size.maximum
    }

    /// Puts changed rows where they belong now, and leaves out those that belong beyond the window.
    ///
    /// - Parameters:
    ///   - ids: The ids of all rows that may have changed.
    ///   - found: Those that the list has, as they are now.
    ///   - order: The order of the list.
    mutating func apply(_ ids: Set<StoredValue>, _ found: [Row], _ order: RowOrder) -> LiveRows<Item>.Outcome {
        guard case .inPlace(var rows) = held else { return .incomplete }
        // The rows have one owner while they are changed.
        held = .rows([])
        defer { held = .inPlace(rows) }
        return rows.apply(ids, found: found.filter { holds($0.place, order) })
    }

    private func holds(_ place: RowPlace, _ order: RowOrder) -> Bool {
        if let start = start.place, order.isBefore(place, start) { return false }
        if let end = end.place, order.isBefore(end, place) { return false }
        return true
    }

    /// The sides at which the list may have come to its end, since the row that followed there has changed.
    func doubtfulSides(_ ids: Set<StoredValue>) -> [WindowSide] {
        [WindowSide.start, .end].filter { side in
            if case .closed(_, let beyond) = self[side] { ids.contains(beyond) } else { false }
        }
    }
}
