import GRDB

/// What makes one window of another, in one state of the database.
struct WindowSteps<R: StorageKitEntityRecord, Item: Sendable> {
    typealias Row = LiveRows<Item>.Item

    let question: WindowQuestion<R, Item>
    let db: Database
    private var size: WindowSize { question.size }

    init(_ question: WindowQuestion<R, Item>, _ db: Database) {
        self.question = question
        self.db = db
    }

    // MARK: - Anew

    /// A page at one side of the list.
    func page(at side: WindowSide) throws -> ListWindow<Item> {
        var window = ListWindow<Item>([])
        try window.add(rows(to: side.opposite, size.page + 1), at: side.opposite, upTo: size.page)
        return window
    }

    /// A page around the row that is known by some values: half of it stands before the row. Nil if there is no such row.
    func page(around values: [StoredValue]) throws -> ListWindow<Item>? {
        guard let row = try question.row(values, db) else { return nil }
        var window = ListWindow([row])
        let edge = row.place.keys
        let half = size.page / 2
        try window.add(rows(to: .start, behind: edge, half + 1), at: .start, upTo: half)
        let rest = size.page - window.count
        try window.add(rows(to: .end, behind: edge, rest + 1), at: .end, upTo: rest)
        try refill(&window)
        return window
    }

    // MARK: - Further

    /// A page more at one side. The other gives rows back if there are too many.
    func extend(_ window: inout ListWindow<Item>, at side: WindowSide) throws {
        try extend(&window, at: side, by: size.page)
        giveBack(&window, at: side.opposite)
        try refill(&window)
    }

    private func extend(_ window: inout ListWindow<Item>, at side: WindowSide, by count: Int) throws {
        guard let edge = window[side].edge else { return }
        try window.add(rows(to: side, behind: edge, count + 1), at: side, upTo: count)
    }

    /// Drops whole pages.
    private func giveBack(_ window: inout ListWindow<Item>, at side: WindowSide) {
        window.drop(size.excess(of: window.count), at: side)
    }

    /// Fills a window that has less than a page, at the end first.
    private func refill(_ window: inout ListWindow<Item>) throws {
        for side in [WindowSide.end, .start] where window.count < size.page {
            try extend(&window, at: side, by: size.page - window.count)
        }
    }

    // MARK: - After commits

    /// Sees to the sides of a window whose changed rows are in their places.
    ///
    /// - Parameters:
    ///   - window: The window.
    ///   - doubtful: The sides at which the list may have come to its end.
    ///   - isKnown: Whether a row was in the window before.
    func settle(
        _ window: inout ListWindow<Item>, doubtful: [WindowSide], _ isKnown: (StoredValue) -> Bool
    ) throws {
        for side in doubtful {
            guard let edge = window[side].edge else { continue }
            window.follow(try rows(to: side, behind: edge, 1).first, at: side)
        }
        giveBack(&window, at: window.farSide(isKnown))
        try refill(&window)
    }

    /// The window with the same ends as it is now.
    func again(_ window: ListWindow<Item>) throws -> ListWindow<Item> {
        let known = Set(window.rows.map(\.id))
        var near = WindowSide.start
        if window[.end].isOpen {
            if !window[.start].isOpen {
                near = .end
            } else if let last = try rows(to: .start, 1).first, !known.contains(last.id) {
                // Of a list that is all in sight, the side at which a row came stays in sight.
                near = .end
            }
        }
        var next = try again(window, from: near)
        try settle(&next, doubtful: [near]) { known.contains($0) }
        return next
    }

    private func again(_ window: ListWindow<Item>, from near: WindowSide) throws -> ListWindow<Item> {
        let far = near.opposite
        // More rows than these may have come in, and are not read.
        let most = size.maximum + size.page
        var found: [Row] = []
        var beyond: Row?
        var edge = window[near].edge
        var isFirst = true
        repeat {
            let limit = isFirst ? min(window.count, most) + 1 : most + 1 - found.count
            let rows = try question.rows(
                to: far, behind: edge, orAt: isFirst, limit: limit, marking: window[far].edge, db)
            isFirst = false
            let inside = rows.prefix { !$0.isMarked }
            found += inside.map(\.row)
            beyond = inside.count < rows.count ? rows[inside.count].row : nil
            if beyond != nil || rows.count < limit { break }
            edge = found.last?.place.keys
        } while found.count <= most
        var next = ListWindow<Item>([])
        if found.count > most {
            let count = try question.count(to: far, from: window[near].edge, upTo: window[far].edge, db)
            next.add(found, at: far, upTo: count - size.excess(of: count))
        } else {
            next.add(found, at: far, upTo: found.count)
            next[far] = window[far]
            next.follow(beyond, at: far)
        }
        next[near] = window[near]
        return next
    }

    private func rows(to side: WindowSide, behind edge: [StoredValue]? = nil, _ limit: Int) throws -> [Row] {
        try question.rows(to: side, behind: edge, limit: limit, db).map(\.row)
    }
}
