/// How many columns of a terminal a text takes.
enum TextWidth {
    /// The columns of a text: two for a Chinese character or an emoji, none for a combining mark.
    static func of(_ text: String) -> Int {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
            ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// The text, cut to so many columns; an ellipsis stands for what was cut off.
    static func truncated(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += of(character)
            if used > width { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The text and as many spaces as make it so wide.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // The variation selector 16 asks for the picture of a character that is also a text symbol.
        if scalars.contains("\u{FE0F}") { return 2 }
        return scalars.map(of).max() ?? 0
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The ranges of Unicode's East Asian Width that are wide or full-width.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
