/// Waits for a condition that another task brings about, yielding in between.
///
/// - Throws: If it does not come true within ten seconds.
package func untilTrue(isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(10))
    while try !condition() {
        guard clock.now < deadline else { throw NeverTrue() }
        await Task.yield()
    }
}

private struct NeverTrue: Error, CustomStringConvertible {
    let description = "the condition did not come true in time"
}
