import Foundation

extension String {
    /// The SQL with one blank for each run of blanks, line ends and comments. What stands in quotes stays as it is.
    var onOneLine: String { spaced { $0 }.trimmingCharacters(in: .whitespaces) }

    /// The SQL without comments and without what stands in quotes.
    var outsideOfQuotes: String { spaced { _ in "" } }

    /// - Parameter quoted: What takes the place of each part in quotes.
    private func spaced(_ quoted: (Substring) -> Substring) -> String {
        // To Swift, a quotation mark with a combining accent is one letter.
        let parts =
            /(?<quoted>'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\])|(?:[ \t\n\f\r]|--[^\n]*|\/\*(?s:.*?)(?:\*\/|\z))+/
            .matchingSemantics(.unicodeScalar)
        return replacing(parts) { $0.quoted.map(quoted) ?? " " }
    }
}
