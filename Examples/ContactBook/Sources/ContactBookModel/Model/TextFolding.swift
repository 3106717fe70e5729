import StorageKit

/// Text as people compare it when they search or look down a list: without case and accents.
package enum TextFolding {
    /// The text in lower case, without diacritics.
    package static func fold(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        // Compatibility forms, so that full-width letters and ligatures are found by plain ones; small letters only then, since
        // the forms of some signs are capitals.
        for scalar in text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
            if let plain = plainLetters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else if !isDiacritic(scalar) {
                folded.append(scalar)
            }
        }
        return String(folded)
    }

    /// Marks that readers leave out: accents, Hebrew points and Arabic vowels. Other scripts' marks are letters
    /// to their readers, as the vowels of Hindi and Thai are.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7: true
        case 0x064B...0x065F, 0x0670: true
        default: false
        }
    }

    /// Letters that have no decomposition in Unicode but a plain spelling all the same.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    ]
}
