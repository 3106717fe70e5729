import StorageKit

extension Maker {
    /// Two to four tables side by side.
    mutating func join<E: DrawnEntity>(_ entity: E.Type) -> any DrawnSelection {
        let other = pick(entities)
        return pairs(entity, other)
    }

    private mutating func pairs<E: DrawnEntity, P: DrawnEntity>(_: E.Type, _: P.Type) -> any DrawnSelection {
        let drawn = Drawn<E>(&self, depth: 1)
        let first = Side<ColumnRef<E>, Rows<E>, E>(index: 0, place: .needed({ $0 }, { $0 }))
        let (on, isLeft) = (Meeting<ColumnRef<E>, P>.draw([first], isNarrow: false, &self), once(in: 2))
        let rows = on.joined(drawn.rows.map { [$0] }, drawn.world, isLeft: isLeft)
        let text = "\(drawn.text).\(isLeft ? "leftJoin" : "join")(\(P.self)) { \(on.text) }"
        let orders = drawn.isSorted ? [order(of: drawn.rows)] : []
        guard isLeft else {
            var join = DrawnJoin(
                text, drawn.query.join(P.self) { on.make($0, $1) }, rows,
                [
                    first.lifted({ $0.0 }, { $0.0 }),
                    Side<(ColumnRef<E>, ColumnRef<P>), (Rows<E>, Rows<P>), P>(
                        index: 1, place: .needed({ $0.1 }, { $0.1 })),
                ], drawn.world, orders
            ) { "\(id(of: $0.0)) \(id(of: $0.1))" }
            join.addSteps(&self)
            return further(join)
        }
        var join = DrawnJoin(
            text, drawn.query.leftJoin(P.self) { on.make($0, $1) }, rows,
            [
                first.lifted({ $0.0 }, { $0.0 }),
                Side<(ColumnRef<E>, OptionalToOne<P>), (Rows<E>, OptionalRows<P>), P>(
                    index: 1, place: .optional({ $0.1 }, { $0.1 })),
            ], drawn.world, orders
        ) { "\(id(of: $0.0)) \(id(of: $0.1))" }
        join.addSteps(&self)
        return further(join)
    }

    /// The order that rows stand in already.
    private func order<E: DrawnEntity>(of rows: [E]) -> (SideBySide, SideBySide) -> Bool? {
        let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id.shown, $0) })
        return { first, second in
            let (one, other) = (places[first[0].idText] ?? 0, places[second[0].idText] ?? 0)
            return one == other ? nil : one < other
        }
    }

    private mutating func further<E, A, B>(_ two: DrawnJoin<E, TwoRows<A, B>>) -> any DrawnSelection {
        guard once(in: 3), two.rows.count < 150 else { return two.finished(&self) }
        let other = pick(entities)
        return triples(two, other)
    }

    private mutating func triples<E, A, B, P: DrawnEntity>(
        _ two: DrawnJoin<E, TwoRows<A, B>>, _: P.Type
    ) -> any DrawnSelection {
        let (on, isLeft) = (Meeting<(A, B), P>.draw(two.sides, isNarrow: true, &self), once(in: 2))
        let rows = on.joined(two.rows, two.world, isLeft: isLeft)
        let text = "\(two.text).\(isLeft ? "leftJoin" : "join")(\(P.self)) { \(on.text) }"
        guard isLeft else {
            var join = DrawnJoin<E, ThreeRows<A, B, ColumnRef<P>>>(
                text, two.query.join(P.self) { on.make(($0, $1), $2) }, rows,
                two.sides.map { $0.lifted({ ($0.0, $0.1) }, { ($0.0, $0.1) }) } + [
                    Side<(A, B, ColumnRef<P>), (A.Grouped, B.Grouped, Rows<P>), P>(
                        index: 2, place: .needed({ $0.2 }, { $0.2 }))
                ], two.world, two.orders
            ) { "\(id(of: $0.0)) \(id(of: $0.1)) \(id(of: $0.2))" }
            join.addSteps(&self)
            return further(join)
        }
        var join = DrawnJoin<E, ThreeRows<A, B, OptionalToOne<P>>>(
            text, two.query.leftJoin(P.self) { on.make(($0, $1), $2) }, rows,
            two.sides.map { $0.lifted({ ($0.0, $0.1) }, { ($0.0, $0.1) }) } + [
                Side<(A, B, OptionalToOne<P>), (A.Grouped, B.Grouped, OptionalRows<P>), P>(
                    index: 2, place: .optional({ $0.2 }, { $0.2 }))
            ], two.world, two.orders
        ) { "\(id(of: $0.0)) \(id(of: $0.1)) \(id(of: $0.2))" }
        join.addSteps(&self)
        return further(join)
    }

    private mutating func further<E, A, B, C>(_ three: DrawnJoin<E, ThreeRows<A, B, C>>) -> any DrawnSelection {
        guard once(in: 2), three.rows.count < 150 else { return three.finished(&self) }
        let other = pick(entities)
        return quadruples(three, other)
    }

    private mutating func quadruples<E, A, B, C, P: DrawnEntity>(
        _ three: DrawnJoin<E, ThreeRows<A, B, C>>, _: P.Type
    ) -> any DrawnSelection {
        let (on, isLeft) = (Meeting<(A, B, C), P>.draw(three.sides, isNarrow: true, &self), once(in: 2))
        let rows = on.joined(three.rows, three.world, isLeft: isLeft)
        let text = "\(three.text).\(isLeft ? "leftJoin" : "join")(\(P.self)) { \(on.text) }"
        guard isLeft else {
            var join = DrawnJoin<E, FourRows<A, B, C, ColumnRef<P>>>(
                text, three.query.join(P.self) { on.make(($0, $1, $2), $3) }, rows,
                three.sides.map { $0.lifted({ ($0.0, $0.1, $0.2) }, { ($0.0, $0.1, $0.2) }) } + [
                    Side<(A, B, C, ColumnRef<P>), (A.Grouped, B.Grouped, C.Grouped, Rows<P>), P>(
                        index: 3, place: .needed({ $0.3 }, { $0.3 }))
                ], three.world, three.orders
            ) { "\(id(of: $0.0)) \(id(of: $0.1)) \(id(of: $0.2)) \(id(of: $0.3))" }
            join.addSteps(&self)
            return join.finished(&self)
        }
        var join = DrawnJoin<E, FourRows<A, B, C, OptionalToOne<P>>>(
            text, three.query.leftJoin(P.self) { on.make(($0, $1, $2), $3) }, rows,
            three.sides.map { $0.lifted({ ($0.0, $0.1, $0.2) }, { ($0.0, $0.1, $0.2) }) } + [
                Side<(A, B, C, OptionalToOne<P>), (A.Grouped, B.Grouped, C.Grouped, OptionalRows<P>), P>(
                    index: 3, place: .optional({ $0.3 }, { $0.3 }))
            ], three.world, three.orders
        ) { "\(id(of: $0.0)) \(id(of: $0.1)) \(id(of: $0.2)) \(id(of: $0.3))" }
        join.addSteps(&self)
        return join.finished(&self)
    }
}

/// The id of an entity that may be missing.
private func id(of value: some Sendable) -> String { Optional<any Sendable>(value).idText }
