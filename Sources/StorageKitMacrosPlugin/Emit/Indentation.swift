// Macros write their code as it shall look: formatting it afterwards took the compiler longer than all the rest of an
// expansion.

extension [String] {
    /// The texts, each on a line of its own at a depth; the first stands where the text is put. Further lines of a text stay as
    /// they are: they may be those of a string literal.
    func lines(indent depth: Int) -> String {
        joined(separator: "\n" + String(repeating: "    ", count: depth))
    }
}

extension String {
    /// The text with all lines but the first one step deeper.
    var indented: String { replacing("\n", with: "\n    ") }
}
