/// Looks for commits of other connections and processes as long as it lives. A look costs nanoseconds.
final class CommitWatch: Sendable {
    private let task: Task<Void, Never>

    init(hub: ChangeHub) {
        task = Task.detached { [weak hub] in
            while !Task.isCancelled {
                try? await Task.sleep(for: CommitWatch.interval, tolerance: CommitWatch.interval / 4)
                hub?.catchUp()
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Streams have values of other processes within a tenth of a second, of which reading them may take a part.
    private static let interval = Duration.milliseconds(30)
}
