import SwiftSyntax
import SwiftSyntaxBuilder

// Macros write their code as it shall look, and hand it over as text. Formatting it, and parsing it only to have it printed again,
// took the compiler longer than all the rest of an expansion.

extension DeclSyntax {
    /// A declaration that is not looked at before the compiler does.
    init(source text: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(text)))
    }
}

extension ExtensionDeclSyntax {
    /// An extension that is not looked at before the compiler does.
    init(source text: String) {
        self.init(
            extensionKeyword: .keyword(.extension, presence: .missing),
            extendedType: IdentifierTypeSyntax(name: .identifier(text)),
            memberBlock: MemberBlockSyntax(
                leftBrace: .leftBraceToken(presence: .missing), members: [],
                rightBrace: .rightBraceToken(presence: .missing)))
    }
}

extension Array {
    /// The elements, those that are set last behind the others.
    func settingLast(_ isSetLast: (Element) -> Bool) -> [Element] { filter { !isSetLast($0) } + filter(isSetLast) }
}

extension [String] {
    /// The texts, each on a line of its own at a depth; the first stands where the text is put. Further lines of a text stay as
    /// they are: they may be those of a string literal.
    func lines(indent depth: Int) -> String {
        joined(separator: "\n" + String(repeating: "    ", count: depth))
    }
}

extension String {
    /// The text with all lines but the first one step deeper. Empty ones stay so, as a literal of several lines has it.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { number, line in number == 0 || line.isEmpty ? line : "    " + line }.joined(separator: "\n")
    }
}

extension String {
    /// The text as a literal of Swift's. Nearly all can stand between quotes as they are, and the library takes a hundred times as
    /// long to write one.
    var source: String {
        let isPlain = utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        return isPlain ? "\"\(self)\"" : StringLiteralExprSyntax(content: self).description
    }
}

extension [String] {
    /// The texts as a literal of Swift's.
    var source: String { "[\(map(\.source).joined(separator: ", "))]" }
}
