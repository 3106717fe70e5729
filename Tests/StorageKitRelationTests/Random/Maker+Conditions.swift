import StorageKit

extension Maker {
    /// A condition of any form.
    mutating func condition<E: DrawnEntity>(_ entity: E.Type, _ draw: Draw) -> Asked<E, Bool> {
        guard draw.depth > 0 else { return comparison(entity, draw) }
        switch number(0...13) {
        case 0:
            let inner = condition(entity, draw.inner)
            return Asked("!(\(inner.text))", making: { !inner.column($0) }) { !inner.value($0, $1) }
        case 1:
            let (left, right) = (condition(entity, draw.inner), condition(entity, draw.inner))
            return Asked("(\(left.text) && \(right.text))", making: { left.column($0) && right.column($0) }) {
                left.value($0, $1) && right.value($0, $1)
            }
        case 2:
            let (left, right) = (condition(entity, draw.inner), condition(entity, draw.inner))
            return Asked("(\(left.text) || \(right.text))", making: { left.column($0) || right.column($0) }) {
                left.value($0, $1) || right.value($0, $1)
            }
        case 3, 4:
            guard let many = many(of: entity) else { return comparison(entity, draw) }
            return many.condition(&self, draw)
        case 5: return flag(entity, draw)
        case 6: return text(entity, draw)
        case 7: return inQuery(entity, draw)
        case 8:
            let list = (0..<number(0...3)).map { _ in condition(entity, draw.inner) }
            let isAll = once(in: 2)
            return Asked(
                "[\(list.map(\.text).joined(separator: ", "))].\(isAll ? "all" : "any")",
                making: { row in
                    let conditions = list.map { $0.column(row) }
                    return isAll ? conditions.all : conditions.any
                }
            ) { entity, world in
                isAll ? list.allSatisfy { $0.value(entity, world) } : list.contains { $0.value(entity, world) }
            }
        default: return comparison(entity, draw)
        }
    }

    /// A relation to many of the entity, or of one that it refers to.
    mutating func many<E: DrawnEntity>(of entity: E.Type) -> (any ManyStep<E>)? {
        let manys = Vocabulary<E>.shared.manys
        return manys.isEmpty ? nil : once(in: 2) && !E.manys.isEmpty ? pick(E.manys) : pick(manys)
    }

    // MARK: - Comparisons

    private mutating func comparison<E: DrawnEntity>(_ entity: E.Type, _ draw: Draw) -> Asked<E, Bool> {
        switch number(0...6) {
        case 0, 1: compared(Int.self, entity, draw)
        case 6: compared(UInt64.self, entity, draw)
        case 2: compared(Double.self, entity, draw)
        case 3: compared(Decimal.self, entity, draw)
        case 4: compared(String.self, entity, draw)
        default: compared(Date.self, entity, draw)
        }
    }

    private mutating func compared<E: DrawnEntity, K: Kind>(
        _ kind: K.Type, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Bool> {
        let relation = pick(Relation.allCases)
        // Not the same names of closures: a column beside a literal, and each two of what may be nil or not.
        switch number(0...8) {
        // A time may have two spellings, which SQL takes for two.
        case 8 where kind != Date.self:
            let (first, second) = (needed(kind, entity, draw.inner), needed(kind, entity, draw.inner))
            return Asked(
                "sql(\(first.text) \(relation) \(second.text))",
                making: { relation.inSQL(first.column($0), second.column($0)) }
            ) { relation.holds(first.value($0, $1), second.value($0, $1)) }
        case 0, 1:
            let (asked, value) = (needed(kind, entity, draw.inner), K.draw(&self))
            return Asked("\(asked.text) \(relation) \(value)", making: { relation.with(asked.column($0), value) }) {
                relation.holds(asked.value($0, $1), value)
            }
        case 2, 3:
            let (asked, value) = (maybe(kind, entity, draw.inner), maybe(K.draw(&self)))
            return Asked(
                "\(asked.text) \(relation) \(value.shown)", making: { relation.with(asked.column($0), value) }
            ) { relation.holds(asked.value($0, $1), value) }
        case 4:
            let (first, second) = (needed(kind, entity, draw.inner), maybe(kind, entity, draw.inner))
            return Asked(
                "\(first.text) \(relation) \(second.text)",
                making: { relation.between(first.column($0), second.column($0)) }
            ) { relation.holds(first.value($0, $1), second.value($0, $1)) }
        case 5:
            let (first, second) = (maybe(kind, entity, draw.inner), needed(kind, entity, draw.inner))
            return Asked(
                "\(first.text) \(relation) \(second.text)",
                making: { relation.between(first.column($0), second.column($0)) }
            ) { relation.holds(first.value($0, $1), second.value($0, $1)) }
        case 6:
            let (first, second) = (maybe(kind, entity, draw.inner), maybe(kind, entity, draw.inner))
            return Asked(
                "\(first.text) \(relation) \(second.text)",
                making: { relation.between(first.column($0), second.column($0)) }
            ) { relation.holds(first.value($0, $1), second.value($0, $1)) }
        default: return listed(kind, entity, draw)
        }
    }

    /// One of some values, or between two, or nil.
    private mutating func listed<E: DrawnEntity, K: Kind>(
        _ kind: K.Type, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Bool> {
        let (sure, asked) = (needed(kind, entity, draw.inner), maybe(kind, entity, draw.inner))
        let values = (0..<number(0...3)).map { _ in K.draw(&self) }
        let maybes = (0..<number(0...3)).map { _ in maybe(K.draw(&self)) }
        let (low, high) = (K.draw(&self), K.draw(&self))
        switch number(0...4) {
        case 0:
            return Asked("\(sure.text).in(\(values))", making: { sure.column($0).in(values) }) { entity, world in
                values.contains { K.isSame($0, sure.value(entity, world)) }
            }
        case 1:
            return Asked("\(asked.text).in(\(maybes))", making: { asked.column($0).in(maybes) }) { entity, world in
                maybes.contains { Relation.equal.holds($0, asked.value(entity, world)) }
            }
        case 2:
            return Asked("\(asked.text).isNull", making: { asked.column($0).isNull }) { asked.value($0, $1) == nil }
        case 3:
            return Asked("\(asked.text) != nil", making: { asked.column($0).isNotNull }) { asked.value($0, $1) != nil }
        default:
            return Asked(
                "\(sure.text).between(\(low), \(high))", making: { sure.column($0).between(low, high) }
            ) { entity, world in
                let value = sure.value(entity, world)
                return Relation.lessOrEqual.holds(low, value) && Relation.lessOrEqual.holds(value, high)
            }
        }
    }

    /// A column of conditions, behind paths that may lead nowhere too.
    private mutating func flag<E: DrawnEntity>(_ entity: E.Type, _ draw: Draw) -> Asked<E, Bool> {
        let words = Vocabulary<E>.shared.words.flags
        if !words.maybe.isEmpty, words.needed.isEmpty || once(in: 2) {
            let asked = pick(words.maybe)
            if once(in: 2) {
                return Asked("!(\(asked.text))", making: { !asked.column($0) }) { !(asked.value($0, $1) ?? false) }
            }
            let other = condition(entity, draw.inner)
            return Asked(
                "(\(asked.text) || \(other.text))", making: { asked.column($0) || other.column($0) }
            ) { (asked.value($0, $1) ?? false) || other.value($0, $1) }
        }
        if !words.needed.isEmpty { return pick(words.needed) }
        guard let one = E.ones.isEmpty ? nil : pick(E.ones) else { return comparison(entity, draw) }
        // A condition on another row, which is nil where there is none.
        let asked = one.maybe(Bool.self, &self, draw.inner)
        return Asked("(\(asked.text)) == true", making: { asked.column($0) == true }) { asked.value($0, $1) == true }
    }

    // MARK: - Texts

    private mutating func text<E: DrawnEntity>(_ entity: E.Type, _ draw: Draw) -> Asked<E, Bool> {
        let (asked, needle) = (maybe(String.self, entity, draw.inner), String.draw(&self))
        // Or another text of the row.
        let other = once(in: 3) ? needed(String.self, entity, draw.inner) : nil
        let condition = TextCondition.allCases[number(0...3)]
        let ignoringCase = condition == .equalsIgnoringCase || once(in: 3)
        return Asked(
            "\(asked.text).\(condition)(\(other?.text ?? needle), \(ignoringCase))",
            making: { row in
                guard let other else { return condition.making(asked.column(row), needle, ignoringCase) }
                return condition.making(asked.column(row), other.column(row), ignoringCase)
            }
        ) { entity, world in
            func folded(_ text: String) -> [UInt8] {
                Array((ignoringCase ? text.uppercased().lowercased() : text).utf8)
            }
            let needle = folded(other?.value(entity, world) ?? needle)
            return asked.value(entity, world).map { condition.holds(folded($0), needle) } ?? false
        }
    }

    // MARK: - Queries inside

    private mutating func inQuery<E: DrawnEntity>(_ entity: E.Type, _ draw: Draw) -> Asked<E, Bool> {
        let other = pick(entities)
        if once(in: 2) { return inQuery(of: other, Int.self, entity, draw) }
        return inQuery(of: other, Date.self, entity, draw)
    }

    private mutating func inQuery<E: DrawnEntity, P: DrawnEntity, K: Kind>(
        of other: P.Type, _ kind: K.Type, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Bool> {
        let shape = Shape<P>(&self, depth: 1)
        let (asked, sure) = (maybe(kind, entity, draw.inner), needed(kind, entity, draw.inner))
        let (values, sures) = (maybe(kind, other, Draw(depth: 1)), needed(kind, other, Draw(depth: 1)))
        let query = shape.apply(storage.query(P.self))
        let selected = "\(P.self) \(shape.text)"
        switch number(0...2) {
        case 0:
            return Asked(
                "\(asked.text).in(\(selected) \(values.text))",
                making: { asked.column($0).in(query.select { values.column($0) }) }
            ) { entity, world in
                shape.apply(world[P.self], world).contains {
                    Relation.equal.holds(values.value($0, world), asked.value(entity, world))
                }
            }
        case 1:
            return Asked(
                "\(sure.text).in(\(selected) \(sures.text))",
                making: { sure.column($0).in(query.select { sures.column($0) }) }
            ) { entity, world in
                shape.apply(world[P.self], world).contains {
                    Relation.equal.holds(sures.value($0, world), sure.value(entity, world))
                }
            }
        default:
            return Asked(
                "\(asked.text).in(\(selected) \(sures.text))",
                making: { asked.column($0).in(query.select { sures.column($0) }) }
            ) { entity, world in
                shape.apply(world[P.self], world).contains {
                    Relation.equal.holds(sures.value($0, world), asked.value(entity, world))
                }
            }
        }
    }
}

extension [UInt8] {
    /// Whether other bytes are in these.
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        count >= other.count && (0...(count - other.count)).contains { self[$0...].starts(with: other) }
    }
}

/// What a text has to do with another.
private enum TextCondition: CaseIterable {
    case contains, hasPrefix, hasSuffix, equalsIgnoringCase

    func making(_ text: Column<String?>, _ needle: String, _ ignoringCase: Bool) -> Predicate {
        switch self {
        case .contains: text.contains(needle, ignoringCase: ignoringCase)
        case .hasPrefix: text.hasPrefix(needle, ignoringCase: ignoringCase)
        case .hasSuffix: text.hasSuffix(needle, ignoringCase: ignoringCase)
        case .equalsIgnoringCase: text.equalsIgnoringCase(needle)
        }
    }

    func making(_ text: Column<String?>, _ needle: Column<String>, _ ignoringCase: Bool) -> Predicate {
        switch self {
        case .contains: text.contains(needle, ignoringCase: ignoringCase)
        case .hasPrefix: text.hasPrefix(needle, ignoringCase: ignoringCase)
        case .hasSuffix: text.hasSuffix(needle, ignoringCase: ignoringCase)
        case .equalsIgnoringCase: text.equalsIgnoringCase(needle)
        }
    }

    func holds(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        switch self {
        case .contains: text.contains(needle)
        case .hasPrefix: text.starts(with: needle)
        case .hasSuffix: text.reversed().starts(with: needle.reversed())
        case .equalsIgnoringCase: text == needle
        }
    }
}
