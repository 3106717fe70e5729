import Persistence
import StorageTestSupport
import Testing

/// Random programs of tasks inside and outside of transactions, against a serial model.
@Suite(.timeLimit(.minutes(60))) struct TransactionProgramTests {
    @Test func concurrentProgramsLeaveWhatASerialOneWould() async throws {
        let seed = SeededGenerator().seed
        for number in 0..<programCount(short: 80, quick: 300, full: 10_000) {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            let program = TransactionProgram(random: &random)
            let wrong = try await TransactionProgramRun().run(program)
            #expect(wrong == nil, "STORAGEKIT_SEED=\(random.seed)")
            guard wrong == nil else { return }
        }
    }
}
