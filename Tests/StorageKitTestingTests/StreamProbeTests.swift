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
}
