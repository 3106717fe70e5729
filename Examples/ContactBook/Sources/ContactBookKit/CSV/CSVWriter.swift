import StorageKit

/// Writes records as CSV: fields are quoted where they have to be.
enum CSVWriter {
    /// One record with its line end.
    static func record(_ fields: [String], lineEnd: String = "\n") -> String {
        fields.map(field).joined(separator: ",") + lineEnd
    }

    private static func field(_ text: String) -> String {
        // By scalars: a quote with an accent behind it is one character, and no quote.
        let needsQuotes = text.unicodeScalars.contains { scalar in
            switch scalar {
            case "\"", ",", "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
            default: false
            }
        }
        let hasOuterSpace =
            text.first?.isWhitespace == true || text.unicodeScalars.last?.properties.isWhitespace == true
        guard needsQuotes || hasOuterSpace else { return text }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append("\"") }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}
