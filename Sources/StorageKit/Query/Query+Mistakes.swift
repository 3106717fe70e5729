// None of these is ever there. They give the compiler words, and a place, for what is easily written. Without them it solves the whole chain
// again behind a `where` of some terms, and gives up. Where code is right they cost nothing.

// MARK: - Names that others have

extension TableQuery {
    /// Never there.
    @available(*, unavailable, renamed: "where(_:)")
    public func filter(_ predicate: (Given) -> any PredicateConvertible) -> Self { self }

    /// Never there.
    @available(*, unavailable, renamed: "orderBy(_:_:)")
    public func order<R, T>(by column: KeyPath<ColumnRef<R>, Column<T>>, _ order: SortOrder = .ascending) -> Self
    where Given == ColumnRef<R> { self }

    /// Never there.
    @available(*, unavailable, renamed: "orderBy(_:_:)")
    public func sorted<R, T>(by column: KeyPath<ColumnRef<R>, Column<T>>, _ order: SortOrder = .ascending) -> Self
    where Given == ColumnRef<R> { self }

    /// Never there: the direction as `Storage.all(_:orderBy:ascending:)` has it.
    @available(*, unavailable, message: "the direction is a word of its own: 'orderBy(\\.name, .descending)'")
    public func orderBy<R, T>(_ column: KeyPath<ColumnRef<R>, Column<T>>, ascending: Bool) -> Self
    where Given == ColumnRef<R> { self }
}

// MARK: - What is no condition, no number, no relation

extension Query {
    /// Never there: a text, a Bool or a number in place of a condition.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a condition is made of columns, as '$0.age > 3'; 'Column<Bool>(true)' always holds, 'Column<Bool>(sql:)' takes SQL"
    )
    public func `where`<T>(_ predicate: () -> T) -> Query<E> { self }

    /// Never there: the column has no numbers, or a name that is no column's.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of numbers of this name")
    public func sum<T>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> Int { 0 }

    /// Never there: the column has no numbers, or a name that is no column's.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of numbers of this name")
    public func avg<T>(_ column: KeyPath<ColumnRef<E>, Column<T>>) async throws -> Double? { nil }

    /// Never there: a column, or a name that is nothing's.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no relation of this name")
    public func including<T>(_ relation: KeyPath<ColumnRef<E>, Column<T>>) -> Query<E> { self }
}
