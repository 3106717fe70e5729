/// Text made fit to print: what stands in a file may come from anywhere.
enum Printable {
    /// The text on one line, its control characters as Swift escapes them, so that none steers the terminal.
    static func line(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy({ !isControl($0) }) { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            line += isControl(scalar) ? escaped(scalar) : String(scalar)
        }
        return line
    }

    /// The same, with the line ends that stand in the text.
    static func lines(_ text: String) -> String {
        // To Swift, CR and LF are one letter.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { line(String($0)) }
            .joined(separator: "\n")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether it steers a terminal, ends a line or turns the writing direction. None of them is beyond U+FFFF.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Embeddings and overrides of the writing direction, which would turn the rest of the line round.
        default: return (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
