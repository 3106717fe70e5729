/// Looks for commits of other connections and processes as long as it lives. A look costs nanoseconds. Where the log's index could not
/// be opened yet, it tries to open it instead, once a second.
final class CommitWatch: Sendable {
    private let task: Task<Void, Never>

    init(hub: ChangeHub) {
        task = Task.detached { [weak hub] in
            while !Task.isCancelled {
                let interval = hub?.knowsStates == false ? CommitWatch.searchInterval : CommitWatch.interval
                try? await Task.sleep(for: interval, tolerance: interval / 4)
                hub?.lookForIndex()
                hub?.catchUp()
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Streams have values of other processes within a tenth of a second, of which reading them may take a part.
    private static let interval = Duration.milliseconds(30)
    private static let searchInterval = Duration.seconds(1)
}
