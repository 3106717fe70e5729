extension String {
    /// The text with one blank for each run of blanks and line ends.
    package var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
