/// Texts that would do harm where SQL is put together without care.
package enum HostileText {
    /// Names, most of which a table may have.
    package static let names = [
        "'", "''", "\"\"x", "a\"b", "a'b", "a;b", "a--b", "a/*b", "*/", "`a`", "[a]", "a]b", "a)b", "a(b", "a,b", "a b",
        "a.b",
        "main.victims", "select", "ORDER", "rowid", "null", "values", "%", "_", "a?b", "?1", ":a", "@a", "$a", "\\",
        "a\\'b",
        "line\nbreak", "tab\tbed", "é", "e\u{301}", "日本", "🙂", "\u{202E}txet", "\u{FEFF}", "\u{200B}", "0", "1e3",
        "x'41'",
        "'; DROP TABLE victims; --", "\"; DROP TABLE victims; --", "\" (x); DROP TABLE victims; --",
        "'); DELETE FROM victims; --",
        "] (x); DROP TABLE victims; --", "`; DROP TABLE victims; --", "x', content='victims",
        "\" UNION SELECT name FROM victims --",
        // To Swift, a quotation mark and the accent behind it are one letter, and no quotation mark.
        "\"\u{301}", "a\"\u{301}b", "\"\u{301} (x); DROP TABLE victims; --", "'\u{301}; DROP TABLE victims; --",
        // And so are this letter and what stands behind it.
        "\u{D4E}\" (x); DROP TABLE victims; --",
        "\"\u{FE0F}\"\u{200D}; DELETE FROM victims; --",
    ]

    /// Names that no table can have.
    package static let impossibleNames = [
        "", "\0", "a\0b", "victims\0", "sqlite_master", "SQLITE_x", "\"", "\0\u{301}",
    ]

    /// Those of this run: all of them in a full one, the sharpest in CI.
    package static let run = RunLength.current == .full ? names + impossibleNames : sharpest

    private static let sharpest = [
        "'", "a'b", "a;b", "[a]", "`a`", "select", "rowid", "a?b", "\\", "e\u{301}", "\u{202E}txet",
        "'; DROP TABLE victims; --",
        "\" (x); DROP TABLE victims; --", "'); DELETE FROM victims; --", "\"\u{301} (x); DROP TABLE victims; --",
        "a\"\u{301}b",
        "\u{D4E}\" (x); DROP TABLE victims; --", "", "victims\0", "sqlite_master", "\"",
    ]
}
