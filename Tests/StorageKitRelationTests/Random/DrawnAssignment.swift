import StorageKit

/// A new value of a column, and what the column has to hold then.
struct DrawnAssignment<E: DrawnEntity>: Sendable {
    let text: String
    /// Whether a row has the place that is set: what is inside of JSON that is not there, an update passes over.
    var touches: @Sendable (E) -> Bool = { _ in true }
    let make: @Sendable (ColumnRef<E>) -> ColumnAssignment
    /// What a row that was like this becomes.
    let expected: @Sendable (E, World) -> String
    let shown: @Sendable (E) -> String
}

extension DrawnAssignment {
    /// One of a column that may be set; nil if the entity has none of some type.
    init?(_ maker: inout Maker) {
        // Few entities have JSON.
        if maker.once(in: 2), let drawn = E.assignmentOfJSON(&maker) {
            self = drawn
            return
        }
        let drawn: DrawnAssignment? =
            switch maker.number(0...6) {
            case 6: DrawnAssignment(UInt64.self, &maker)
            case 0: DrawnAssignment(Int.self, &maker)
            case 1: DrawnAssignment(Double.self, &maker)
            case 2: DrawnAssignment(Decimal.self, &maker)
            case 3: DrawnAssignment(String.self, &maker)
            case 4: DrawnAssignment(Date.self, &maker)
            default: DrawnAssignment(Bool.self, &maker)
            }
        guard let drawn else { return nil }
        self = drawn
    }

    private init?<K: Kind>(_ kind: K.Type, _ maker: inout Maker) {
        let words = E.settable[kind]
        let (value, sure) = (K.draw(&maker), maker.needed(K.self, E.self, Draw(depth: 2, isExact: true)))
        if !words.needed.isEmpty, words.maybe.isEmpty || maker.once(in: 2) {
            let column = maker.pick(words.needed)
            self.init(column, maker.once(in: 3) ? .value(value) : .expression(sure))
        } else if !words.maybe.isEmpty {
            let column = maker.pick(words.maybe)
            let asked = maker.maybe(K.self, E.self, Draw(depth: 2, isExact: true))
            switch maker.number(0...3) {
            case 0: self.init(column, .value(maker.maybe(value)))
            case 1:
                self.init(
                    text: "\(column.text) = \(sure.text)", make: { column.column($0).set(to: sure.column($0)) },
                    expected: { sure.value($0, $1).shown }, shown: { column.value($0, World()).shown })
            default: self.init(column, .expression(asked))
            }
        } else {
            return nil
        }
    }

    private enum NewValue<T: ColumnValue & Shown> {
        case value(T)
        case expression(Asked<E, T>)
    }

    private init<T: ColumnValue & Shown>(_ column: Asked<E, T>, _ value: NewValue<T>) {
        shown = { column.value($0, World()).shown }
        switch value {
        case .value(let value):
            text = "\(column.text) = \(value.shown)"
            make = { column.column($0).set(to: value) }
            expected = { _, _ in value.shown }
        case .expression(let asked):
            text = "\(column.text) = \(asked.text)"
            make = { column.column($0).set(to: asked.column($0)) }
            expected = { asked.value($0, $1).shown }
        }
    }
}
