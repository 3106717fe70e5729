public import StorageRepo

extension Query {
    /// Asks for columns, expressions or entities instead of the query's entities.
    ///
    /// ```swift
    /// let rows = try await storage.query(User.self).orderBy(\.name).select { ($0.name, $0.age + 1) }.fetch()
    /// // SELECT "name", "age" + ? FROM "users" ORDER BY "name" ASC
    /// ```
    ///
    /// - Parameter selection: Builds what each row gives: one expression, a tuple of some, `$0` for the entity itself, an embedded
    ///   value, or the columns of a ``StorageSelection()`` struct.
    @inlinable
    public func select<each S: Selectable>(
        _ selection: (ColumnRef<E>) -> (repeat each S)
    ) -> Selection<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        selecting { ._of($0, selection) }
    }

    /// Asks for one expression, for the entity, or for the columns of a ``StorageSelection()`` struct.
    ///
    /// - Parameter selection: Builds what each row gives.
    @_disfavoredOverload
    public func select<S: Selectable>(_ selection: (ColumnRef<E>) -> S) -> Selection<E, S.Value>
    where S.Value: Sendable {
        selecting { selection($0)._selected }
    }

    @usableFromInline
    func selecting<Row: Sendable>(_ selection: (ColumnRef<E>) -> _Selected<Row>) -> Selection<E, Row> {
        var plan = plan
        let selected = selection(ColumnRef(plan.newSource()))
        if !loaded.isEmpty, selected.holdsEntities {
            plan.add(.invalid("entities that are selected have no relations included; select the relation beside them"))
        }
        return Selection(repository, plan, selected)
    }

    /// Asks for one column instead of the query's entities.
    ///
    /// ```swift
    /// let names = try await storage.query(User.self).select(\.name).fetch()
    /// // SELECT "name" FROM "users"
    /// ```
    ///
    /// - Parameter column: The column.
    public func select<T: Sendable>(_ column: KeyPath<ColumnRef<E>, Column<T>>) -> Selection<E, T> {
        selecting { $0[keyPath: column]._selected }
    }

    /// Makes one row of all matching entities.
    ///
    /// ```swift
    /// let ages = storage.query(User.self).aggregate { ($0.count(), $0.max(\.age)) }
    /// // SELECT COUNT(*), MAX("age") FROM "users"
    /// let (count, eldest) = try await ages.fetchOne()!
    /// ```
    ///
    /// A limit and an offset count: only the rows that they leave are put together.
    ///
    /// - Parameter selection: Builds what the row gives: aggregates, and what is calculated from them.
    public func aggregate<each S: Selectable>(
        _ selection: (Rows<E>) -> (repeat each S)
    ) -> OneRow<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Makes one value of all matching entities, or a ``StorageSelection()`` struct.
    ///
    /// ```swift
    /// storage.query(User.self).aggregate { $0.avg(\.age) }
    /// // SELECT AVG("age") FROM "users"
    /// ```
    ///
    /// - Parameter selection: Builds it: an aggregate, or what is calculated from some.
    @_disfavoredOverload
    public func aggregate<S: Selectable>(_ selection: (Rows<E>) -> S) -> OneRow<E, S.Value> where S.Value: Sendable {
        OneRow(selection: groups(plan, by: []).select(selection))
    }

    /// Puts entities together that have the same values in some columns. Two nils are the same.
    ///
    /// ```swift
    /// storage.query(User.self).group(by: \.city).select { ($0.city, $0.count()) }
    /// // SELECT "city", COUNT(*) FROM "users" GROUP BY "city"
    /// ```
    ///
    /// - Parameters:
    ///   - key: The first column.
    ///   - more: The others.
    public func group<F, each K>(
        by key: KeyPath<ColumnRef<E>, Column<F>>, _ more: repeat KeyPath<ColumnRef<E>, Column<each K>>
    ) -> Groups<E, Rows<E>> {
        group { ($0[keyPath: key], repeat $0[keyPath: each more]) }
    }

    /// Puts entities together that have the same values of some expressions. Two nils are the same.
    ///
    /// ```swift
    /// storage.query(User.self).group { ($0.city, $0.age / 10) }.select { ($0.city, $0.age / 10, $0.count()) }
    /// // SELECT "city", "age" / ?, COUNT(*) FROM "users" GROUP BY "city", "age" / ?
    /// ```
    ///
    /// - Parameter keys: Builds the expressions.
    public func group<F, each K>(
        _ keys: (ColumnRef<E>) -> (Column<F>, repeat Column<each K>)
    ) -> Groups<E, Rows<E>> {
        grouped { .of($0, keys) }
    }

    /// Puts entities together that have the same value of an expression. Two nils are the same.
    ///
    /// - Parameter key: Builds the expression.
    @_disfavoredOverload
    public func group<K>(_ key: (ColumnRef<E>) -> Column<K>) -> Groups<E, Rows<E>> {
        grouped { [key($0).node] }
    }

    /// Puts entities together that refer to the same row. Each of its columns has then one value.
    ///
    /// ```swift
    /// storage.query(Reminder.self).group(by: \.list).select { ($0.list.title, $0.count()) }
    /// // SELECT "list"."title", COUNT(*) FROM "reminders" JOIN ... GROUP BY "reminders"."listId"
    /// ```
    ///
    /// - Parameter relation: The row that they refer to.
    public func group<P>(by relation: KeyPath<ColumnRef<E>, ToOne<P>>) -> Groups<E, Rows<E>> {
        grouped { [$0[keyPath: relation].key] }
    }

    /// Puts entities together that refer to the same row, and those that refer to none.
    ///
    /// - Parameter relation: The row that they may refer to.
    public func group<P>(by relation: KeyPath<ColumnRef<E>, OptionalToOne<P>>) -> Groups<E, Rows<E>> {
        grouped { [$0[keyPath: relation].key] }
    }

    private func grouped(by keys: (ColumnRef<E>) -> [ExpressionNode]) -> Groups<E, Rows<E>> {
        var plan = plan
        let keys = keys(ColumnRef(plan.newSource()))
        return groups(plan, by: keys)
    }

    /// - Parameter keys: None where all are one group.
    private func groups(_ plan: QueryPlan, by keys: [ExpressionNode]) -> Groups<E, Rows<E>> {
        Groups(repository, plan.grouped(by: keys)) { Rows($0[0]) }
    }
}
