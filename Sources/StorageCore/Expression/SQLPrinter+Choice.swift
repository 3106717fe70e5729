// SQLite compares a value by the collation of any part of its expression: a text that a comparison of decimals chooses would be
// compared like a decimal. One that stands behind the whole is the one that counts.

extension SQLPrinter {
    /// Writes a case.
    mutating func append(_ choices: [Choice], otherwise: ExpressionNode) throws {
        var conditionsCollate = false
        append("CASE")
        for choice in choices {
            append(" WHEN ")
            if try appendCollating({ try $0.append(condition: choice.condition) }) { conditionsCollate = true }
            append(" THEN ")
            try append(value: choice.value)
        }
        append(" ELSE ")
        try append(value: otherwise)
        append(" END")
        guard conditionsCollate else { return }
        let collation = ExpressionNode.choice(choices, otherwise: otherwise).collation
        append(collation.map { " COLLATE \($0.quotedIdentifier)" } ?? SQLPrinter.plainCollation)
    }

    /// Writes something.
    ///
    /// - Returns: Whether there is a collation in it.
    mutating func appendCollating(_ write: (inout SQLPrinter) throws -> Void) throws -> Bool {
        let piece = try piece(write)
        query.append(piece)
        return piece.sql.saysCollation
    }

    /// How SQLite compares texts that say nothing of it.
    static let plainCollation = " COLLATE BINARY"
}

extension String {
    /// Whether there is a collation in it, which SQL of the app's may write in small letters.
    var saysCollation: Bool { asciiLowercased.contains("collate") }
}

extension ExpressionNode {
    /// The collation that an app gave it.
    fileprivate var collation: String? {
        switch self {
        case .collated(_, let collation): collation
        case .choice(let choices, let otherwise):
            (choices.map(\.value) + [otherwise]).lazy.compactMap(\.collation).first
        case .firstNotNull(let nodes): nodes.lazy.compactMap(\.collation).first
        default: nil
        }
    }
}
