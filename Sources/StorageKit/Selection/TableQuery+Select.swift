extension TableQuery {
    /// Asks for one column.
    ///
    /// ```swift
    /// let names = try await storage.query(User.self).select(\.name).fetch()
    /// // SELECT "name" FROM "users"
    /// ```
    ///
    /// - Parameter column: The column.
    public func select<R, T: Sendable>(_ column: KeyPath<ColumnRef<R>, Column<T>>) -> Selection<E, T>
    where Given == ColumnRef<R> {
        selecting { $0[keyPath: column]._selected }
    }
}

// MARK: - Groups

extension TableQuery {
    /// Makes one row of all that match.
    ///
    /// ```swift
    /// let ages = storage.query(User.self).aggregate { ($0.count(), $0.max(\.age)) }
    /// // SELECT COUNT(*), MAX("age") FROM "users"
    /// let (count, eldest) = try await ages.fetchOne()!
    /// joined.aggregate { reminder, person in (reminder.count(), person.count(distinct: \.name)) }
    /// // SELECT COUNT(*), COUNT(DISTINCT "persons"."name") FROM "reminders" JOIN "persons" ON ...
    /// ```
    ///
    /// A limit and an offset count: only the rows that they leave are put together. In a join, `count()` of the first table and of those
    /// behind `join` counts combinations; behind `leftJoin` it counts those that have a row of the table.
    ///
    /// - Parameter selection: Builds what the row gives: aggregates, and what is calculated from them.
    public func aggregate<each S: Selectable>(
        _ selection: (Grouped) -> (repeat each S)
    ) -> OneRow<E, (repeat (each S).Value)> where repeat (each S).Value: Sendable {
        OneRow(selection: Groups(self, by: []).select(selection))
    }

    /// Makes one value of all that match, or a ``StorageSelection()`` struct.
    ///
    /// ```swift
    /// storage.query(User.self).aggregate { $0.avg(\.age) }
    /// // SELECT AVG("age") FROM "users"
    /// ```
    ///
    /// - Parameter selection: Builds it: an aggregate, or what is calculated from some.
    @_disfavoredOverload
    public func aggregate<S: Selectable>(_ selection: (Grouped) -> S) -> OneRow<E, S.Value> where S.Value: Sendable {
        OneRow(selection: Groups(self, by: []).select(selection))
    }

    /// Puts rows together that have the same values in some columns. Two nils are the same.
    ///
    /// ```swift
    /// storage.query(User.self).group(by: \.city).select { ($0.city, $0.count()) }
    /// // SELECT "city", COUNT(*) FROM "users" GROUP BY "city"
    /// ```
    ///
    /// - Parameters:
    ///   - key: The first column.
    ///   - more: The others.
    public func group<R, F, each K>(
        by key: KeyPath<ColumnRef<R>, Column<F>>, _ more: repeat KeyPath<ColumnRef<R>, Column<each K>>
    ) -> Groups<E, Grouped> where Given == ColumnRef<R> {
        group { ($0[keyPath: key], repeat $0[keyPath: each more]) }
    }

    /// Puts rows together that have the same values of some expressions. Two nils are the same.
    ///
    /// ```swift
    /// storage.query(User.self).group { ($0.city, $0.age / 10) }.select { ($0.city, $0.age / 10, $0.count()) }
    /// // SELECT "city", "age" / ?, COUNT(*) FROM "users" GROUP BY "city", "age" / ?
    /// ```
    ///
    /// - Parameter keys: Builds the expressions.
    public func group<F, each K>(
        _ keys: (Given) -> (Column<F>, repeat Column<each K>)
    ) -> Groups<E, Grouped> {
        grouped { .of($0, keys) }
    }

    /// Puts rows together that have the same value of an expression. Two nils are the same.
    ///
    /// - Parameter key: Builds the expression.
    @_disfavoredOverload
    public func group<K>(_ key: (Given) -> Column<K>) -> Groups<E, Grouped> {
        grouped { [key($0).node] }
    }

    /// Puts rows together that refer to the same row, or have the same entity. Each of its columns has then one value.
    ///
    /// ```swift
    /// storage.query(Reminder.self).group(by: \.list).select { ($0.list.title, $0.count()) }
    /// // SELECT "list"."title", COUNT(*) FROM "reminders" JOIN ... GROUP BY "reminders"."listId"
    /// ```
    ///
    /// - Parameter relation: The row that they refer to.
    public func group<R, P>(by relation: KeyPath<ColumnRef<R>, ToOne<P>>) -> Groups<E, Grouped>
    where Given == ColumnRef<R> {
        grouped { [$0[keyPath: relation].key] }
    }

    /// Puts rows together that refer to the same row, and those that refer to none.
    ///
    /// - Parameter relation: The row that they may refer to.
    public func group<R, P>(by relation: KeyPath<ColumnRef<R>, OptionalToOne<P>>) -> Groups<E, Grouped>
    where Given == ColumnRef<R> {
        grouped { [$0[keyPath: relation].key] }
    }

    private func grouped(by keys: (Given) -> [ExpressionNode]) -> Groups<E, Grouped> {
        var query = self
        let keys = keys(given(&query._question.plan))
        query._question.plan.refuseUnclearColumns(in: keys)
        return Groups(query, by: keys)
    }
}
