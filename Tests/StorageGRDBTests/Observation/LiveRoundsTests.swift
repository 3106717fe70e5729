import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// When observed rows are read, and on which thread.
@Suite struct LiveRoundsTests {
    private final class Round: LiveRound {
        let runs = Mutex(0)
        let hasRun: AsyncStream<Void>
        private let run: AsyncStream<Void>.Continuation
        private let then: @Sendable () -> Void

        init(then: @escaping @Sendable () -> Void = {}) {
            (hasRun, run) = AsyncStream.makeStream()
            self.then = then
        }

        var count: Int { runs.withLock { $0 } }

        func runNow() -> (@Sendable () -> Void)? {
            runs.withLock { $0 += 1 }
            then()
            run.yield()
            return nil
        }
    }

    private let rounds = LiveRounds()

    @Test func whatAShortWriteMakesDueIsDoneWhenItReturns() {
        let round = Round()
        rounds.following {
            rounds.begin(round)
            #expect(round.count == 0)
        }
        #expect(round.count == 1)
    }

    @Test func whatAFailedWriteMadeDueIsDoneToo() {
        let round = Round()
        #expect(throws: CancellationError.self) {
            try rounds.following {
                rounds.begin(round)
                throw CancellationError()
            }
        }
        #expect(round.count == 1)
    }

    @Test func withoutAWriteItIsDoneByATask() async throws {
        let round = Round()
        rounds.begin(round)
        try await StreamProbe(round.hasRun).next()
    }

    @Test func moreThanAFewAreDoneByATask() async throws {
        let all = (0..<1000).map { _ in Round() }
        rounds.following { all.forEach(rounds.begin) }
        for round in all { try await StreamProbe(round.hasRun).next() }
        #expect(all.allSatisfy { $0.count == 1 })
    }

    @Test func whatARoundMakesDueIsDone() async throws {
        let second = Round()
        let first = Round { [rounds] in rounds.begin(second) }
        rounds.following { rounds.begin(first) }
        try await StreamProbe(second.hasRun).next()
    }

    @Test func nothingIsLostAmongManyWrites() async throws {
        let (writes, each) = (8, 500)
        let all = (0..<writes).map { _ in (0..<each).map { _ in Round() } }
        await withTaskGroup { group in
            for own in all {
                group.addTask { [rounds] in
                    for (index, round) in own.enumerated() {
                        if index % 3 == 0 { rounds.begin(round) } else { rounds.following { rounds.begin(round) } }
                    }
                }
            }
        }
        for round in all.joined() { try await StreamProbe(round.hasRun).next() }
        #expect(all.joined().allSatisfy { $0.count == 1 })
    }
}

extension LiveRounds {
    /// Runs a short write.
    fileprivate func following(_ write: () throws -> Void) rethrows {
        beginWrite()
        defer { endWrite() }
        try write()
    }
}
