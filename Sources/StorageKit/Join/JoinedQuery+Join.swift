public import StorageRepo

// Each number of tables has a type of its own, and so its own `join`.

extension JoinedQuery {
    /// Puts rows of a third entity beside each: a row for each combination that meets a condition.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, whether they belong together.
    public func join<P: RegisteredEntity, A, B>(
        _ other: P.Type, on condition: (A, B, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, ThreeRows<A, B, ColumnRef<P>>> where Rows == TwoRows<A, B> {
        JoinedQuery<E, ThreeRows<A, B, ColumnRef<P>>>(
            repository, joined(isOptional: false) { row, other in condition(row.0, row.1, other) })
    }

    /// Puts rows of a third entity beside each, and keeps a row that has none.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, which is there, whether they belong together.
    public func leftJoin<P: RegisteredEntity, A, B>(
        _ other: P.Type, on condition: (A, B, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, ThreeRows<A, B, OptionalToOne<P>>> where Rows == TwoRows<A, B> {
        JoinedQuery<E, ThreeRows<A, B, OptionalToOne<P>>>(
            repository, joined(isOptional: true) { row, other in condition(row.0, row.1, other) })
    }

    private func joined<P: RegisteredEntity>(
        isOptional: Bool, _ condition: (Rows.Row, ColumnRef<P>) -> any PredicateConvertible
    ) -> QueryPlan {
        var plan = plan.remaining()
        let row = given(&plan)
        return plan.joined(isOptional: isOptional) { condition(row, $0) }
    }
}

extension QueryPlan {
    /// Rows of another entity beside each of the rows.
    func joined<P: RegisteredEntity>(
        isOptional: Bool, _ condition: (ColumnRef<P>) -> any PredicateConvertible
    ) -> QueryPlan {
        joined(
            to: Join(RecordTable(P.Record.self).source, isOptional: isOptional) {
                condition(ColumnRef($0)).predicate.node
            })
    }
}

extension JoinedQuery {
    /// Puts rows of a fourth entity beside each: a row for each combination that meets a condition.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, whether they belong together.
    public func join<P: RegisteredEntity, A, B, C>(
        _ other: P.Type, on condition: (A, B, C, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, FourRows<A, B, C, ColumnRef<P>>> where Rows == ThreeRows<A, B, C> {
        JoinedQuery<E, FourRows<A, B, C, ColumnRef<P>>>(
            repository, joined(isOptional: false) { row, other in condition(row.0, row.1, row.2, other) })
    }

    /// Puts rows of a fourth entity beside each, and keeps a row that has none.
    ///
    /// - Parameters:
    ///   - other: The other entity.
    ///   - condition: Says of a row of each table, and one of the other entity, which is there, whether they belong together.
    public func leftJoin<P: RegisteredEntity, A, B, C>(
        _ other: P.Type, on condition: (A, B, C, ColumnRef<P>) -> any PredicateConvertible
    ) -> JoinedQuery<E, FourRows<A, B, C, OptionalToOne<P>>> where Rows == ThreeRows<A, B, C> {
        JoinedQuery<E, FourRows<A, B, C, OptionalToOne<P>>>(
            repository, joined(isOptional: true) { row, other in condition(row.0, row.1, row.2, other) })
    }
}
