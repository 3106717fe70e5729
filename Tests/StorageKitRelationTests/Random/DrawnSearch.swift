import StorageKit

/// A text in the full-text index of an entity.
struct SearchedColumn<E>: Sendable {
    let name: String
    let value: @Sendable (E) -> String?
}

/// A search of the words in an entity's texts, beside the same in Swift.
struct DrawnSearch<E: DrawnEntity>: Sendable {
    let text: String
    let make: @Sendable (Query<E>) -> Query<E>
    let finds: @Sendable (E) -> Bool

    init(_ maker: inout Maker) {
        let words = ["a", "ab", "b", "x", "drop", "books", "e", "日本"]
        let (first, second) = (maker.pick(words), maker.pick(words))
        let column = maker.pick(E.searched)
        let name = column.name
        switch maker.number(0...6) {
        case 0: self.init("\(first) OR \(second)") { $0.contains(first) || $0.contains(second) }
        case 1: self.init("\(first) \(second)") { $0.contains(first) && $0.contains(second) }
        case 2: self.init("\(first) NOT \(second)") { $0.contains(first) && !$0.contains(second) }
        case 3: self.init("\(first)*") { words in words.contains { $0.hasPrefix(first) } }
        case 4:
            self.init(
                text: ".matching(\(name):\(first))", make: { $0.matching("\(name):\(first)") },
                finds: { (column.value($0) ?? "").searchedWords.contains(first) })
        case 5:
            // The last word that a person typed may be unfinished.
            self.init(
                text: ".matchingText(\(second) \(first))", make: { $0.matchingText("\(second) \(first)") },
                finds: { row in
                    let words = Self.words(of: row)
                    return words.contains(second) && words.contains { $0.hasPrefix(first) }
                })
        default: self.init(first) { $0.contains(first) }
        }
    }

    private init(_ query: String, _ holds: @escaping @Sendable ([String]) -> Bool) {
        self.init(text: ".matching(\(query))", make: { $0.matching(query) }, finds: { holds(Self.words(of: $0)) })
    }

    private init(
        text: String, make: @escaping @Sendable (Query<E>) -> Query<E>, finds: @escaping @Sendable (E) -> Bool
    ) {
        self.text = text
        self.make = make
        self.finds = finds
    }

    private static func words(of row: E) -> [String] {
        E.searched.flatMap { ($0.value(row) ?? "").searchedWords }
    }
}

extension String {
    /// The words as the tokenizer `unicode61` knows them, of the texts that are drawn: letters and digits, without case and accents.
    fileprivate var searchedWords: [String] {
        decomposedStringWithCanonicalMapping.lowercased().unicodeScalars
            .filter { !$0.properties.isDiacritic || $0.properties.generalCategory != .nonspacingMark }
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map { String($0) }
    }
}
