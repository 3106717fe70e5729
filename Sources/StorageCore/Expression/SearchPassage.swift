/// A piece of an indexed text, with the words that a search found between marks.
///
/// ```swift
/// let hits = try await storage.query(Article.self).matching("swift").hits(.highlight(column: 0))
/// // hits[0].snippet == "Why <b>Swift</b>"
/// ```
///
/// The text between the marks is as it was saved: what shows it as HTML has to escape it, and then wants marks that no
/// text has, such as `\u{2}` and `\u{3}`.
public struct SearchPassage: Sendable, Hashable {
    /// The column of the index, from 0, in the order in which `addFullTextSearch` names them.
    public let column: Int
    /// How many words there are at the most; nil for the whole text.
    let tokens: Int?
    let open: String
    let close: String
    let ellipsis: String

    /// The part of a text where most of the words are.
    ///
    /// - Parameters:
    ///   - column: The column of the index, from 0.
    ///   - tokens: How many words the part has at the most, from 1 to 64. With `trigram`, these are letters.
    ///   - open: What stands before a word that was found.
    ///   - close: What stands behind it.
    ///   - ellipsis: What stands where the text goes on.
    public static func snippet(
        column: Int = 0, tokens: Int = 32, open: String = "<b>", close: String = "</b>", ellipsis: String = "..."
    ) -> SearchPassage {
        SearchPassage(column: column, tokens: tokens, open: open, close: close, ellipsis: ellipsis)
    }

    /// The whole text.
    ///
    /// - Parameters:
    ///   - column: The column of the index, from 0.
    ///   - open: What stands before words that were found.
    ///   - close: What stands behind them.
    public static func highlight(column: Int = 0, open: String = "<b>", close: String = "</b>") -> SearchPassage {
        SearchPassage(column: column, tokens: nil, open: open, close: close, ellipsis: "")
    }

    /// - Throws: `StorageError.queryFailed` for a length that FTS5 does not know, and for marks that it would cut.
    func check() throws {
        if [open, close, ellipsis].contains(where: { $0.utf8.contains(0) }) {
            throw StorageError.invalidQuery("a mark of a snippet contains a NUL, where FTS5 would end it")
        }
        guard let tokens, !(1...64).contains(tokens) else { return }
        throw StorageError.invalidQuery("a snippet has 1 to 64 tokens, and cannot have \(tokens)")
    }
}
