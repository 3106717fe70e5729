import GRDB
import StorageKit
import StorageTestSupport
import Synchronization
import Testing

@testable import StorageGRDB

/// Rounds of reading, with a reader whose answers the test knows.
@Suite struct LiveSourceTests {
    /// Gives one answer after the other, the last for ever.
    private final class Script: LiveReader {
        let answers: Mutex<[Result<Int, any Error>]>
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Int>()

        init(_ answers: [Result<Int, any Error>]) {
            self.answers = Mutex(answers)
        }

        func read(_ pending: LivePending) async throws -> LiveOutcome {
            guard pending.take() != .nothing else { return .nothing }
            return .all(isNew: latest.become(try answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()))
        }
    }

    private func events(_ source: LiveSource) -> StreamProbe<String> {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        _ = source.join { (event: LiveEvent<Int>) in
            switch event.result {
            case .success(let value): return .delivered { continuation.yield("\(value)") }
            case .failure: return .delivered { continuation.yield("error") }
            }
        }
        return StreamProbe(events)
    }

    @Test func anErrorThatMayPassIsTriedAgainWithoutACommit() async throws {
        let busy = Result<Int, any Error>.failure(
            StorageError.queryFailed(sql: nil, underlying: GRDB.DatabaseError(resultCode: .SQLITE_BUSY)))
        let source = LiveSource(Script([busy, busy, .success(7)]))
        defer { withExtendedLifetime(source) {} }
        let probe = events(source)
        #expect(try await probe.next() == "error")
        #expect(try await probe.next() == "error")
        #expect(try await probe.next() == "7")
    }

    @Test(
        arguments: [
            .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_INTERRUPT, .SQLITE_NOMEM, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL,
            .SQLITE_LOCKED, .SQLITE_ABORT,
        ] as [ResultCode])
    func anErrorOfTheDiskOrAnInterruptionMayPassToo(code: ResultCode) async throws {
        let source = LiveSource(Script([.failure(GRDB.DatabaseError(resultCode: code))]))
        let probe = events(source)
        #expect(try await probe.next() == "error")
        #expect(source.isRetryDue)
    }

    @Test func aValueThatIsReadBeforeTheRetryMakesItNeedless() async throws {
        let busy = Result<Int, any Error>.failure(
            StorageError.queryFailed(sql: nil, underlying: GRDB.DatabaseError(resultCode: .SQLITE_BUSY)))
        let source = LiveSource(Script([busy, .success(7)]))
        let probe = events(source)
        #expect(try await probe.next() == "error")
        source.mark(.anything)
        #expect(try await probe.next() == "7")
        #expect(!source.isRetryDue)
    }

    @Test func anErrorThatStaysWaitsForAChange() async throws {
        let error = Result<Int, any Error>.failure(GRDB.DatabaseError(resultCode: .SQLITE_ERROR))
        let source = LiveSource(Script([error, .success(7)]))
        let probe = events(source)
        #expect(try await probe.next() == "error")
        source.mark(.anything)
        #expect(try await probe.next() == "7")
    }

    @Test func whoJoinsLaterGetsTheLastValueWithoutARead() async throws {
        let source = LiveSource(Script([.success(1), .success(2)]))
        let first = events(source)
        #expect(try await first.next() == "1")
        let second = events(source)
        #expect(try await second.next() == "1")
        source.mark(.rows(["t": ChangedRows(ids: [.integer(1)])]))
        #expect(try await first.next() == "2")
        #expect(try await second.next() == "2")
    }

    @Test func afterAnErrorTheSameValueIsGivenAgain() async throws {
        let error = Result<Int, any Error>.failure(GRDB.DatabaseError(resultCode: .SQLITE_ERROR))
        let source = LiveSource(Script([.success(1), error, .success(1)]))
        let probe = events(source)
        #expect(try await probe.next() == "1")
        source.mark(.anything)
        #expect(try await probe.next() == "error")
        source.mark(.anything)
        #expect(try await probe.next() == "1")
    }

    /// Finds the same value each time, and says so.
    private final class Steady: LiveReader {
        let fails = Mutex(false)
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Int>()

        func read(_ pending: LivePending) async throws -> LiveOutcome {
            guard pending.take() != .nothing else { return .nothing }
            if fails.withLock({ $0 }) { throw GRDB.DatabaseError(resultCode: .SQLITE_ERROR) }
            return .all(isNew: latest.value == nil && latest.become(1))
        }
    }

    @Test func afterAnErrorAValueThatIsNoOtherIsGivenToo() async throws {
        let reader = Steady()
        let source = LiveSource(reader)
        let probe = events(source)
        #expect(try await probe.next() == "1")
        for (fails, event) in [(true, "error"), (false, "1")] {
            reader.fails.withLock { $0 = fails }
            source.mark(.anything)
            #expect(try await probe.next() == event)
        }
    }

    @Test func whatCouldNotBeReadIsReadByTheNextRoundThoughNothingChangesMeanwhile() async throws {
        let error = Result<Int, any Error>.failure(GRDB.DatabaseError(resultCode: .SQLITE_ERROR))
        let source = LiveSource(Script([.success(1), error, .success(2)]))
        let probe = events(source)
        #expect(try await probe.next() == "1")
        source.mark(.anything)
        #expect(try await probe.next() == "error")
        _ = source.refresh(.nothing)
        #expect(try await probe.next() == "2")
    }

    @Test func whoJoinsWhileAReadRunsDoesNotGetWhatThatFinds() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let source = LiveSource(Gated(start: start, gate: gate))
        let first = events(source)
        let reads = StreamProbe(started)
        try await reads.next()
        // What the read finds may be older than what somebody who joins now has seen.
        let second = events(source)
        open.finish()
        #expect(try await first.next() == "1")
        #expect(try await second.next() == "2")
    }

    @Test func aRefreshDuringAReadIsAnsweredByARoundOfItsOwn() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (rounds, round) = AsyncStream.makeStream(of: Int.self)
        let source = LiveSource(Gated(start: start, gate: gate, last: 1))
        _ = source.join { (event: LiveEvent<Int>) in .delivered { round.yield(event.round) } }
        try await StreamProbe(started).next()
        // The read that runs takes what the refresh says may have changed, and the next finds nothing new.
        let refresh = source.refresh()
        open.finish()
        #expect(try await StreamProbe(rounds).first { $0 >= refresh } == refresh)
    }

    @Test func onlyWhatIsForTheMainActorWaitsForIt() async throws {
        let mainQueue = MainQueue()
        let (places, place) = AsyncStream.makeStream(of: Bool.self)
        let source = LiveSource(Script([.success(1)]), workers: LiveWorkers(count: 1))
        _ = source.join { (_: LiveEvent<Int>) in .anywhere { place.yield(mainQueue.isCurrent) } }
        let probe = StreamProbe(places)
        #expect(try await probe.next() == false)
        _ = source.join { (_: LiveEvent<Int>) in .delivered { place.yield(mainQueue.isCurrent) } }
        #expect(try await probe.next() == true)
    }

    @Test func aValueThatIsAlwaysDueLeavesItsWorkerToOthersAfterEachRead() async throws {
        let workers = LiveWorkers(count: 1)
        let restless = Restless()
        let source = LiveSource(restless, workers: workers)
        restless.source.withLock { $0 = source }
        defer { restless.source.withLock { $0 = nil } }
        let (values, value) = AsyncStream.makeStream(of: Void.self)
        // What goes to the main actor ends its round there, which leaves the worker to others anyway.
        _ = source.join { (_: LiveEvent<Int>) in .anywhere { value.yield() } }
        try await StreamProbe(values).next()
        let other = LiveSource(Script([.success(2)]), workers: workers)
        #expect(try await events(other).next() == "2")
    }

    /// Each read makes the next one due.
    private final class Restless: LiveReader {
        let source = Mutex<LiveSource?>(nil)
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Int>()

        func read(_ pending: LivePending) async throws -> LiveOutcome {
            _ = pending.take()
            source.withLock { $0 }?.mark(.anything)
            return .all(isNew: latest.become(1))
        }
    }

    @Test func whoJoinsWhileTheReadOfThoseWhoLeftIsCancelledGetsAValue() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let source = LiveSource(Cancellable(start: start, gate: gate))
        let first = source.join { (_: LiveEvent<Int>) in nil }
        let reads = StreamProbe(started)
        try await reads.next()
        _ = source.leave(first)
        let second = events(source)
        open.finish()
        #expect(try await second.next() == "1")
    }

    /// Its first read waits at a gate, and then heeds what has been cancelled, as all reads do.
    private final class Cancellable: LiveReader {
        private let start: AsyncStream<Void>.Continuation
        private let gate: AsyncStream<Void>
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Int>()

        init(start: AsyncStream<Void>.Continuation, gate: AsyncStream<Void>) {
            self.start = start
            self.gate = gate
        }

        func read(_ pending: LivePending) async throws -> LiveOutcome {
            _ = pending.take()
            start.yield()
            // In a task of its own, so that it ends with the gate alone.
            await Task { [gate] in for await _ in gate {} }.value
            try Task.checkCancellation()
            return .all(isNew: latest.become(1))
        }
    }

    /// Its first read waits at a gate; the number counts the reads.
    private final class Gated: LiveReader {
        private let start: AsyncStream<Void>.Continuation
        private let gate: AsyncStream<Void>
        private let count = Mutex(0)
        /// The last number; after it nothing is new.
        private let last: Int
        let table: String? = nil
        let sql = ""
        let latest = LatestValue<Int>()

        init(start: AsyncStream<Void>.Continuation, gate: AsyncStream<Void>, last: Int = .max) {
            self.start = start
            self.gate = gate
            self.last = last
        }

        func read(_ pending: LivePending) async throws -> LiveOutcome {
            if count.withLock({ $0 == last }) { return .nothing }
            let number = count.withLock { count in
                count += 1
                return count
            }
            start.yield()
            for await _ in gate {}
            _ = pending.take()
            return .all(isNew: latest.become(number))
        }
    }
}
