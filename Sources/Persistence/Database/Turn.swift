import Synchronization

/// The right to use a level of a connection alone, for a statement, a walk or a transaction.
final class Turn: Sendable {
    /// The turns that the closures hold in which the current task is, or was started, on whatever database, each with the number of the task
    /// that runs the closure. Some may be over.
    @TaskLocal static var ofClosures: [(turn: Turn, task: Int?)] = []

    /// Whether the closure that held it has returned.
    private let isOver = Atomic<Bool>(false)

    private static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Whether the current task runs the closure that holds it.
    var isOfTask: Bool { Turn.ofClosures.contains { $0.turn === self && $0.task == Turn.task } }

    /// Whether the current task was started inside the closure that holds it, which may wait for the task.
    var isOfParent: Bool { Turn.ofClosures.contains { $0.turn === self } }

    /// Runs the closure of a transaction or walk: what it calls knows of the turn.
    func during<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        defer { isOver.store(true, ordering: .relaxed) }
        // A task that each closure leaves behind may begin the next one, for as long as the process runs.
        let others = Turn.ofClosures.filter { !$0.turn.isOver.load(ordering: .relaxed) }
        return try await Turn.$ofClosures.withValue(
            others + [(self, Turn.task)], operation: body, isolation: isolation)
    }
}
