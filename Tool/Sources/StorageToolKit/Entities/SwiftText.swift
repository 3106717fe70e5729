/// Names and texts as Swift writes them.
enum SwiftText {
    /// The text in quotes, on one line.
    static func quoted(_ text: some StringProtocol) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where Printable.isControl(scalar):
                quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The property that stands for a column of that name, in backticks where Swift has the word for itself; nil where
    /// it cannot be a name in Swift. To SQLite, capitals make no difference: so `Type`, which Swift has for itself,
    /// becomes `type`, and the columns that StorageKit knows get its writing.
    static func property(_ column: String) -> String? {
        var name = ["id": "id", "updatedat": "updatedAt"][column.folded] ?? column
        if taken.contains(name) { name = name.folded }
        guard isIdentifier(name), !taken.contains(name), !isOfStorageKit(name) else { return nil }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// Whether it begins as names that StorageKit makes up, so that the macro refuses it.
    static func isOfStorageKit(_ name: String) -> Bool { name.folded.hasPrefix("storagekit_") }

    /// SQL's words for what happens to rows, as the case of an enum: `setNull`.
    static func action(_ sql: String) -> String {
        let words = sql.lowercased().split(separator: " ")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Whether it begins with a letter or underscore and goes on with those and digits. Swift allows more.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isLetter(first) else { return false }
        return name.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) }
            && name.contains { $0 != "_" }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return true
        default: return false
        }
    }

    /// What the macro or the language has for itself, even in backticks. `EntityModel.checkNames` of the macro has the
    /// names that it refuses.
    private static let taken: Set<String> = [
        "Type", "Protocol", "Self", "Record", "StorageColumns", "storageColumns", "_encode", "_isEqual",
        "_HiddenColumns",
        "_encodeDefaults", "_describe", "_decode", "_row", "StorageGRDB", "await", "CodingKeys",
    ]

    private static let keywords: Set<String> = [
        "Any", "actor", "as", "associatedtype", "async", "borrowing", "break", "case", "catch",
        "class",
        "consuming", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where",
        "while",
    ]
}

extension String {
    /// The name of a property as texts say it.
    var withoutBackticks: String { filter { $0 != "`" } }
}
