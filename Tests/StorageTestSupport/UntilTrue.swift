/// Waits for a condition that another task brings about and that nothing tells of. It looks now and then, and not all the
/// time, since the tasks that the test waits for need the few threads there are.
///
/// - Throws: If it does not come true in time.
package func untilTrue(isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .patience)
    while try !condition() {
        guard clock.now < deadline else { throw NeverTrue() }
        try await Task.sleep(for: .milliseconds(1))
    }
}

private struct NeverTrue: Error, CustomStringConvertible {
    let description = "the condition did not come true in time"
}
