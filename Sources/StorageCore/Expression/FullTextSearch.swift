/// What a plan searches for in the full-text index of its table.
package struct FullTextSearch: Sendable, Equatable {
    /// The words, in FTS5's syntax.
    package let query: String
    /// How much a hit in each column of the index counts; empty where all count the same.
    let weights: [Double]

    /// - Parameter query: What to find, in FTS5's syntax.
    package init(_ query: String, weights: [Double]) {
        self.query = query
        self.weights = weights
    }

    /// - Parameter text: What a person typed.
    package init(typed text: String, weights: [Double]) {
        self.init(text.typedSearch, weights: weights)
    }

    /// What tells the ranks of this search from those of others, without the words in it.
    package var mark: String {
        let bits = weights.flatMap { weight in withUnsafeBytes(of: weight.bitPattern.littleEndian) { Array($0) } }
        return String((Array(query.utf8) + [0] + bits).fnv1a, radix: 36)
    }

    /// The names of what a search gives beside the columns of the table.
    package enum Result {
        static let key = "storagekit_key"
        package static let rank = "storagekit_rank"
        static let passage = "storagekit_passage"
    }

    /// The index of a table.
    package static func indexName(ofTable table: String) -> String { table + "_fts" }

    /// The list of all documents with the ids of their rows, as a search names it. It would hide a table of its name.
    package static func keyListName(ofTable table: String) -> String { FunctionName.ownPrefix + "keys_" + table }

    /// Refuses what FTS5 would take for something else than it says.
    ///
    /// - Throws: `StorageError.queryFailed`.
    func check() throws {
        if query.utf8.contains(0) {
            throw StorageError.invalidQuery("the search contains a NUL, where FTS5 would end it")
        }
        // FTS5 takes it for a question about itself, and answers with a row that is no hit.
        if query.utf8.first == UInt8(ascii: "*") {
            throw StorageError.invalidQuery("the search begins with '*', which belongs behind the beginning of a word")
        }
        // A rank is calculated from sums of them, which have to be numbers too.
        if let weight = weights.first(where: { !(abs($0) <= 1e100) }) {
            throw StorageError.invalidQuery("\(weight) cannot be the weight of a column")
        }
    }
}

extension String {
    /// The search for a text as a person typed it: all words, the last one as the beginning of a word.
    ///
    /// Every word is in quotes, as SQL quotes a name, where nothing has a meaning to FTS5. Words stand side by side and not joined by `AND`,
    /// since FTS5 then passes over those that are none to the tokenizer, such as a dash.
    ///
    /// They are split by scalars: a space with a combining accent is one letter to Swift, and two to FTS5.
    fileprivate var typedSearch: String {
        var words = unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }.map(String.init)
        guard let last = words.popLast() else { return #""""# }
        return (words.withoutRepetitions.map(\.quotedIdentifier) + [last.quotedIdentifier + "*"]).joined(separator: " ")
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        // As FTS5 compares them, and not as Swift does.
        var seen: Set<StoredValue> = []
        return filter { seen.insert(.text($0)).inserted }
    }
}
