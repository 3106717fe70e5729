/// What a plan searches for in the full-text index of its table.
package struct FullTextSearch: Sendable, Equatable {
    /// The words, in FTS5's syntax.
    let query: String
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

    /// Refuses what FTS5 would take for something else than it says.
    ///
    /// - Throws: `StorageError.queryFailed`.
    func check() throws {
        if query.utf8.contains(0) {
            throw misuse("the search contains a NUL, where FTS5 would end it")
        }
        // FTS5 takes it for a question about itself, and answers with a row that is no hit.
        if query.utf8.first == UInt8(ascii: "*") {
            throw misuse("the search begins with '*', which belongs behind the beginning of a word")
        }
        if let weight = weights.first(where: { !$0.isFinite }) {
            throw misuse("\(weight) cannot be the weight of a column")
        }
    }

    private func misuse(_ reason: String) -> StorageError {
        .queryFailed(sql: nil, underlying: InvalidQuery(reason: reason))
    }
}

extension String {
    /// The search for a text as a person typed it: all words, the last one as the beginning of a word.
    ///
    /// Every word is in quotes, where nothing has a meaning to FTS5. Words stand side by side and not joined by `AND`,
    /// since FTS5 then passes over those that are none to the tokenizer, such as a dash.
    fileprivate var typedSearch: String {
        var words = split { $0.isWhitespace || $0 == "\0" }
        guard let last = words.popLast() else { return #""""# }
        return (words.withoutRepetitions.map(\.asPhrase) + [last.asPhrase + "*"]).joined(separator: " ")
    }
}

extension Substring {
    fileprivate var asPhrase: String { "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
}

extension [Substring] {
    fileprivate var withoutRepetitions: [Substring] {
        var seen: Set<Substring> = []
        return filter { seen.insert($0).inserted }
    }
}
