import StorageKit

/// Rows of several tables side by side, and what has to be found.
struct DrawnJoin<E: DrawnEntity, R: JoinedRows> {
    private(set) var text: String
    private(set) var query: JoinedQuery<E, R>
    private(set) var rows: [SideBySide]
    let sides: [any DrawnSide<R.Row, R.Grouped>]
    let world: World
    /// The order of the rows: each tells which comes first, or nil.
    private(set) var orders: [(SideBySide, SideBySide) -> Bool?]
    private let show: @Sendable (R.Values) -> String

    init(
        _ text: String, _ query: JoinedQuery<E, R>, _ rows: [SideBySide],
        _ sides: [any DrawnSide<R.Row, R.Grouped>], _ world: World, _ orders: [(SideBySide, SideBySide) -> Bool?],
        show: @escaping @Sendable (R.Values) -> String
    ) {
        self.text = text
        self.query = query
        self.rows = rows
        self.sides = sides
        self.world = world
        self.orders = orders
        self.show = show
    }

    var isSorted: Bool { !orders.isEmpty }

    private var isWindow: Bool { query.plan.limit != nil || query.plan.offset != nil }

    // MARK: - Steps

    /// Conditions, orders and windows.
    mutating func addSteps(_ maker: inout Maker) {
        for _ in 0..<maker.pick([0, 0, 1, 2]) { addCondition(&maker) }
        guard isSorted || maker.once(in: 2) else { return }
        for _ in 0..<maker.number(0...2) {
            let nulls: NullsOrder? = maker.pick([nil, .first, .last])
            sort(by: phrase(&maker, isSortable: true), maker.once(in: 2) ? .ascending : .descending, nulls)
        }
        for side in sides { sort(by: side.id, .ascending, nil) }
        rows.sort { first, second in orders.lazy.compactMap { $0(first, second) }.first ?? false }
        guard maker.once(in: 2) else { return }
        let (limit, offset) = (maker.maybe(maker.number(0...9)), maker.pick([nil, 0, 1, 3]))
        text += ".limit(\(limit ?? -1)).offset(\(offset ?? 0))"
        if let limit { query = query.limit(limit) }
        if let offset { query = query.offset(offset) }
        rows = Array(rows.dropFirst(offset ?? 0).prefix(limit ?? .max))
        if maker.once(in: 3) { addCondition(&maker) }
    }

    private mutating func addCondition(_ maker: inout Maker) {
        let first = maker.pick(sides).condition(&maker, Draw(depth: 1))
        let second = maker.pick(sides).condition(&maker, Draw(depth: 1))
        let world = world
        switch maker.number(0...2) {
        case 0:
            text += ".where { \(first.text) || \(second.text) }"
            query = query.where { first.make($0) || second.make($0) }
            rows = rows.filter { first.holds($0, world) || second.holds($0, world) }
        default:
            text += ".where { \(first.text) }"
            query = query.where { first.make($0) }
            rows = rows.filter { first.holds($0, world) }
        }
    }

    private mutating func sort(
        by phrase: some SidePhrase<R.Row, R.Grouped>, _ order: SortOrder, _ nulls: NullsOrder?
    ) {
        text += ".orderBy(\(phrase.text) \(order) \(nulls.map { "\($0)" } ?? ""))"
        query = query.orderBy({ phrase.column($0) }, order, nulls: nulls)
        let world = world
        orders.append { first, second in
            order.comesFirst(any: phrase.value(first, world), phrase.value(second, world), nulls)
        }
    }

    private func phrase(_ maker: inout Maker, isSortable: Bool = false) -> any SidePhrase<R.Row, R.Grouped> {
        let (side, draw) = (maker.pick(sides), Draw(depth: 1))
        return switch maker.number(0...6) {
        case 0, 1: side.phrase(Int.self, &maker, draw)
        case 2: side.phrase(String.self, &maker, draw)
        case 3: side.phrase(Decimal.self, &maker, draw)
        case 4 where !isSortable || !maker.hasTwoSpellings: side.phrase(Date.self, &maker, draw)
        case 5: side.phrase(Bool.self, &maker, draw)
        default: side.phrase(Double.self, &maker, draw)
        }
    }

    // MARK: - Ends

    /// The entities, or what is made of them.
    func finished(_ maker: inout Maker) -> any DrawnSelection {
        switch maker.number(0...4) {
        case 0:
            return SelectionOf(text, query._rows, rows: rows.map(shown), isSorted: isSorted, show: show)
        case 1, 2: return selected(phrase(&maker), phrase(&maker))
        case 3: return grouped(by: phrase(&maker), &maker)
        default: return summedUp(&maker)
        }
    }

    private func shown(_ row: SideBySide) -> String { row.map(\.idText).joined(separator: " ") }

    private func selected(
        _ first: some SidePhrase<R.Row, R.Grouped>, _ second: some SidePhrase<R.Row, R.Grouped>
    ) -> any DrawnSelection {
        SelectionOf(
            "\(text).select(\(first.text), \(second.text))",
            query.select { (first.column($0), second.column($0)) },
            rows: rows.map { "\(first.value($0, world).shown) \(second.value($0, world).shown)" }, isSorted: isSorted
        ) { "\($0.0.shown) \($0.1.shown)" }
    }

    private func grouped(
        by key: some SidePhrase<R.Row, R.Grouped>, _ maker: inout Maker
    ) -> any DrawnSelection {
        // An order of the rows would be one of groups: only rows that a limit left have done with it.
        let base = isSorted && !isWindow ? query.limit(1_000_000) : query
        let (count, least) = (maker.pick(sides).count(&maker), maker.pick(sides).extreme(Date.self, &maker))
        let sum = maker.pick(sides).sum(Decimal.self, &maker)
        let floor = maker.number(0...2)
        let parts = Dictionary(grouping: rows) { key.value($0, world).shown }.values
            .filter { count.value($0, world) >= floor }
        return SelectionOf(
            "\(text).group(\(key.text)).having { \(count.text) >= \(floor) }"
                + ".select(key, \(count.text), \(least.text), \(sum.text))",
            base.group { key.column($0) }.having { count.column($0) >= floor }
                .select { (key.key($0), count.column($0), least.column($0), sum.column($0)) },
            rows: parts.map { rows in
                "\(key.value(rows[0], world).shown) \(count.value(rows, world)) \(least.value(rows, world).shown) "
                    + sum.value(rows, world).shown
            }, isSorted: false
        ) { "\($0.0.shown) \($0.1) \($0.2.shown) \($0.3.shown)" }
    }

    private func summedUp(_ maker: inout Maker) -> any DrawnSelection {
        let (count, sum) = (maker.pick(sides).count(&maker), maker.pick(sides).sum(Int.self, &maker))
        let greatest = maker.pick(sides).extreme(String.self, &maker)
        return SelectionOf(
            "\(text).aggregate(\(count.text), \(sum.text), \(greatest.text))",
            query.aggregate { (count.column($0), sum.column($0), greatest.column($0)) }.selection,
            rows: ["\(count.value(rows, world)) \(sum.value(rows, world)) \(greatest.value(rows, world).shown)"],
            isSorted: true
        ) { "\($0.0) \($0.1) \($0.2.shown)" }
    }
}

extension Optional {
    /// The id of an entity, or nil.
    var idText: String {
        func id(_ row: some DrawnEntity) -> String { row.id.shown }
        return (self as? any DrawnEntity).map { id($0) } ?? "nil"
    }
}
