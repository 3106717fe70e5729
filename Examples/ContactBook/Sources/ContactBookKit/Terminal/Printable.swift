import StorageKit

/// Text made fit to print: what stands in a contact may come from anywhere.
enum Printable {
    /// The text on one line, without the control characters that could steer a terminal.
    static func line(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
        if isPlain { return text }
        let words = text.unicodeScalars.split(whereSeparator: isControl)
        return words.map { String(Substring($0)) }.joined(separator: " ")
    }

    /// The same, with the line ends that stand in the text.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Embeddings and overrides of the writing direction, which would turn the rest of the line round.
        default: return (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }
}
