public import StorageRepo

extension Query {
    /// The matching entities, now and after each change that could affect them, each list with what makes it of the one before.
    ///
    /// ```swift
    /// for await change in storage.query(Message.self).orderBy(\.sentAt).observeChanges() {
    ///     apply(change.inserted, change.removed, change.moved, change.updated)
    /// }
    /// ```
    ///
    /// The difference is made when it is taken, between the list that this loop was given last and the newest one: a slow loop gets several
    /// commits as one difference, and none is lost. With the first list everything is inserted. An entity is known by its id, and is
    /// updated if it is not equal to what it was, by `==`; one that was removed and is back in the same commit is updated too. What is read
    /// after a commit is said at ``observe(bufferingPolicy:onError:)``. An error does not end the stream.
    ///
    /// - Parameter onError: Called with each error that ``fetch()`` would throw; nil calls the store's `onObservationError`.
    public func observeChanges(onError: ErrorHandler? = nil) -> AsyncStream<ListChange<E>> {
        observe(onError: onError).changes(key: { $0.id }, isSame: ==) { $0 }
    }
}
