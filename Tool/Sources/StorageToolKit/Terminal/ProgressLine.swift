import Foundation

/// A line on standard error that tells how far a long command is. It is there only on a terminal.
final class ProgressLine {
    private let isShown = Terminal.isTerminal(STDERR_FILENO)
    private let output = Output.error
    private var lastTime = ContinuousClock.now
    private var hasDrawn = false

    /// Draws the line, a few times a second at most.
    ///
    /// - Parameter text: What it says; not asked for if it is not drawn.
    func show(_ text: () -> String) {
        guard isShown, ContinuousClock.now - lastTime > .milliseconds(200) else { return }
        lastTime = ContinuousClock.now
        hasDrawn = true
        try? output.write("\r\u{1B}[K" + text())
    }

    /// Leaves nothing behind.
    func clear() {
        if hasDrawn { try? output.write("\r\u{1B}[K") }
    }
}
