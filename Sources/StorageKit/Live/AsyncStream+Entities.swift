public import StorageRepo

extension AsyncStream {
    /// The same lists with those entities only that meet a condition. Where the condition can be said of columns,
    /// ``Query/observe(bufferingPolicy:onError:)`` reads less.
    ///
    /// - Parameter isIncluded: Whether to keep an entity.
    public func filter<E: StorageKitEntity>(
        _ isIncluded: @escaping @Sendable (E) -> Bool
    ) -> AsyncMapSequence<AsyncStream<Element>, [E]> where Element == [E] {
        map { $0.filter(isIncluded) }
    }
}
