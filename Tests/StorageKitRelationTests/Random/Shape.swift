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

/// What is asked of one table: searches, conditions, orders and limits, in any order.
struct Shape<E: DrawnEntity>: Sendable {
    private enum Step: Sendable {
        case search(DrawnSearch<E>)
        case condition(Asked<E, Bool>)
        case order(DrawnOrder<E>)
        /// The order of the id, behind which no two rows are alike.
        case byId
        case limit(Int)
        case offset(Int)
    }

    private var steps: [Step] = []
    /// Whether the rows come in an order that is known.
    var isSorted: Bool {
        steps.contains { if case .byId = $0 { true } else { false } }
    }

    /// - Parameters:
    ///   - sorted: Whether the rows are sorted; nil for either.
    ///   - windows: Whether there may be limits.
    init(_ maker: inout Maker, depth: Int, sorted: Bool? = nil, windows: Bool = true) {
        let isSorted = sorted ?? maker.once(in: 2)
        addConditions(maker.pick([0, 1, 1, 2]), &maker, depth)
        guard isSorted else { return }
        addOrders(&maker, depth, isWindow: windows && maker.once(in: 2))
        guard windows, maker.once(in: 6) else { return }
        addConditions(1, &maker, 1)
        addOrders(&maker, depth, isWindow: maker.once(in: 2))
    }

    /// What is asked of related rows, which come by id; not by the rank of a search, which is not calculated in Swift.
    static func ofRelated(_ maker: inout Maker) -> Shape {
        var shape = Shape(&maker, depth: 1)
        if shape.searches, !shape.isSorted { shape.steps.append(.byId) }
        return shape
    }

    private var searches: Bool {
        steps.contains { if case .search = $0 { true } else { false } }
    }

    private mutating func addConditions(_ count: Int, _ maker: inout Maker, _ depth: Int) {
        var conditions: [Step] = (0..<count).map { _ in .condition(maker.condition(E.self, Draw(depth: depth))) }
        for _ in 0..<2 where !E.searched.isEmpty && maker.once(in: 6) {
            conditions.append(.search(DrawnSearch(&maker)))
        }
        steps += conditions.shuffled(using: &maker.random)
    }

    /// Orders, and a limit or an offset before, between or behind them.
    private mutating func addOrders(_ maker: inout Maker, _ depth: Int, isWindow: Bool) {
        var orders: [Step] = (0..<maker.number(0...2)).map { _ in
            .order(DrawnOrder(&maker, Draw(depth: depth > 1 ? 1 : 0)))
        }
        orders.append(.byId)
        var window: [Step] = []
        if isWindow {
            if maker.once(in: 4) { window.append(.limit(maker.number(0...9))) }
            if let limit = maker.maybe(maker.number(0...9)) { window.append(.limit(limit)) }
            if let offset = maker.pick([nil, 0, 1, 3]) { window.append(.offset(offset)) }
        }
        for step in window { orders.insert(step, at: maker.number(0...orders.count)) }
        steps += orders
    }

    var text: String {
        steps.map { step in
            switch step {
            case .search(let search): search.text
            case .condition(let asked): ".where { \(asked.text) }"
            case .order(let order): ".orderBy(\(order.text))"
            case .byId: ".orderBy(id)"
            case .limit(let limit): ".limit(\(limit))"
            case .offset(let offset): ".offset(\(offset))"
            }
        }.joined()
    }

    func apply(_ query: Query<E>) -> Query<E> {
        steps.reduce(query) { query, step in
            switch step {
            case .search(let search): search.make(query)
            case .condition(let asked): query.where { asked.column($0) }
            case .order(let order): order.add(query)
            case .byId: query.orderBy(E.idWord.path)
            case .limit(let limit): query.limit(limit)
            case .offset(let offset): query.offset(offset)
            }
        }
    }

    /// The same of rows in Swift. A limit counts the rows in the order of all steps up to the next condition.
    func apply(_ rows: [E], _ world: World) -> [E] {
        var left = LeftRows(rows: rows, world: world)
        for step in steps {
            switch step {
            case .search(let search): left.keep { search.finds($0) }
            case .condition(let asked): left.keep { asked.value($0, world) }
            case .order(let order): left.sort(by: order)
            case .byId: left.isSortedById = true
            case .limit(let limit): left.limit = limit
            case .offset(let offset): left.offset = offset
            }
        }
        return left.all
    }
}

/// Rows in Swift, of which a limit and an offset leave some.
private struct LeftRows<E: DrawnEntity> {
    private var rows: [E]
    private let world: World
    private var orders: [DrawnOrder<E>] = []
    /// Whether no two rows are alike any more: further orders change nothing.
    var isSortedById = false
    var limit: Int?
    var offset: Int?

    init(rows: [E], world: World) {
        self.rows = rows
        self.world = world
    }

    var all: [E] {
        let sorted = rows.sorted { first, second in
            for order in orders {
                if let isFirst = order.comesFirst(first, second, world) { return isFirst }
            }
            return E.Id.isLess(first.id, second.id)
        }
        return Array(sorted.dropFirst(offset ?? 0).prefix(limit ?? .max))
    }

    mutating func sort(by order: DrawnOrder<E>) {
        if !isSortedById { orders.append(order) }
    }

    mutating func keep(where condition: (E) -> Bool) {
        rows = all.filter(condition)
        (limit, offset) = (nil, nil)
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
