import StorageKit

/// What standard output can show.
struct TerminalStyle: Sendable {
    /// The columns to keep to; nil where lines may have any length, as in a file.
    var width: Int?
    /// The lines of the terminal, if it is one.
    var height: Int?
    /// Whether colours and cursor movements are understood and wanted.
    var isColored = false

    /// Lines of any length, nothing but text.
    static let plain = TerminalStyle()

    /// What the standard output of this process can show.
    static var ofStandardOutput: TerminalStyle {
        guard isTerminal(STDOUT_FILENO) else { return .plain }
        let (width, height) = size(STDOUT_FILENO)
        let noColor = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return TerminalStyle(width: width, height: height, isColored: noColor.isEmpty && !isDumb)
    }

    /// Whether a person sees what is written there.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    private static var isDumb: Bool {
        ProcessInfo.processInfo.environment["TERM"] == "dumb"
    }

    private static func size(_ descriptor: Int32) -> (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
