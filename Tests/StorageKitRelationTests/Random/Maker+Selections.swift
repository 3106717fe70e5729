import StorageKit

@StorageSelection
private struct SomeRow: Sendable {
    let number: Int
    let text: String?
    let isTrue: Bool
}

extension Maker {
    /// A selection of any form.
    mutating func selection<E: DrawnEntity>(_ entity: E.Type) -> any DrawnSelection {
        switch number(0...10) {
        case 8, 9: return join(entity)
        case 10: return statement(entity)
        case 0: return EntitiesOf<E>(&self)
        case 1:
            let one = E.ones.isEmpty ? nil : pick(E.ones)
            return one?.select(Drawn(&self, depth: 2), beside: phrase(entity)) ?? row(entity)
        case 2: return row(entity)
        case 3: return different(phrase(entity))
        case 4: return pair(phrase(entity), phrase(entity))
        case 5: return triple(phrase(entity), phrase(entity), phrase(entity))
        default: return groups(entity)
        }
    }

    /// An expression of any type.
    mutating func phrase<E: DrawnEntity>(_ entity: E.Type, depth: Int = 2) -> any Phrase<E> {
        let draw = Draw(depth: depth)
        switch number(0...11) {
        case 0: return needed(Int.self, entity, draw)
        case 11: return maybe(UInt64.self, entity, draw)
        case 1, 2: return maybe(Int.self, entity, draw)
        case 3: return needed(String.self, entity, draw)
        case 4: return maybe(String.self, entity, draw)
        case 5: return needed(Date.self, entity, draw)
        case 6: return maybe(Date.self, entity, draw)
        case 7: return maybe(Decimal.self, entity, draw)
        case 8: return maybe(Double.self, entity, draw)
        case 9: return maybe(Bool.self, entity, draw)
        default: return condition(entity, draw)
        }
    }

    private mutating func pair<E: DrawnEntity>(
        _ first: some Phrase<E>, _ second: some Phrase<E>
    ) -> any DrawnSelection {
        let (first, second, drawn) = (first.asked, second.asked, Drawn<E>(&self, depth: 2))
        return SelectionOf(
            "\(drawn.text).select(\(first.text), \(second.text))",
            drawn.query.select { (first.column($0), second.column($0)) },
            rows: drawn.rows.map { "\(first.value($0, drawn.world).shown) \(second.value($0, drawn.world).shown)" },
            isSorted: drawn.isSorted
        ) { "\($0.0.shown) \($0.1.shown)" }
    }

    private mutating func triple<E: DrawnEntity>(
        _ first: some Phrase<E>, _ second: some Phrase<E>, _ third: some Phrase<E>
    ) -> any DrawnSelection {
        let (first, second, third, drawn) = (first.asked, second.asked, third.asked, Drawn<E>(&self, depth: 2))
        return SelectionOf(
            "\(drawn.text).select(\(first.text), self, \(second.text), \(third.text))",
            drawn.query.select { (first.column($0), $0, second.column($0), third.column($0)) },
            rows: drawn.rows.map { row in
                let world = drawn.world
                return "\(first.value(row, world).shown) \(row.id.shown) \(second.value(row, world).shown) "
                    + third.value(row, world).shown
            }, isSorted: drawn.isSorted
        ) { "\($0.0.shown) \($0.1.id.shown) \($0.2.shown) \($0.3.shown)" }
    }

    private mutating func row<E: DrawnEntity>(_ entity: E.Type) -> any DrawnSelection {
        let draw = Draw(depth: 2)
        let (number, text) = (needed(Int.self, entity, draw), maybe(String.self, entity, draw))
        let (condition, drawn) = (condition(entity, draw), Drawn<E>(&self, depth: 2))
        return SelectionOf(
            "\(drawn.text).select(SomeRow \(number.text), \(text.text), \(condition.text))",
            drawn.query.select {
                SomeRow.columns(number: number.column($0), text: text.column($0), isTrue: condition.column($0))
            },
            rows: drawn.rows.map { row in
                let world = drawn.world
                return "\(number.value(row, world)) \(text.value(row, world).shown) \(condition.value(row, world))"
            }, isSorted: drawn.isSorted
        ) { "\($0.number) \($0.text.shown) \($0.isTrue)" }
    }

    private mutating func different<E: DrawnEntity>(_ phrase: some Phrase<E>) -> any DrawnSelection {
        let (asked, drawn) = (phrase.asked, Drawn<E>(&self, depth: 2, sorted: false))
        let rows = Set(drawn.rows.map { asked.value($0, drawn.world).shown })
        return SelectionOf(
            "\(drawn.text).select(\(asked.text)).distinct()", drawn.query.select { asked.column($0) }.distinct(),
            rows: Array(rows), isSorted: false
        ) { $0.shown }
    }
}
