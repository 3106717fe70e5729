import Foundation
import Synchronization
import Testing

@testable import StorageToolKit

@Suite struct ByteSourceTests {
    @Test(.timeLimit(.minutes(10))) func aSignalIsNotTakenForSomethingToRead() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        var looks = 0
        // A pipe that nobody writes to.
        let source = try ByteSource(path: "/dev/fd/\(ends[0])") {
            looks += 1
            if looks > 3 { throw ToolError(.interrupted, "enough") }
        }
        let error: ToolError? = withSignals { #expect(throws: ToolError.self) { try source.take() } }
        #expect(error?.status == .interrupted, "\(error?.message ?? "")")
    }

    /// Runs `body` while signals come to its thread, one after the other, which end each wait of the system.
    private func withSignals<T>(_ body: () -> T) -> T {
        var action = sigaction()
        #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = { _ in }
        #else
        action.__sigaction_handler.sa_handler = { _ in }
        #endif
        sigaction(SIGUSR2, &action, nil)
        // Threads of a pool let no signal through.
        var (signals, before) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGUSR2)
        pthread_sigmask(SIG_UNBLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let thread = Mutex(pthread_self())
        let isOver = Mutex(false)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { _ = thread.withLock { pthread_kill($0, SIGUSR2) } }
            end.signal()
        }
        defer {
            isOver.withLock { $0 = true }
            end.wait()
        }
        return body()
    }
}
