import StorageKit

/// A row of each joined table, in Swift; nil where a left join found none.
typealias SideBySide = [(any Sendable)?]

/// An expression of one of the joined rows, beside the same in Swift.
protocol SidePhrase<Row, Grouped> {
    associatedtype Row
    associatedtype Grouped
    associatedtype T: Shown & ColumnValue
    var text: String { get }
    var column: (Row) -> Column<T> { get }
    /// The same as a key of a group.
    var key: (Grouped) -> Column<T> { get }
    var value: (SideBySide, World) -> T { get }
}

struct AskedOfSide<Row, Grouped, T: Shown & ColumnValue>: SidePhrase {
    let text: String
    let column: (Row) -> Column<T>
    let key: (Grouped) -> Column<T>
    let value: (SideBySide, World) -> T
}

/// A condition on joined rows.
struct SideCondition<Row> {
    let text: String
    let make: (Row) -> Predicate
    let holds: (SideBySide, World) -> Bool
}

/// What is made of the joined rows of a group.
struct AskedOfSides<Grouped, T: Shown & ColumnValue> {
    let text: String
    let column: (Grouped) -> Column<T>
    let value: ([SideBySide], World) -> T
}

/// One of the tables of a join.
protocol DrawnSide<Row, Grouped> {
    associatedtype Row
    associatedtype Grouped
    var id: any SidePhrase<Row, Grouped> { get }
    func phrase<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> any SidePhrase<Row, Grouped>
    func condition(_ maker: inout Maker, _ draw: Draw) -> SideCondition<Row>
    /// Compares with a row of another table.
    func meeting<K: Kind, Q: DrawnEntity>(_ kind: K.Type, _ maker: inout Maker) -> Meeting<Row, Q>
    func count(_ maker: inout Maker) -> AskedOfSides<Grouped, Int>
    func sum<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker) -> AskedOfSides<Grouped, K>
    func extreme<K: Kind>(_ kind: K.Type, _ maker: inout Maker) -> AskedOfSides<Grouped, K?>
    /// The same in a join of one table more.
    func lifted<R, G>(_ row: @escaping (R) -> Row, _ grouped: @escaping (G) -> Grouped) -> any DrawnSide<R, G>
}

struct Side<Row, Grouped, P: DrawnEntity>: DrawnSide {
    enum Place {
        case needed((Row) -> ColumnRef<P>, (Grouped) -> Rows<P>)
        case optional((Row) -> OptionalToOne<P>, (Grouped) -> OptionalRows<P>)
    }

    let index: Int
    let place: Place

    private func text(_ asked: String) -> String { "$\(index).\(asked)" }

    private func there(_ rows: SideBySide) -> P? { rows[index] as? P }

    func lifted<R, G>(_ row: @escaping (R) -> Row, _ grouped: @escaping (G) -> Grouped) -> any DrawnSide<R, G> {
        switch place {
        case .needed(let ref, let rows):
            Side<R, G, P>(index: index, place: .needed({ ref(row($0)) }, { rows(grouped($0)) }))
        case .optional(let ref, let rows):
            Side<R, G, P>(index: index, place: .optional({ ref(row($0)) }, { rows(grouped($0)) }))
        }
    }

    // MARK: - Expressions

    var id: any SidePhrase<Row, Grouped> { phrase(P.idWord) }

    func phrase<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> any SidePhrase<Row, Grouped> {
        maker.once(in: 2)
            ? phrase(maker.needed(kind, P.self, draw)) : maybe(maker.maybe(kind, P.self, draw))
    }

    private func phrase<K: Kind>(_ asked: Asked<P, K>) -> any SidePhrase<Row, Grouped> {
        switch place {
        case .needed(let ref, let rows):
            AskedOfSide<Row, Grouped, K>(
                text: text(asked.text), column: { asked.column(ref($0)) },
                key: { rows($0)[dynamicMember: asked.path] }
            ) { rows, world in
                guard let row = there(rows) else { fatalError("an inner join found nothing") }
                return asked.value(row, world)
            }
        case .optional(let ref, let rows):
            AskedOfSide<Row, Grouped, K?>(
                text: text(asked.text), column: { ref($0)[asked: asked] },
                key: { rows($0)[dynamicMember: \.[asked: asked]] }
            ) { rows, world in there(rows).map { asked.value($0, world) } }
        }
    }

    private func maybe<K: Kind>(_ asked: Asked<P, K?>) -> any SidePhrase<Row, Grouped> {
        AskedOfSide<Row, Grouped, K?>(
            text: text(asked.text),
            column: {
                switch place {
                case .needed(let ref, _): asked.column(ref($0))
                case .optional(let ref, _): ref($0)[maybe: asked]
                }
            },
            key: {
                switch place {
                case .needed(_, let rows): rows($0)[dynamicMember: asked.path]
                case .optional(_, let rows): rows($0)[dynamicMember: \.[maybe: asked]]
                }
            }
        ) { rows, world in there(rows).flatMap { asked.value($0, world) } }
    }

    func condition(_ maker: inout Maker, _ draw: Draw) -> SideCondition<Row> {
        let asked = maker.condition(P.self, draw)
        switch place {
        case .needed(let ref, _):
            return SideCondition(text: text(asked.text)) {
                asked.column(ref($0))
            } holds: { rows, world in
                there(rows).map { asked.value($0, world) } ?? false
            }
        case .optional(let ref, _):
            guard !maker.once(in: 4) else {
                return SideCondition(text: text("== nil")) {
                    ref($0) == nil
                } holds: { rows, _ in
                    there(rows) == nil
                }
            }
            let isNegated = maker.once(in: 3)
            return SideCondition(text: "\(isNegated ? "!" : "")\(text(asked.text))") { row in
                let condition = ref(row)[asked: asked]
                return isNegated ? !condition : condition == true
            } holds: { rows, world in
                (there(rows).map { asked.value($0, world) } ?? false) != isNegated
            }
        }
    }

    func meeting<K: Kind, Q: DrawnEntity>(_ kind: K.Type, _ maker: inout Maker) -> Meeting<Row, Q> {
        let draw = Draw(depth: maker.pick([0, 0, 1]))
        let (mine, other) = (maker.needed(K.self, P.self, draw), maker.needed(K.self, Q.self, draw))
        let perhaps = maker.maybe(K.self, Q.self, draw)
        let relation = maker.pick([.equal, .equal, .equal] + Relation.allCases)
        switch place {
        case .needed(let ref, _):
            guard !maker.once(in: 3) else {
                return Meeting(text: "\(text(mine.text)) \(relation) other \(perhaps.text)", isNarrow: false) {
                    relation.between(mine.column(ref($0)), perhaps.column($1))
                } holds: { rows, other, world in
                    relation.holds(there(rows).map { mine.value($0, world) }, perhaps.value(other, world))
                }
            }
            return Meeting(
                text: "\(text(mine.text)) \(relation) other \(other.text)", isNarrow: relation == .equal
            ) { row, new in
                relation.between(mine.column(ref(row)), other.column(new))
            } holds: { rows, new, world in
                relation.holds(there(rows).map { mine.value($0, world) }, other.value(new, world))
            }
        case .optional(let ref, _):
            return Meeting(
                text: "\(text(mine.text)) \(relation) other \(other.text)", isNarrow: relation == .equal
            ) { row, new in
                relation.between(ref(row)[asked: mine], other.column(new))
            } holds: { rows, new, world in
                relation.holds(there(rows).map { mine.value($0, world) }, other.value(new, world))
            }
        }
    }

    // MARK: - Aggregates

    /// What an aggregate is made of, without a closure for each way to join.
    private func made<T>(_ make: @escaping (any RowSet<P>) -> Column<T>) -> (Grouped) -> Column<T> {
        switch place {
        case .needed(_, let rows): { make(rows($0)) }
        case .optional(_, let rows): { make(rows($0)) }
        }
    }

    private func those(_ groups: [SideBySide]) -> [P] { groups.compactMap { there($0) } }

    func count(_ maker: inout Maker) -> AskedOfSides<Grouped, Int> {
        let (which, asked) = (maker.condition(P.self, Draw(depth: 1)), maker.maybe(Int.self, P.self, Draw(depth: 1)))
        switch maker.number(0...2) {
        case 0:
            return AskedOfSides(text: text("count"), column: made { $0.count() }) { rows, _ in those(rows).count }
        case 1:
            return AskedOfSides(
                text: text("count { \(which.text) }"), column: made { $0.count { which.column($0) } }
            ) { rows, world in those(rows).count { which.value($0, world) } }
        default:
            return AskedOfSides(
                text: text("count(distinct: \(asked.text))"),
                column: made { $0.count(distinct: { asked.column($0) }) }
            ) { rows, world in Set(those(rows).compactMap { asked.value($0, world) }).count }
        }
    }

    func sum<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker) -> AskedOfSides<Grouped, K> {
        let asked = maker.maybe(K.self, P.self, Draw(depth: 1, isExact: true))
        return AskedOfSides(text: text("sum(\(asked.text))"), column: made { $0.sum { asked.column($0) } }) {
            rows, world in
            those(rows).reduce(0) { $0 + (asked.value($1, world) ?? 0) }
        }
    }

    func extreme<K: Kind>(_ kind: K.Type, _ maker: inout Maker) -> AskedOfSides<Grouped, K?> {
        let (asked, isLeast) = (maker.maybe(K.self, P.self, Draw(depth: 1)), maker.once(in: 2))
        let which = maker.condition(P.self, Draw(depth: 0))
        return AskedOfSides(
            text: text("\(isLeast ? "min" : "max")(\(asked.text)) { \(which.text) }"),
            column: made { rows in
                isLeast
                    ? rows.min(of: { asked.column($0) }, where: { which.column($0) })
                    : rows.max(of: { asked.column($0) }, where: { which.column($0) })
            }
        ) { rows, world in
            let values = those(rows).filter { which.value($0, world) }.compactMap { asked.value($0, world) }
            return isLeast ? values.min(by: K.isLess) : values.max(by: K.isLess)
        }
    }
}

extension OptionalToOne where P: DrawnEntity {
    subscript<T: Sendable>(asked asked: Asked<P, T>) -> Column<T?> { self[dynamicMember: asked.path] }

    subscript<T: Sendable>(maybe asked: Asked<P, T?>) -> Column<T?> { self[dynamicMember: asked.path] }
}
