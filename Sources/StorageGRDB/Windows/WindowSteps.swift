import GRDB

/// What makes one window of another, in one state of the database.
struct WindowSteps<R: StorageKitEntityRecord, Item: Sendable> {
    typealias Row = LiveRows<Item>.Item

    let question: WindowQuestion<R, Item>
    let db: Database
    private var size: WindowSize { question.size }

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
    func extended(_ window: ListWindow<Item>, at side: WindowSide) throws -> ListWindow<Item> {
        var window = window
        try extend(&window, at: side, by: size.page)
        giveBack(&window, at: side.opposite)
        try refill(&window)
        return window
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
    ///   - before: The window as it was before the commit.
    ///   - doubtful: The sides at which the list may have come to its end.
    func settle(_ window: inout ListWindow<Item>, since before: ListWindow<Item>, doubtful: [WindowSide]) throws {
        try follow(&window, at: doubtful)
        giveBack(&window, at: window.farSide(since: before))
        try refill(&window)
    }

    private func follow(_ window: inout ListWindow<Item>, at sides: [WindowSide]) throws {
        for side in sides {
            guard let edge = window[side].edge else { continue }
            let beyond = try question.rows(to: side, behind: edge, limit: 1, filling: false, db).first
            window.follow(beyond?.id, at: side)
        }
    }

    /// Reads the window again, between the same ends.
    func again(_ before: ListWindow<Item>) throws -> ListWindow<Item> {
        var next = before
        if question.isByRank { try stayWithRows(&next) }
        try follow(&next, at: [.start])
        next = try unlessTooMany(next) ?? ofMany(next, since: before)
        try settle(&next, since: before, doubtful: [])
        return next
    }

    /// Lets each closed side end where the row stands now that it ended at. A row that has itself gone far from the
    /// others would take the side along: the next one inward takes its place, as it does for a row that is no hit any
    /// more. Without any row left the sides stay.
    private func stayWithRows(_ window: inout ListWindow<Item>) throws {
        let sides = [WindowSide.start, .end].filter { !window[$0].isOpen }
        guard !sides.isEmpty else { return }
        let left = try question.again(window.rows, db)
        guard !left.isEmpty else { return }
        // Most of the rows stand around this one, wherever a few of them have gone.
        let middle = left[left.count / 2].place.keys
        for side in sides {
            let near = try question.rows(
                to: side, behind: middle, orAt: true, limit: window.count + size.page, filling: false, db)
            let edges = Dictionary(
                near.map { ($0.id, $0.place.keys) }, uniquingKeysWith: { first, _ in first })
            let inward: [Row] = side == .start ? window.rows : window.rows.reversed()
            if let edge = inward.lazy.compactMap({ edges[$0.id] }).first { window.move(side, to: edge) }
        }
    }

    /// The same ends with all rows between them; nil if these are so many that more than a page would be given back.
    private func unlessTooMany(_ window: ListWindow<Item>) throws -> ListWindow<Item>? {
        let most = size.maximum + size.page
        var found: [Row] = []
        var beyond: StoredValue?
        var edge = window[.start].edge
        var isFirst = true
        repeat {
            let limit = isFirst ? min(window.count, most) + 1 : most + 1 - found.count
            let rows = try question.rows(
                to: .end, behind: edge, orAt: isFirst, limit: limit, markingBeyond: window[.end].edge, db)
            isFirst = false
            let inside = rows.prefix { !$0.isBeyondEnd }
            found += try inside.map { try $0.readable() }
            beyond = inside.count < rows.count ? rows[inside.count].id : nil
            if beyond != nil || rows.count < limit { break }
            edge = found.last?.place.keys
        } while found.count <= most
        guard found.count <= most else { return nil }
        var next = window
        next.rows = found
        next.follow(beyond, at: .end)
        return next
    }

    /// The same ends with so many rows between them that only those are read that stay.
    private func ofMany(_ window: ListWindow<Item>, since before: ListWindow<Item>) throws -> ListWindow<Item> {
        var window = window
        try follow(&window, at: [.end])
        // Which side gives rows back, the last row of the list has a say in.
        window.rows = try question.rows(to: .start, limit: 1, filling: false, db).compactMap { try? $0.readable() }
        let far = window.farSide(since: before)
        let near = far.opposite
        let count = try question.count(to: far, from: window[near].edge, upTo: window[far].edge, db)
        let kept = count - size.excess(of: count)
        let found = try question.rows(to: far, behind: window[near].edge, orAt: true, limit: kept + 1, db)
        var next = ListWindow<Item>([])
        try next.add(found, at: far, upTo: kept)
        next[near] = window[near]
        return next
    }

    private func rows(
        to side: WindowSide, behind edge: [StoredValue]? = nil, _ limit: Int
    ) throws -> [WindowRow<Item>] {
        try question.rows(to: side, behind: edge, limit: limit, db)
    }
}
