import Dispatch
public import GRDB

/// Makes an `AsyncStream` of a `ValueObservation` of GRDB, for apps that have some.
///
/// StorageKit's own streams do not go this way: they read less, and see commits of other processes.
public enum ObservationBridge: Sendable {
    /// A stream of an observation's values. It ends with the observation's first error, as GRDB does.
    ///
    /// ```swift
    /// let names = ValueObservation.tracking { db in try String.fetchAll(db, sql: "SELECT name FROM users") }
    /// for await list in ObservationBridge.stream(names, in: context.storage.pool) { show(list) }
    /// ```
    ///
    /// - Parameters:
    ///   - observation: What to observe.
    ///   - reader: The database.
    ///   - bufferingPolicy: How many values wait for a slow consumer.
    ///   - onError: Called with the error that ends the observation.
    public static func stream<Reducer: ValueReducer>(
        _ observation: ValueObservation<Reducer>, in reader: any DatabaseReader,
        bufferingPolicy: AsyncStream<Reducer.Value>.Continuation.BufferingPolicy = .bufferingNewest(1),
        onError: ErrorHandler? = nil
    ) -> AsyncStream<Reducer.Value> where Reducer.Value: Sendable {
        AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
            // One value after the other: on a concurrent queue an older one may overtake the newest.
            let queue = DispatchQueue(label: "StorageKit.ObservationBridge")
            let cancellable = observation.start(
                in: reader, scheduling: .async(onQueue: queue),
                onError: { error in
                    onError?(error)
                    continuation.finish()
                },
                onChange: { continuation.yield($0) })
            continuation.onTermination = { _ in cancellable.cancel() }
        }
    }
}
