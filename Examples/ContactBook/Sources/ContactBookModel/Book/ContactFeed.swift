import StorageKit

extension ContactBook {
    /// The contacts of ``query(_:)`` now and after each change, also one that another process made. Equal lists
    /// follow each other once only.
    ///
    /// A stream of StorageKit's goes on after an error; this one ends with it.
    package func changes(_ listing: Listing) -> AsyncThrowingStream<[Contact], any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let lists = query(listing).observeDistinct {
                    continuation.finish(throwing: $0)
                }
                for await contacts in lists {
                    // It may have ended before anybody could cancel this.
                    if case .terminated = continuation.yield(contacts) { return }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
