import StorageKit

/// When a row of one more table stands beside the rows that are joined already.
struct Meeting<Row, Q: DrawnEntity> {
    let text: String
    /// Whether few rows meet.
    let isNarrow: Bool
    let make: (Row, ColumnRef<Q>) -> Predicate
    let holds: (SideBySide, Q, World) -> Bool
}

extension Meeting {
    /// - Parameters:
    ///   - sides: The tables that are joined already.
    ///   - isNarrow: Whether few rows may meet.
    static func draw<Grouped>(
        _ sides: [any DrawnSide<Row, Grouped>], isNarrow: Bool, _ maker: inout Maker
    ) -> Meeting {
        let side = maker.pick(sides)
        let first = compared(side, &maker)
        let own = maker.condition(Q.self, Draw(depth: 1))
        let other = maker.pick(sides).condition(&maker, Draw(depth: 1))
        guard !isNarrow || first.isNarrow else { return draw(sides, isNarrow: isNarrow, &maker) }
        switch maker.number(0...4) {
        case 0:
            return Meeting(text: "\(first.text) && \(own.text)", isNarrow: true) {
                first.make($0, $1) && own.column($1)
            } holds: {
                first.holds($0, $1, $2) && own.value($1, $2)
            }
        case 1:
            return Meeting(text: "\(first.text) && \(other.text)", isNarrow: true) {
                first.make($0, $1) && other.make($0)
            } holds: {
                first.holds($0, $1, $2) && other.holds($0, $2)
            }
        case 2 where !isNarrow:
            return Meeting(text: "\(first.text) || \(own.text)", isNarrow: false) {
                first.make($0, $1) || own.column($1)
            } holds: {
                first.holds($0, $1, $2) || own.value($1, $2)
            }
        default: return first
        }
    }

    private static func compared<Grouped>(
        _ side: some DrawnSide<Row, Grouped>, _ maker: inout Maker
    ) -> Meeting {
        switch maker.number(0...6) {
        case 0: side.meeting(String.self, &maker)
        case 1: side.meeting(Date.self, &maker)
        case 2: side.meeting(Decimal.self, &maker)
        default: side.meeting(Int.self, &maker)
        }
    }

    /// The rows that stand side by side then.
    ///
    /// - Parameter isLeft: Whether those that meet none stay.
    func joined(_ rows: [SideBySide], _ world: World, isLeft: Bool) -> [SideBySide] {
        rows.flatMap { row in
            let met = world[Q.self].filter { holds(row, $0, world) }
            return met.isEmpty && isLeft ? [row + [nil]] : met.map { row + [$0] }
        }
    }
}
