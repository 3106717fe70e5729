import StorageKit

extension ContactBook {
    /// The contacts now and after each change, also one that another process made. Equal lists follow each
    /// other once only.
    ///
    /// `observeAll` hears of the commits of this process. SQLite does not tell of another's, but counts them:
    /// `PRAGMA data_version` of a connection changes when somebody else has committed. So a second task asks
    /// for it now and then. Both only say that something changed; one loop reads, so that an older list never
    /// comes behind a newer one.
    package func changes(
        pollingEvery interval: Duration = .milliseconds(200)
    ) -> AsyncThrowingStream<[Contact], any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await follow(every: interval, continuation)
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error is CancellationError ? nil : error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(
        every interval: Duration, _ continuation: AsyncThrowingStream<[Contact], any Error>.Continuation
    ) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Asked before the first list is read: a commit between the two is then seen as a change.
        let version = try await dataVersion()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in storage.observeAll(Contact.self) { signal.yield() }
            }
            group.addTask {
                try await poll(since: version, every: interval) { signal.yield() }
            }
            group.addTask {
                var last: [Contact]?
                for await _ in signals {
                    let contacts = try await storage.all(Contact.self)
                    if contacts == last { continue }
                    last = contacts
                    continuation.yield(contacts)
                }
            }
            // `waitForAll` would wait for the others after an error too, which do not end by themselves.
            while try await group.next() != nil {}
        }
    }

    private func poll(since version: Int, every interval: Duration, _ changed: () -> Void) async throws {
        var known = version
        while true {
            try await Task.sleep(for: interval)
            let version = try await dataVersion()
            guard version != known else { continue }
            known = version
            changed()
        }
    }

    /// A number that changes with each commit of another connection. Asked of the writer, so that the commits
    /// of this process do not count.
    private func dataVersion() async throws -> Int {
        try await context.storage.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
        }
    }
}
