public import StorageRepo

extension RowQuery {
    /// The rows, now and after each change that could affect them, each list with what makes it of the one before.
    ///
    /// A row is known by the id of the entity that it is selected of, one of joined entities by the ids of all, and a group by its keys;
    /// none of them need be selected. It is updated if it is not equal to what it was, by the `==` of rows that have one, or else if any value
    /// is another. What is read after a commit is said at
    /// ``observe(bufferingPolicy:onError:)``, and the rest at ``Query/observeChanges(onError:)``.
    ///
    /// - Parameter onError: Called with each error that ``fetch()`` would throw, and with
    ///   ``StorageError/queryFailed(sql:underlying:)`` for ``Selection/distinct()``, whose rows nobody can tell from others; nil calls the
    ///   store's `onObservationError`.
    public func observeChanges(onError: ErrorHandler? = nil) -> AsyncStream<ListChange<Row>> {
        let rows = _rows
        return rows.repository.live.knownRows(rows.plan, rows.selected).stream(onError: onError)
            .changes(key: { $0.identity }, isSame: { $0.isSame(as: $1) }) { list in list.map { $0.row } }
    }
}
