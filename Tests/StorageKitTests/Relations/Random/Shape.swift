import StorageKit

/// One expression to sort by, and how Swift compares two rows by it.
struct DrawnOrder<E: DrawnEntity>: Sendable {
    let text: String
    let add: @Sendable (Query<E>) -> Query<E>
    /// Whether the first comes first; nil if this order cannot tell.
    let comesFirst: @Sendable (E, E, World) -> Bool?

    init(_ maker: inout Maker, _ draw: Draw) {
        switch maker.number(0...5) {
        case 0, 1: self.init(Int.self, &maker, draw)
        case 2: self.init(String.self, &maker, draw)
        case 3 where !maker.hasTwoSpellings: self.init(Date.self, &maker, draw)
        case 4: self.init(Decimal.self, &maker, draw)
        default: self.init(Double.self, &maker, draw)
        }
    }

    private init<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) {
        let asked = maker.maybe(kind, E.self, draw)
        let order: SortOrder = maker.once(in: 2) ? .ascending : .descending
        let nulls: NullsOrder? = maker.pick([nil, .first, .last])
        let byPath = maker.once(in: 2)
        text = "\(asked.text) \(order) \(nulls.map { "\($0)" } ?? "")"
        add = { query in
            byPath
                ? query.orderBy(asked.path, order, nulls: nulls)
                : query.orderBy({ asked.column($0) }, order, nulls: nulls)
        }
        comesFirst = { first, second, world in
            order.comesFirst(asked.value(first, world), asked.value(second, world), nulls)
        }
    }
}

extension SortOrder {
    /// Whether a value comes before another; nil if they are the same.
    func comesFirst<K: Kind>(_ first: K?, _ second: K?, _ nulls: NullsOrder? = nil) -> Bool? {
        switch (first, second) {
        case (nil, nil): return nil
        case (nil, _): return nulls.map { $0 == .first } ?? (self == .ascending)
        case (_, nil): return nulls.map { $0 == .last } ?? (self == .descending)
        case (let first?, let second?):
            guard !K.isSame(first, second) else { return nil }
            return K.isLess(first, second) == (self == .ascending)
        }
    }
}

extension SortOrder {
    /// The same of two values of one type.
    func comesFirst(any first: any Shown, _ second: any Shown, _ nulls: NullsOrder? = nil) -> Bool? {
        func compared<K: Kind>(_ first: K, _ second: any Kind) -> Bool? { comesFirst(first, second as? K, nulls) }
        return switch (first.kind, second.kind) {
        case (nil, nil): nil
        case (nil, _): nulls.map { $0 == .first } ?? (self == .ascending)
        case (_, nil): nulls.map { $0 == .last } ?? (self == .descending)
        case (let first?, let second?): compared(first, second)
        }
    }
}

extension Shown {
    /// The value, if it is one.
    fileprivate var kind: (any Kind)? {
        Mirror(reflecting: self).displayStyle == .optional
            ? Mirror(reflecting: self).children.first?.value as? any Kind : self as? any Kind
    }
}

/// What is asked of one table: conditions, orders, windows, one behind the other.
struct Shape<E: DrawnEntity>: Sendable {
    private enum Step: Sendable {
        case search(DrawnSearch<E>)
        case condition(Asked<E, Bool>)
        /// Orders, and the id behind them.
        case orders([DrawnOrder<E>])
        case window(limit: Int?, offset: Int?)
    }

    private var steps: [Step] = []
    /// Whether the rows come in an order that is known.
    var isSorted: Bool {
        steps.contains { if case .orders = $0 { true } else { false } }
    }

    /// - Parameters:
    ///   - sorted: Whether the rows are sorted; nil for either.
    ///   - windows: Whether there may be limits.
    init(_ maker: inout Maker, depth: Int, sorted: Bool? = nil, windows: Bool = true) {
        if !E.searched.isEmpty, maker.once(in: 5) { steps.append(.search(DrawnSearch(&maker))) }
        for _ in 0..<maker.pick([0, 1, 1, 2]) {
            steps.append(.condition(maker.condition(E.self, Draw(depth: depth))))
        }
        guard sorted ?? maker.once(in: 2) else { return }
        steps.append(
            .orders((0..<maker.number(0...2)).map { _ in DrawnOrder(&maker, Draw(depth: depth > 1 ? 1 : 0)) }))
        guard windows, maker.once(in: 2) else { return }
        steps.append(.window(limit: maker.maybe(maker.number(0...9)), offset: maker.pick([nil, 0, 1, 3])))
        guard maker.once(in: 3) else { return }
        steps.append(.condition(maker.condition(E.self, Draw(depth: 1))))
        if maker.once(in: 2) { steps.append(.window(limit: maker.number(0...5), offset: nil)) }
    }

    var text: String {
        steps.map { step in
            switch step {
            case .search(let search): search.text
            case .condition(let asked): ".where { \(asked.text) }"
            case .orders(let orders): ".orderBy(\((orders.map(\.text) + ["id"]).joined(separator: "; ")))"
            case .window(let limit, let offset): ".limit(\(limit ?? -1)).offset(\(offset ?? 0))"
            }
        }.joined()
    }

    func apply(_ query: Query<E>) -> Query<E> {
        steps.reduce(query) { query, step in
            switch step {
            case .search(let search): return search.make(query)
            case .condition(let asked): return query.where { asked.column($0) }
            case .orders(let orders): return orders.reduce(query) { $1.add($0) }.orderBy(E.idWord.path)
            case .window(let limit, let offset):
                var query = query
                if let limit { query = query.limit(limit) }
                if let offset { query = query.offset(offset) }
                return query
            }
        }
    }

    /// The same of rows in Swift.
    func apply(_ rows: [E], _ world: World) -> [E] {
        steps.reduce(rows.sortedById()) { rows, step in
            switch step {
            case .search(let search): rows.filter { search.finds($0) }
            case .condition(let asked): rows.filter { asked.value($0, world) }
            case .orders(let orders):
                rows.sorted { first, second in
                    for order in orders {
                        if let isFirst = order.comesFirst(first, second, world) { return isFirst }
                    }
                    return E.Id.isLess(first.id, second.id)
                }
            case .window(let limit, let offset): Array(rows.dropFirst(offset ?? 0).prefix(limit ?? .max))
            }
        }
    }
}

extension [any DrawnEntity.Type] {
    var names: String { map { "\($0)" }.joined(separator: ", ") }
}

extension Array where Element: DrawnEntity {
    func sortedById() -> [Element] { sorted { Element.Id.isLess($0.id, $1.id) } }
}

/// A query, and the rows that it has to find.
struct Drawn<E: DrawnEntity> {
    let text: String
    let query: Query<E>
    let rows: [E]
    let world: World
    let isSorted: Bool

    init(_ maker: inout Maker, depth: Int = 3, sorted: Bool? = nil, windows: Bool = true) {
        let shape = Shape<E>(&maker, depth: depth, sorted: sorted, windows: windows)
        text = "\(E.self)\(shape.text)"
        query = shape.apply(maker.storage.query(E.self))
        rows = shape.apply(maker.world[E.self], maker.world)
        world = maker.world
        isSorted = shape.isSorted
    }
}

/// A query that fills relations, and what they have to hold.
struct Filled<E: DrawnEntity>: Sendable {
    private struct Part: Sendable {
        let shown: @Sendable (E) -> String
        let expected: @Sendable (E, World) -> String
    }

    /// Nil where the rows come of another query.
    var query: Query<E>?
    private(set) var text = ""
    private var parts: [Part] = []

    init(_ query: Query<E>?) {
        self.query = query
    }

    func adding(
        _ query: Query<E>?, _ text: String, _ shown: @escaping @Sendable (E) -> String,
        expected: @escaping @Sendable (E, World) -> String
    ) -> Filled {
        var filled = self
        filled.query = query
        filled.text += " including \(text)"
        filled.parts.append(Part(shown: shown, expected: expected))
        return filled
    }

    /// The same with some of the entity's relations.
    func including(_ maker: inout Maker) -> Filled {
        var filled = self
        for one in E.ones where maker.once(in: 2) { filled = one.include(in: filled, &maker) ?? filled }
        for many in E.manys where maker.once(in: 2) { filled = many.include(in: filled, &maker) ?? filled }
        return filled
    }

    func shown(_ entity: E) -> String {
        "\(entity.id.shown)\(parts.map { "(\($0.shown(entity)))" }.joined())"
    }

    func expected(_ entity: E, _ world: World) -> String {
        "\(entity.id.shown)\(parts.map { "(\($0.expected(entity, world)))" }.joined())"
    }
}
