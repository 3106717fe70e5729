import StorageKit
import StorageKitTesting
import Testing

@Suite struct StreamProbeTests {
    @Test func valuesComeOneByOneInOrder() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        input.yield(1)
        input.yield(2)
        #expect(try await probe.next() == 1)
        #expect(try await probe.next() == 2)
    }

    @Test func aValueThatDoesNotComeIsAnErrorThatSaysHowLongWasWaited() async throws {
        let probe = StreamProbe(AsyncStream.makeStream(of: Int.self).stream)
        let error = await #expect(throws: StreamProbe<Int>.TimedOut.self) {
            try await probe.next(within: .milliseconds(5))
        }
        #expect(error?.description == "no value within 0.005 seconds")
    }

    @Test func aConditionSkipsValuesUpToTheOneThatMeetsIt() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        for value in 1...5 { input.yield(value) }
        #expect(try await probe.first { $0 > 3 } == 4)
        #expect(try await probe.next() == 5)
    }

    @Test func aConditionThatIsNotMetInTimeIsToldWithTheLastValue() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        for value in 1...3 { input.yield(value) }
        let error = await #expect(throws: StreamProbe<Int>.TimedOut.self) {
            try await probe.first(within: .milliseconds(500)) { $0 > 3 }
        }
        #expect(error?.description.hasSuffix("; of 3 before, none met the condition, the last being 3") == true)
    }

    @Test(.timeLimit(.minutes(20))) func aConditionThatIsNotMetBeforeTheEndIsToldWithTheLastValue() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        input.yield(7)
        input.finish()
        let error = await #expect(throws: StreamProbe<Int>.Ended.self) { try await probe.first { $0 > 7 } }
        #expect(
            error?.description
                == "the stream has ended; of 1 before, none met the condition, the last being 7")
    }

    @Test(.timeLimit(.minutes(20))) func aLimitMayBeForEver() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        async let value = probe.next(within: .seconds(Int64.max))
        // The other call begins to wait behind the first, or takes its value.
        await #expect(throws: StreamProbe<Int>.TimedOut.self) { try await probe.next(within: .milliseconds(20)) }
        input.yield(1)
        #expect(try await value == 1)
    }

    @Test func aProbeThatGoesEndsTheStream() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        input.onTermination = { _ in end.yield() }
        do {
            let probe = StreamProbe(stream)
            input.yield(1)
            #expect(try await probe.next() == 1)
        }
        try await StreamProbe(ended).next()
    }

    @Test(.timeLimit(.minutes(20))) func anEndedStreamIsAnErrorAfterItsLastValue() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        input.yield(1)
        input.finish()
        #expect(try await probe.next() == 1)
        await #expect(throws: StreamProbe<Int>.Ended.self) { try await probe.next() }
    }

    @Test(.timeLimit(.minutes(20))) func whoWaitsLearnsThatTheStreamEnds() async throws {
        let probe = StreamProbe(AsyncStream.makeStream(of: Int.self).stream)
        let waiting = Task { try await probe.next() }
        probe.cancel()
        await #expect(throws: StreamProbe<Int>.Ended.self) { try await waiting.value }
    }

    @Test(.timeLimit(.minutes(20))) func aTaskThatIsCancelledWaitsNoLonger() async throws {
        let probe = StreamProbe(AsyncStream.makeStream(of: Int.self).stream)
        let waiting = Task { try await probe.next() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(.timeLimit(.minutes(20))) func callsAtOnceGetAValueEach() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        async let first = probe.next()
        async let second = probe.next()
        input.yield(1)
        input.yield(2)
        #expect(try await [first, second].sorted() == [1, 2])
    }

    @Test func aCallThatGivesUpLeavesTheValueToTheOther() async throws {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let probe = StreamProbe(stream)
        async let patient = probe.next()
        await #expect(throws: StreamProbe<Int>.TimedOut.self) { try await probe.next(within: .zero) }
        input.yield(1)
        #expect(try await patient == 1)
    }
}
