import StorageKit

extension Maker {
    /// Groups, or all rows as one.
    mutating func groups<E: DrawnEntity>(_ entity: E.Type) -> any DrawnSelection {
        once(in: 3)
            ? oneRow(ofAll(Int.self, entity), ofAll(Date.self, entity), ofAllNumbers(entity))
            : groups(phrase(entity, depth: 1), phrase(entity, depth: 0), once(in: 2))
    }

    private mutating func oneRow<E: DrawnEntity, A: Kind, B: Kind>(
        _ first: AskedOfGroup<E, A?>, _ second: AskedOfGroup<E, B?>, _ third: some NumberOfGroup<E>
    ) -> any DrawnSelection {
        let third = third.asked
        let (drawn, count) = (Drawn<E>(&self, depth: 2), count(entity: E.self))
        let (rows, world) = (drawn.rows, drawn.world)
        let row =
            "\(first.value(rows, world).shown) \(second.value(rows, world).shown) "
            + "\(third.value(rows, world).shown) \(count.value(rows, world))"
        return SelectionOf(
            "\(drawn.text).aggregate(\(first.text), \(second.text), \(third.text), \(count.text))",
            drawn.query.aggregate { (first.column($0), second.column($0), third.column($0), count.column($0)) }
                .selection,
            rows: [row], isSorted: true
        ) { "\($0.0.shown) \($0.1.shown) \($0.2.shown) \($0.3)" }
    }

    /// Groups by one key or by two.
    private mutating func groups<E: DrawnEntity>(
        _ first: some Phrase<E>, _ second: some Phrase<E>, _ isTwo: Bool
    ) -> any DrawnSelection {
        let (first, second) = (first.asked, second.asked)
        let drawn = Drawn<E>(&self, depth: 2, sorted: once(in: 3) ? true : false)
        // An order of the rows would be one of groups: only rows that a limit left have done with it.
        let isLeft = drawn.query.plan.limit != nil || drawn.query.plan.offset != nil
        let base = drawn.isSorted && !isLeft ? drawn.query.limit(1000) : drawn.query
        let sums = (ofAll(Int.self, E.self), count(entity: E.self))
        let least = number(0...3)
        let having = (condition: condition(E.self, Draw(depth: 1)), isSet: once(in: 2))
        let world = drawn.world
        let parts = Dictionary(grouping: drawn.rows) { row in
            "\(first.value(row, world).shown) \(isTwo ? second.value(row, world).shown : "")"
        }.values.filter { rows in
            !having.isSet || rows.count { having.condition.value($0, world) } >= least
        }
        let grouped = isTwo ? base.group { (first.column($0), second.column($0)) } : base.group(by: first.path)
        let filtered =
            having.isSet
            ? grouped.having { $0.count { having.condition.column($0) } >= least } : grouped
        var text = "\(drawn.text).group(\(first.text)\(isTwo ? ", \(second.text)" : ""))"
        if having.isSet { text += ".having { count { \(having.condition.text) } >= \(least) }" }
        text += ".select(key, \(sums.0.text), \(sums.1.text))"
        // Sorted by an aggregate, then by the keys, so that a window is the same in both.
        let window = once(in: 2) ? (limit: number(0...4), offset: number(0...2)) : nil
        let order: SortOrder = once(in: 2) ? .ascending : .descending
        let isSorted = window != nil || once(in: 2)
        var (groups, expected) = (filtered, Array(parts))
        if isSorted {
            text += ".orderBy(\(sums.0.text) \(order), keys) \(window.map { "\($0)" } ?? "")"
            groups = groups.orderBy({ sums.0.column($0) }, order).orderBy(first.path)
            if isTwo { groups = groups.orderBy(second.path) }
            expected.sort { left, right in
                let byKeys =
                    order.comesFirst(sums.0.value(left, world), sums.0.value(right, world))
                    ?? SortOrder.ascending.comesFirst(any: first.value(left[0], world), first.value(right[0], world))
                    ?? SortOrder.ascending.comesFirst(any: second.value(left[0], world), second.value(right[0], world))
                return byKeys ?? false
            }
        }
        if let window {
            groups = groups.limit(window.limit).offset(window.offset)
            expected = Array(expected.dropFirst(window.offset).prefix(window.limit))
            if once(in: 3) {
                text += ".having { count { \(having.condition.text) } < \(least) }"
                groups = groups.having { $0.count { having.condition.column($0) } < least }
                expected = expected.filter { rows in rows.count { having.condition.value($0, world) } < least }
            }
        }
        return SelectionOf(
            text,
            groups.select { ($0[dynamicMember: first.path], sums.0.column($0), sums.1.column($0)) },
            rows: expected.map { rows in
                "\(first.value(rows[0], world).shown) \(sums.0.value(rows, world).shown) \(sums.1.value(rows, world))"
            }, isSorted: isSorted
        ) { "\($0.0.shown) \($0.1.shown) \($0.2)" }
    }
}

/// A number that is made of a group.
private protocol NumberOfGroup<E> {
    associatedtype E: DrawnEntity
    associatedtype T: Shown & ColumnValue
    var asked: AskedOfGroup<E, T> { get }
}

private struct SumOfGroup<E: DrawnEntity, K: Kind>: NumberOfGroup {
    let asked: AskedOfGroup<E, K>
}

/// One that is nil of nothing.
private struct MeanOfGroup<E: DrawnEntity, K: Kind>: NumberOfGroup {
    let asked: AskedOfGroup<E, K?>
}

// MARK: - Aggregates

extension Maker {
    private mutating func ofAllNumbers<E: DrawnEntity>(_ entity: E.Type) -> any NumberOfGroup<E> {
        switch number(0...6) {
        case 0: SumOfGroup(asked: sum(Int.self, entity))
        case 1: SumOfGroup(asked: sum(Double.self, entity))
        case 2: SumOfGroup(asked: sum(UInt64.self, entity))
        case 3: MeanOfGroup(asked: mean(Decimal.self, entity))
        case 4: MeanOfGroup(asked: mean(UInt64.self, entity))
        case 5: MeanOfGroup(asked: ofAll(UInt64.self, entity))
        default: SumOfGroup(asked: sum(Decimal.self, entity))
        }
    }

    private mutating func sum<E: DrawnEntity, K: NumberKind>(_ kind: K.Type, _ entity: E.Type) -> AskedOfGroup<E, K> {
        let (asked, which) = (maybe(kind, entity, Draw(depth: 1, isExact: true)), condition(entity, Draw(depth: 1)))
        let isFiltered = once(in: 2)
        return AskedOfGroup(text: "sum(\(asked.text)) \(isFiltered ? which.text : "")") { rows in
            isFiltered ? rows.sum(asked.path) { which.column($0) } : rows.sum { asked.column($0) }
        } value: { rows, world in
            rows.filter { !isFiltered || which.value($0, world) }.reduce(0) { $0 + (asked.value($1, world) ?? 0) }
        }
    }

    private mutating func mean<E: DrawnEntity, K: NumberKind>(
        _ kind: K.Type, _ entity: E.Type
    ) -> AskedOfGroup<E, K.Mean?> {
        let (asked, which) = (maybe(kind, entity, Draw(depth: 1, isExact: true)), condition(entity, Draw(depth: 1)))
        return AskedOfGroup(text: "avg(\(asked.text)) { \(which.text) }") { rows in
            rows.avg(asked.path) { which.column($0) }
        } value: { rows, world in
            let values = rows.filter { which.value($0, world) }.compactMap { asked.value($0, world) }
            return values.isEmpty ? nil : K.mean(values.reduce(0, +), values.count)
        }
    }

    private mutating func count<E: DrawnEntity>(entity: E.Type) -> AskedOfGroup<E, Int> {
        let (asked, which) = (maybe(Decimal.self, entity, Draw(depth: 1)), condition(entity, Draw(depth: 1)))
        switch number(0...3) {
        case 0:
            return AskedOfGroup(text: "count") {
                $0.count()
            } value: { rows, _ in
                rows.count
            }
        case 1:
            return AskedOfGroup(text: "count { \(which.text) }") {
                $0.count { which.column($0) }
            } value: { rows, world in
                rows.count { which.value($0, world) }
            }
        case 2:
            return AskedOfGroup(text: "count(\(asked.text))") {
                $0.count(asked.path)
            } value: { rows, world in
                rows.count { asked.value($0, world) != nil }
            }
        default:
            return AskedOfGroup(text: "count(distinct: \(asked.text)) { \(which.text) }") {
                $0.count(distinct: { asked.column($0) }, where: { which.column($0) })
            } value: { rows, world in
                Set(rows.filter { which.value($0, world) }.compactMap { asked.value($0, world)?.shown }).count
            }
        }
    }

    /// The least, the greatest, or one of two aggregates.
    private mutating func ofAll<E: DrawnEntity, K: Kind>(_ kind: K.Type, _ entity: E.Type) -> AskedOfGroup<E, K?> {
        let (asked, which) = (maybe(kind, entity, Draw(depth: 1)), condition(entity, Draw(depth: 1)))
        let isLeast = once(in: 2)
        let one = AskedOfGroup<E, K?>(text: "\(isLeast ? "min" : "max")(\(asked.text)) { \(which.text) }") { rows in
            isLeast
                ? rows.min(of: { asked.column($0) }, where: { which.column($0) })
                : rows.max(asked.path) { which.column($0) }
        } value: { rows, world in
            let values = rows.filter { which.value($0, world) }.compactMap { asked.value($0, world) }
            return isLeast ? values.min(by: K.isLess) : values.max(by: K.isLess)
        }
        guard once(in: 2) else { return one }
        let other = maybe(kind, entity, Draw(depth: 0))
        return AskedOfGroup(text: "(\(one.text) ?? max(\(other.text)))") {
            one.column($0) ?? $0.max(other.path)
        } value: { rows, world in
            one.value(rows, world) ?? rows.compactMap { other.value($0, world) }.max(by: K.isLess)
        }
    }
}
