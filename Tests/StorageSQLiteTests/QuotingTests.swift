import StorageSQLite
import Testing

@Suite struct QuotingTests {
    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), (#"a"b"#, #""a""b""#), (#"""#, #""""""#), ("\"\u{301}", "\"\"\"\u{301}\""),
        ("'", #""'""#),
    ])
    func anIdentifierStandsBetweenDoubleQuotes(name: String, quoted: String) {
        #expect(Array(name.quotedIdentifier.utf8) == Array(quoted.utf8))
    }

    @Test(arguments: [("", "''"), ("it's", "'it''s'"), ("'\u{301}", "'''\u{301}'"), ("\"", "'\"'")])
    func aLiteralStandsBetweenSingleQuotes(text: String, quoted: String) {
        #expect(Array(text.quotedLiteral.utf8) == Array(quoted.utf8))
    }
}
