extension String {
    /// The name as SQL writes it: in quotation marks, those inside doubled.
    var quotedName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// The text as SQL writes it.
    var quotedText: String { "'" + replacing("'", with: "''") + "'" }

    /// Small letters as SQLite compares names: in ASCII alone.
    var folded: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }
}
