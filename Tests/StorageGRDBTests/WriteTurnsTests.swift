import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Who has the lock of the short writes, and for how long.
@Suite(.timeLimit(.minutes(5))) struct WriteTurnsTests {
    private let turns = WriteTurns()

    private let inside = Counter()

    /// A class, as noncopyable values cannot be captured.
    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    @Test func onlyOneHasItAtATime() async throws {
        let turnsTaken = try await inParallel(8) {
            var count = 0
            for _ in 0..<2000 where turns.take(patience: .seconds(60)) {
                #expect(inside.value.add(1, ordering: .relaxed).newValue == 1)
                inside.value.subtract(1, ordering: .relaxed)
                turns.leave()
                count += 1
            }
            return count
        }
        #expect(turnsTaken == Array(repeating: 2000, count: 8))
    }

    @Test func whoWaitsForAnotherGivesUpInTime() async throws {
        #expect(turns.take(patience: .zero))
        try await onThread { #expect(!turns.take(patience: .milliseconds(2))) }
        turns.leave()
        #expect(turns.take(patience: .zero))
    }

    @Test func whoWaitsGetsItThoughAnotherTakesItAgainAndAgain() async throws {
        #expect(turns.take(patience: .zero))
        async let other: Void = onThread {
            #expect(turns.take(patience: .seconds(60)))
            inside.value.store(1, ordering: .releasing)
            turns.leave()
        }
        try await onThread {
            while inside.value.load(ordering: .acquiring) == 0 {
                turns.leave()
                #expect(turns.take(patience: .seconds(60)))
            }
            turns.leave()
        }
        try await other
    }
}
