import Synchronization
import Testing

@testable import StorageGRDB

@Suite(.timeLimit(.minutes(20))) struct LiveWorkersTests {
    private final class Room: Sendable {
        let counts = Mutex((now: 0, most: 0, all: 0))

        func stay() async {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all) }
            await Task.yield()
            counts.withLock { $0 = ($0.now - 1, $0.most, $0.all + 1) }
        }
    }

    /// Waits until all have begun that can.
    private func untilTrue(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func allIsReadByAFew() async {
        let (workers, room) = (LiveWorkers(count: 3), Room())
        for _ in 0..<50 { workers.run { await room.stay() } }
        await untilTrue { room.counts.withLock { $0.all } == 50 }
        #expect(room.counts.withLock { $0.most } <= 3)
    }

    @Test func whoeverComesNextDoesNotWaitForAllThatIsDue() async {
        let (workers, room) = (LiveWorkers(count: 2), Room())
        let (gates, opens) = (0..<2).reduce(into: ([AsyncStream<Void>](), [AsyncStream<Void>.Continuation]())) {
            all, _ in
            let (gate, open) = AsyncStream<Void>.makeStream()
            all.0.append(gate)
            all.1.append(open)
        }
        for gate in gates { workers.run { for await _ in gate {} } }
        for _ in 0..<500 { workers.run { await room.stay() } }
        let next = Task.detached { room.counts.withLock { $0.all } }
        for open in opens { open.finish() }
        #expect(await next.value < 250)
        await untilTrue { room.counts.withLock { $0.all } == 500 }
    }
}
