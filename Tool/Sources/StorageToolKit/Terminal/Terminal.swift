import Foundation

/// What a descriptor leads to.
enum Terminal {
    /// Whether a person sees what is written there.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// Whether standard output is a terminal that understands colours, and the user has not turned them off.
    static var hasColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isTerminal(STDOUT_FILENO) && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// The text in bold where there are colours.
    static func bold(_ text: String) -> String { styled(text, "1") }

    /// The text in red where there are colours.
    static func red(_ text: String) -> String { styled(text, "31") }

    /// The text in green where there are colours.
    static func green(_ text: String) -> String { styled(text, "32") }

    private static func styled(_ text: String, _ code: String) -> String {
        hasColors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
