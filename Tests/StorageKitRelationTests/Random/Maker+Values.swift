import StorageKit

extension Maker {
    /// An expression that is never nil.
    mutating func needed<E: DrawnEntity, K: Kind>(_ kind: K.Type, _ entity: E.Type, _ draw: Draw) -> Asked<E, K> {
        let words = Vocabulary<E>.shared.words[kind].needed
        let own = E.words[kind].needed
        if draw.depth <= 0 || once(in: 2) {
            if !own.isEmpty, words.isEmpty || once(in: 2) { return pick(own) }
            if !words.isEmpty { return pick(words) }
        }
        guard draw.depth > 0 else {
            let (asked, value) = (maybe(kind, entity, draw), K.draw(&self))
            return Asked("(\(asked.text) ?? \(value))", making: { asked.column($0) ?? value }) {
                asked.value($0, $1) ?? value
            }
        }
        switch number(0...5) {
        case 0:
            let (asked, other) = (maybe(kind, entity, draw.inner), needed(kind, entity, draw.inner))
            return Asked("(\(asked.text) ?? \(other.text))", making: { asked.column($0) ?? other.column($0) }) {
                asked.value($0, $1) ?? other.value($0, $1)
            }
        case 1:
            let (chosen, value) = (condition(entity, draw.inner), K.draw(&self))
            let other = needed(kind, entity, draw.inner)
            return Asked(
                "(\(chosen.text)).then(\(value), else: \(other.text))",
                making: { chosen.column($0).then(value, else: other.column($0)) }
            ) { chosen.value($0, $1) ? value : other.value($0, $1) }
        case 2:
            let (first, second, isLeast) = (
                needed(kind, entity, draw.inner), needed(kind, entity, draw.inner), once(in: 2)
            )
            return Asked(
                "\(isLeast ? "min" : "max")(\(first.text), \(second.text))",
                making: {
                    isLeast ? min(first.column($0), second.column($0)) : max(first.column($0), second.column($0))
                }
            ) { Maker.extreme(isLeast, first.value($0, $1), second.value($0, $1)) }
        case 3:
            let steps = E.ones
            if !steps.isEmpty, let asked = pick(steps).needed(kind, &self, draw.inner) { return asked }
        default: break
        }
        if let special = K.special(&self, entity, draw) { return special }
        return needed(kind, entity, draw.inner)
    }

    private static func extreme<K: Kind>(_ isLeast: Bool, _ first: K, _ second: K) -> K {
        K.isLess(first, second) == isLeast ? first : second
    }

    /// An expression that may be nil.
    mutating func maybe<E: DrawnEntity, K: Kind>(_ kind: K.Type, _ entity: E.Type, _ draw: Draw) -> Asked<E, K?> {
        let words = Vocabulary<E>.shared.words[kind].maybe
        let own = E.words[kind].maybe
        if draw.depth <= 0 || once(in: 2) {
            if !own.isEmpty, words.isEmpty || once(in: 2) { return pick(own) }
            if !words.isEmpty { return pick(words) }
        }
        guard draw.depth > 0 else {
            // No column of the type at all, or none that may be nil: a value of some rows.
            let (id, value, limit) = (E.idWord, K.draw(&self), E.Id.draw(&self))
            return Asked(
                "(id < \(limit)).then(\(value), else: nil)",
                making: { (id.column($0) < limit).then(K?.some(value), else: nil) }
            ) { Relation.less.holds(id.value($0, $1), limit) ? value : nil }
        }
        switch number(0...7) {
        case 0:
            let steps = E.ones
            if !steps.isEmpty { return pick(steps).maybe(kind, &self, draw.inner) }
        case 1, 2: if let many = many(of: entity) { return many.extreme(kind, &self, draw) }
        case 3:
            let (first, second) = (maybe(kind, entity, draw.inner), maybe(kind, entity, draw.inner))
            return Asked("(\(first.text) ?? \(second.text))", making: { first.column($0) ?? second.column($0) }) {
                first.value($0, $1) ?? second.value($0, $1)
            }
        case 4:
            let (first, second, isLeast) = (
                needed(kind, entity, draw.inner), maybe(kind, entity, draw.inner), once(in: 2)
            )
            return Asked(
                "\(isLeast ? "min" : "max")(\(first.text), \(second.text))",
                making: {
                    isLeast ? min(first.column($0), second.column($0)) : max(second.column($0), first.column($0))
                }
            ) { entity, world in
                second.value(entity, world).map { Maker.extreme(isLeast, first.value(entity, world), $0) }
            }
        case 5:
            let chosen = condition(entity, draw.inner)
            let (first, second) = (maybe(kind, entity, draw.inner), maybe(kind, entity, draw.inner))
            return Asked(
                "(\(chosen.text)).then(\(first.text), else: \(second.text))",
                making: { chosen.column($0).then(first.column($0), else: second.column($0)) }
            ) { chosen.value($0, $1) ? first.value($0, $1) : second.value($0, $1) }
        case 6:
            let other = pick(entities)
            return ofQuery(other, kind, entity, draw)
        default: break
        }
        if let special = K.maybeSpecial(&self, entity, draw) { return special }
        return maybe(kind, entity, draw.inner)
    }

    /// The one value of a query inside, whose condition uses the outer row.
    private mutating func ofQuery<E: DrawnEntity, P: DrawnEntity, K: Kind>(
        _ other: P.Type, _ kind: K.Type, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, K?> {
        let (outer, inner) = (maybe(Int.self, entity, draw.inner), needed(Int.self, other, Draw(depth: 0)))
        let asked = maybe(kind, other, draw.inner)
        let (relation, isLeast, storage) = (pick(Relation.allCases), once(in: 2), storage)
        return Asked(
            "\(P.self).where(\(inner.text) \(relation) outer \(outer.text)).\(isLeast ? "min" : "max")(\(asked.text))",
            making: { row in
                storage.query(P.self).where { relation.between(inner.column($0), outer.column(row)) }
                    .aggregate { isLeast ? $0.min(asked.path) : $0.max(of: { asked.column($0) }) }.value
            }
        ) { entity, world in
            let rows = world[P.self].filter { relation.holds(inner.value($0, world), outer.value(entity, world)) }
            let values = rows.compactMap { asked.value($0, world) }
            return isLeast ? values.min(by: K.isLess) : values.max(by: K.isLess)
        }
    }
}
