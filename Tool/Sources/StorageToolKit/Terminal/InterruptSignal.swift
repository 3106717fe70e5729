import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and the polite `kill`, as something to ask for instead of the end of the process. A second one ends it, in case it waits for
/// something that does not come, such as a reader of its output.
final class InterruptSignal: Sendable {
    private let isRaised = Mutex(false)
    private let wake = DispatchSemaphore(value: 0)
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Begins to catch the signals.
    init() {
        sources.withLock { sources in
            sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in
                    if self?.hasCome == true { _exit(ExitStatus.interrupted.rawValue) }
                    self?.raise()
                }
                source.resume()
                return source
            }
        }
    }

    deinit {
        sources.withLock { sources in
            for source in sources { source.cancel() }
        }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// Does what a signal does.
    func raise() {
        isRaised.withLock { $0 = true }
        wake.signal()
    }

    /// Whether a signal came.
    var hasCome: Bool { isRaised.withLock { $0 } }

    /// Ends a command that a signal came for.
    ///
    /// - Parameter outcome: What is to be told, such as "nothing was imported".
    func check(_ outcome: String) throws {
        if hasCome { throw ToolError(.interrupted, "interrupted; \(outcome)") }
    }

    /// Waits until a signal comes.
    func wait() {
        if !hasCome { wake.wait() }
    }

    /// Waits so many seconds, or until a signal comes.
    ///
    /// - Returns: Whether one came.
    func wait(seconds: Double) -> Bool {
        hasCome || wake.wait(timeout: .now() + seconds) == .success
    }
}
