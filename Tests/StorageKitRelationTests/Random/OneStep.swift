import StorageKit

/// A relation to one row.
protocol OneStep<E>: Sendable {
    associatedtype E: DrawnEntity
    /// The entity of that row.
    associatedtype P: DrawnEntity
    associatedtype Relation: LoadableRelation where Relation.Related == P

    var text: String { get }
    var path: any KeyPath<ColumnRef<E>, Relation> & Sendable { get }
    /// What the related row is filled into; nil where there is no property for it.
    var property: (any KeyPath<E, P?> & Sendable)? { get }
    var row: @Sendable (E, World) -> P? { get }

    /// Expressions of that row, behind the relation.
    func behind<K: Kind>(_ words: KindWords<P, K>) -> KindWords<E, K>
    /// A relation of that row, behind this one.
    func many<Q: DrawnEntity>(_ many: Many<P, Q>) -> Many<E, Q>
    /// An expression behind it; nil where the row may be missing.
    func needed<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K>?
    /// An expression behind it that may be nil.
    func maybe<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K?>
    /// Asks for the related rows beside a value.
    func select(_ drawn: Drawn<E>, beside phrase: some Phrase<E>) -> any DrawnSelection
}

extension OneStep {
    /// What can be asked behind it.
    func vocabulary(depth: Int) -> Vocabulary<E> {
        let other = Vocabulary<P>(depth: depth)
        let words = other.words
        return Vocabulary(
            words: ColumnWords(
                ints: behind(words.ints), reals: behind(words.reals), decimals: behind(words.decimals),
                wholes: behind(words.wholes),
                texts: behind(words.texts), dates: behind(words.dates), flags: behind(words.flags)),
            manys: other.manys.map { $0.behind(self) })
    }

    /// Fills the related rows; nil where there is no property for them.
    func include(in filled: Filled<E>, _ maker: inout Maker) -> Filled<E>? {
        property.map { property in
            var nested = Filled(Query<P>?.none)
            let isNested = maker.once(in: 2)
            let query = filled.query?.including(path) { related in
                guard isNested else { return related }
                nested.query = related
                nested = nested.including(&maker)
                return nested.query ?? related
            }
            return filled.adding(query, "\(text) [\(nested.text)]") { [nested] in
                $0[keyPath: property].map { nested.shown($0) } ?? "nil"
            } expected: { [nested] entity, world in
                row(entity, world).map { nested.expected($0, world) } ?? "nil"
            }
        }
    }
}

/// A relation to a row that is there.
struct NeededStep<E: DrawnEntity, P: DrawnEntity>: OneStep {
    let text: String
    let path: any KeyPath<ColumnRef<E>, ToOne<P>> & Sendable
    let property: (any KeyPath<E, P?> & Sendable)?
    let row: @Sendable (E, World) -> P?

    init(
        _ text: String, _ path: any KeyPath<ColumnRef<E>, ToOne<P>> & Sendable,
        property: any KeyPath<E, P?> & Sendable, _ row: @escaping @Sendable (E, World) -> P?
    ) {
        self.text = text
        self.path = path
        self.property = property
        self.row = row
    }

    init(
        _ text: String, _ path: any KeyPath<ColumnRef<E>, ToOne<P>> & Sendable,
        _ row: @escaping @Sendable (E, World) -> P?
    ) {
        self.text = text
        self.path = path
        self.row = row
        property = nil
    }

    /// An expression of the other row. The row is there: a key that leads nowhere is a mistake of the model.
    private func behind<T>(_ asked: Asked<P, T>) -> Asked<E, T> {
        Asked("\(text).\(asked.text)", making: { $0[keyPath: path][dynamicMember: asked.path] }) { entity, world in
            guard let other = row(entity, world) else { fatalError("\(text) leads nowhere") }
            return asked.value(other, world)
        }
    }

    func behind<K: Kind>(_ words: KindWords<P, K>) -> KindWords<E, K> {
        KindWords(needed: words.needed.map { behind($0) }, maybe: words.maybe.map { behind($0) })
    }

    func needed<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K>? {
        behind(maker.needed(kind, P.self, draw))
    }

    func maybe<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K?> {
        behind(maker.maybe(kind, P.self, draw))
    }

    func many<Q: DrawnEntity>(_ many: Many<P, Q>) -> Many<E, Q> {
        Many("\(text).\(many.text)", making: { $0[keyPath: path][dynamicMember: many.path] }) { entity, world in
            row(entity, world).map { many.rows($0, world) } ?? []
        }
    }

    func select(_ drawn: Drawn<E>, beside phrase: some Phrase<E>) -> any DrawnSelection {
        let asked = phrase.asked
        return SelectionOf(
            "\(drawn.text).select(\(asked.text), \(text))",
            drawn.query.select { (asked.column($0), $0[keyPath: path]) },
            rows: drawn.rows.map { "\(asked.value($0, drawn.world).shown) \(row($0, drawn.world)?.id.shown ?? "?")" },
            isSorted: drawn.isSorted
        ) { "\($0.0.shown) \($0.1.id.shown)" }
    }
}

/// A relation to a row that may be missing.
struct OptionalStep<E: DrawnEntity, P: DrawnEntity>: OneStep {
    let text: String
    let path: any KeyPath<ColumnRef<E>, OptionalToOne<P>> & Sendable
    let property: (any KeyPath<E, P?> & Sendable)?
    let row: @Sendable (E, World) -> P?

    init(
        _ text: String, _ path: any KeyPath<ColumnRef<E>, OptionalToOne<P>> & Sendable,
        property: any KeyPath<E, P?> & Sendable, _ row: @escaping @Sendable (E, World) -> P?
    ) {
        self.text = text
        self.path = path
        self.property = property
        self.row = row
    }

    init(
        _ text: String, _ path: any KeyPath<ColumnRef<E>, OptionalToOne<P>> & Sendable,
        _ row: @escaping @Sendable (E, World) -> P?
    ) {
        self.text = text
        self.path = path
        self.row = row
        property = nil
    }

    private func behind<K: Kind>(_ asked: Asked<P, K>) -> Asked<E, K?> {
        Asked("\(text)?.\(asked.text)", making: { $0[keyPath: path][dynamicMember: asked.path] }) { entity, world in
            row(entity, world).map { asked.value($0, world) }
        }
    }

    private func behind<K: Kind>(_ asked: Asked<P, K?>) -> Asked<E, K?> {
        Asked("\(text)?.\(asked.text)", making: { $0[keyPath: path][dynamicMember: asked.path] }) { entity, world in
            row(entity, world).flatMap { asked.value($0, world) }
        }
    }

    func behind<K: Kind>(_ words: KindWords<P, K>) -> KindWords<E, K> {
        KindWords(maybe: words.needed.map { behind($0) } + words.maybe.map { behind($0) })
    }

    func needed<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K>? { nil }

    func maybe<K: Kind>(_ kind: K.Type, _ maker: inout Maker, _ draw: Draw) -> Asked<E, K?> {
        maker.once(in: 2) ? behind(maker.needed(kind, P.self, draw)) : behind(maker.maybe(kind, P.self, draw))
    }

    func many<Q: DrawnEntity>(_ many: Many<P, Q>) -> Many<E, Q> {
        Many("\(text)?.\(many.text)", making: { $0[keyPath: path][dynamicMember: many.path] }) { entity, world in
            row(entity, world).map { many.rows($0, world) } ?? []
        }
    }

    func select(_ drawn: Drawn<E>, beside phrase: some Phrase<E>) -> any DrawnSelection {
        let asked = phrase.asked
        return SelectionOf(
            "\(drawn.text).select(\(asked.text), \(text)?)",
            drawn.query.select { (asked.column($0), $0[keyPath: path]) },
            rows: drawn.rows.map { "\(asked.value($0, drawn.world).shown) \((row($0, drawn.world)?.id).shown)" },
            isSorted: drawn.isSorted
        ) { "\($0.0.shown) \(($0.1?.id).shown)" }
    }
}
