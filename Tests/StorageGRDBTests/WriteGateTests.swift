import Testing

@testable import StorageGRDB

/// When a short write runs on the calling thread.
@Suite struct WriteGateTests {
    private let gate = WriteGate()

    @Test func aShortWritePassesWhileNothingIsWritten() {
        #expect(gate.tryPassing { 1 } == 1)
    }

    @Test func itDoesNotPassALongWrite() async {
        await gate.passing { #expect(gate.tryPassing { 1 } == nil) }
        #expect(gate.tryPassing { 1 } == 1)
    }

    @Test func itPassesThoughAnotherHadToBeQueued() async {
        await gate.queueing { #expect(gate.tryPassing { 1 } == 1) }
    }

    @Test func itDoesNotWaitBehindManyThatAreQueued() async {
        await queueing(5) { #expect(gate.tryPassing { 1 } == nil) }
        #expect(gate.tryPassing { 1 } == 1)
    }

    private func queueing(_ count: Int, _ body: () -> Void) async {
        guard count > 0 else { return body() }
        await gate.queueing { await queueing(count - 1, body) }
    }

    @Test func itsErrorIsThrownAndLetsTheNextOnePass() {
        #expect(throws: CancellationError.self) { try gate.tryPassing { throw CancellationError() } as Int? }
        #expect(gate.tryPassing { 1 } == 1)
    }
}
