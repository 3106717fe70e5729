import StorageKit
import StorageTestSupport

@testable import StorageGRDB

extension DatabaseActor {
    typealias Call = @Sendable () async throws -> Void

    /// Makes calls that write while somebody else has the writer, each when the ones before wait in the line, and then lets them
    /// all go.
    ///
    /// - Parameter whileWaiting: Done when all wait, with their tasks.
    /// - Returns: What came of each.
    func queued(
        _ calls: [Call], whileWaiting: ([Task<Void, any Error>]) async throws -> Void = { _ in }
    ) async throws -> [Result<Void, any Error>] {
        let rest = Rest()
        async let held: Void = withWriter { _ in rest.enter() }
        await rest.begun()
        defer { rest.leave() }
        var tasks: [Task<Void, any Error>] = []
        for call in calls {
            tasks.append(Task { try await call() })
            try await untilTrue { writer.waitingCount == tasks.count }
        }
        try await whileWaiting(tasks)
        rest.leave()
        try? await held
        var results: [Result<Void, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }
}

extension Result where Success == Void {
    var isSuccess: Bool { if case .success = self { true } else { false } }

    /// What a call of a store failed with, as SQLite says it.
    var message: String? {
        guard case .failure(let error) = self else { return nil }
        switch error as? StorageError {
        case .transactionFailed(let underlying): return (underlying as? DatabaseError)?.message ?? "\(underlying)"
        case .constraintViolated(let violation): return violation.message
        default: return "\(error)"
        }
    }
}
