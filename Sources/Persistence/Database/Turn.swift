/// The right to use a level of a connection alone, for a statement, a walk or a transaction.
final class Turn: Sendable {
    /// The turns that the current task holds, on whatever database, or that the task had which started it.
    @TaskLocal static var ofTask: [Turn] = []

    var isOfTask: Bool { Turn.ofTask.contains { $0 === self } }

    /// Runs the closure of a transaction or walk: what it calls knows of the turn.
    func during<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
    ) async rethrows -> T {
        try await Turn.$ofTask.withValue(Turn.ofTask + [self], operation: body, isolation: isolation)
    }
}
