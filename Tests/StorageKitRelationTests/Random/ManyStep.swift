import StorageKit

/// A relation to many rows.
protocol ManyStep<E>: Sendable {
    associatedtype E: DrawnEntity
    func behind<Step: OneStep>(_ step: Step) -> any ManyStep<Step.E> where Step.P == E
    /// Whether there are rows.
    func condition(_ maker: inout Maker, _ draw: Draw) -> Asked<E, Bool>
    func count(_ maker: inout Maker, _ draw: Draw) -> Asked<E, Int>
    func sum<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K>
    func mean<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K.Mean?>
    func extreme<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K?>
    /// Fills the rows; nil where there is no property for them.
    func include(in filled: Filled<E>, _ maker: inout Maker) -> Filled<E>?
    /// Fills the rows of those rows that another relation leads to: a path of both.
    func include<R: DrawnEntity>(behind first: Many<R, E>, in filled: Filled<R>, _ maker: inout Maker) -> Filled<R>?
}

/// A condition on a row of a relation and the row that has it.
private struct Inner<E: DrawnEntity, Q: DrawnEntity>: Sendable {
    let text: String
    let make: @Sendable (ColumnRef<E>, ColumnRef<Q>) -> Predicate
    let holds: @Sendable (E, Q, World) -> Bool

    static func draw(_ maker: inout Maker, _ draw: Draw) -> Inner {
        let own = maker.condition(Q.self, draw)
        switch maker.number(0...3) {
        case 0: return comparing(Int.self, &maker, draw, own)
        case 1: return comparing(String.self, &maker, draw, own)
        default:
            return Inner(text: own.text) {
                own.column($1)
            } holds: {
                own.value($1, $2)
            }
        }
    }

    /// A condition that compares with the outer row.
    private static func comparing<K: Kind>(
        _ kind: K.Type, _ maker: inout Maker, _ draw: Draw, _ own: Asked<Q, Bool>
    ) -> Inner {
        let (outer, inner) = (maker.maybe(K.self, E.self, draw.inner), maker.needed(K.self, Q.self, draw.inner))
        let (relation, isBoth) = (maker.pick(Relation.allCases), maker.once(in: 2))
        return Inner(
            text: "\(inner.text) \(relation) outer \(outer.text) \(isBoth ? "&&" : "||") \(own.text)"
        ) { row, other in
            let compared = relation.between(inner.column(other), outer.column(row))
            return isBoth ? compared && own.column(other) : compared || own.column(other)
        } holds: { entity, other, world in
            let compared = relation.holds(inner.value(other, world), outer.value(entity, world))
            return isBoth ? compared && own.value(other, world) : compared || own.value(other, world)
        }
    }
}

/// Rows of another entity that refer to each row.
final class Many<E: DrawnEntity, Q: DrawnEntity>: ManyStep, Hashable {
    typealias ManyPath = any KeyPath<ColumnRef<E>, ToMany<Q>> & Sendable

    let text: String
    let rows: @Sendable (E, World) -> [Q]
    private let make: @Sendable (ColumnRef<E>) -> ToMany<Q>
    private let ownPath: ManyPath?
    private let property: (any KeyPath<E, [Q]> & Sendable)?

    init(
        _ text: String, _ path: ManyPath, property: any KeyPath<E, [Q]> & Sendable,
        _ rows: @escaping @Sendable (E, World) -> [Q]
    ) {
        self.text = text
        self.rows = rows
        self.property = property
        ownPath = path
        make = { $0[keyPath: path] }
    }

    init(
        _ text: String, making make: @escaping @Sendable (ColumnRef<E>) -> ToMany<Q>,
        _ rows: @escaping @Sendable (E, World) -> [Q]
    ) {
        self.text = text
        self.rows = rows
        self.make = make
        ownPath = nil
        property = nil
    }

    var path: ManyPath { ownPath ?? \ColumnRef<E>.[many: self] }

    func relation(_ row: ColumnRef<E>) -> ToMany<Q> { make(row) }

    static func == (lhs: Many, rhs: Many) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    func behind<Step: OneStep>(_ step: Step) -> any ManyStep<Step.E> where Step.P == E { step.many(self) }
}

extension ColumnRef where E: DrawnEntity {
    subscript<Q>(many many: Many<E, Q>) -> ToMany<Q> { many.relation(self) }
}

// MARK: - What is made of the rows

extension Many {
    private func narrowed(_ maker: inout Maker, _ draw: Draw) -> Inner<E, Q>? {
        draw.depth > 0 && maker.once(in: 2) ? Inner.draw(&maker, draw.inner) : nil
    }

    func condition(_ maker: inout Maker, _ draw: Draw) -> Asked<E, Bool> {
        let (inner, isEmpty) = (narrowed(&maker, draw), maker.once(in: 2))
        return Asked(
            "\(text).\(isEmpty ? "isEmpty" : "exists") {\(inner?.text ?? "")}",
            making: { [self] row in
                guard let inner else { return isEmpty ? make(row).isEmpty : make(row).exists() }
                return isEmpty
                    ? make(row).isEmpty { inner.make(row, $0) } : make(row).exists { inner.make(row, $0) }
            }
        ) { [self] entity, world in
            rows(entity, world).contains { inner?.holds(entity, $0, world) ?? true } != isEmpty
        }
    }

    func count(_ maker: inout Maker, _ draw: Draw) -> Asked<E, Int> {
        let inner = narrowed(&maker, draw)
        if maker.once(in: 2) { return countOfValues(Date.self, &maker, draw, inner) }
        return Asked(
            "\(text).count {\(inner?.text ?? "")}",
            making: { [self] row in
                guard let inner else { return make(row).count() }
                return make(row).count { inner.make(row, $0) }
            }
        ) { [self] entity, world in
            rows(entity, world).count { inner?.holds(entity, $0, world) ?? true }
        }
    }

    private func countOfValues<K: Kind>(
        _ kind: K.Type, _ maker: inout Maker, _ draw: Draw, _ inner: Inner<E, Q>?
    ) -> Asked<E, Int> {
        let (asked, isDistinct) = (maker.maybe(K.self, Q.self, draw.inner), maker.once(in: 2))
        return Asked(
            "\(text).count(\(isDistinct ? "distinct: " : "")\(asked.text)) {\(inner?.text ?? "")}",
            making: { [self] row in
                let condition: ((ColumnRef<Q>) -> Predicate)? = inner.map { inner in { inner.make(row, $0) } }
                return isDistinct
                    ? make(row).count(distinct: asked.path, where: condition)
                    : make(row).count(of: { asked.column($0) }, where: condition)
            }
        ) { [self] entity, world in
            let values = counted(entity, world, inner).compactMap { asked.value($0, world) }
            return isDistinct ? Set(values.map(\.shown)).count : values.count
        }
    }

    private func counted(_ entity: E, _ world: World, _ inner: Inner<E, Q>?) -> [Q] {
        rows(entity, world).filter { inner?.holds(entity, $0, world) ?? true }
    }

    func sum<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K> {
        let inner = narrowed(&maker, draw)
        let asked = maker.maybe(K.self, Q.self, draw.exact)
        return Asked(
            "\(text).sum(\(asked.text)) {\(inner?.text ?? "")}",
            making: { [self] row in
                make(row).sum(of: { asked.column($0) }, where: inner.map { inner in { inner.make(row, $0) } })
            }
        ) { [self] entity, world in
            counted(entity, world, inner).reduce(0) { $0 + (asked.value($1, world) ?? 0) }
        }
    }

    func mean<K: NumberKind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K.Mean?> {
        let inner = narrowed(&maker, draw)
        let asked = maker.needed(K.self, Q.self, draw.exact)
        return Asked(
            "\(text).avg(\(asked.text)) {\(inner?.text ?? "")}",
            making: { [self] row in
                make(row).avg(asked.path, where: inner.map { inner in { inner.make(row, $0) } })
            }
        ) { [self] entity, world in
            let values = counted(entity, world, inner).map { asked.value($0, world) }
            return values.isEmpty ? nil : K.mean(values.reduce(0, +), values.count)
        }
    }

    func extreme<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K?> {
        let (inner, isLeast) = (narrowed(&maker, draw), maker.once(in: 2))
        let asked = maker.maybe(K.self, Q.self, draw.inner)
        return Asked(
            "\(text).\(isLeast ? "min" : "max")(\(asked.text)) {\(inner?.text ?? "")}",
            making: { [self] row in
                let condition: ((ColumnRef<Q>) -> Predicate)? = inner.map { inner in { inner.make(row, $0) } }
                return isLeast
                    ? make(row).min(asked.path, where: condition)
                    : make(row).max(of: { asked.column($0) }, where: condition)
            }
        ) { [self] entity, world in
            let values = counted(entity, world, inner).compactMap { asked.value($0, world) }
            return isLeast ? values.min(by: K.isLess) : values.max(by: K.isLess)
        }
    }

    func include<R: DrawnEntity>(behind first: Many<R, E>, in filled: Filled<R>, _ maker: inout Maker) -> Filled<R>? {
        guard let property, let path = ownPath, let way = first.ownPath, let between = first.property else {
            return nil
        }
        let shape = Shape<Q>.ofRelated(&maker)
        let both = way.appending(path: \ToMany<E>.[dynamicMember: path])
        return filled.adding(
            filled.query?.including(both) { shape.apply($0) }, "\(first.text).\(text) \(shape.text)"
        ) { entity in
            entity[keyPath: between].map { "\($0.id.shown): \($0[keyPath: property].map(\.id.shown))" }
                .joined(separator: ", ")
        } expected: { [self] entity, world in
            first.rows(entity, world).sortedById().map {
                "\($0.id.shown): \(shape.apply(rows($0, world), world).map(\.id.shown))"
            }.joined(separator: ", ")
        }
    }

    func include(in filled: Filled<E>, _ maker: inout Maker) -> Filled<E>? {
        guard let property, let path = ownPath else { return nil }
        if maker.once(in: 4), !Q.manys.isEmpty {
            let further = maker.pick(Q.manys)
            return further.include(behind: self, in: filled, &maker)
        }
        let shape = Shape<Q>.ofRelated(&maker)
        var nested = Filled(Query<Q>?.none)
        let isNested = maker.once(in: 3)
        let isPlain = maker.once(in: 3)
        let query = filled.query?.including(path) { related in
            guard !isPlain else { return related }
            nested.query = shape.apply(related)
            if isNested { nested = nested.including(&maker) }
            return nested.query ?? related
        }
        return filled.adding(query, "\(text) \(isPlain ? "" : shape.text) [\(nested.text)]") { [nested] entity in
            entity[keyPath: property].map { nested.shown($0) }.joined(separator: ", ")
        } expected: { [self, nested] entity, world in
            let rows = isPlain ? rows(entity, world).sortedById() : shape.apply(rows(entity, world), world)
            return rows.map { nested.expected($0, world) }.joined(separator: ", ")
        }
    }
}
