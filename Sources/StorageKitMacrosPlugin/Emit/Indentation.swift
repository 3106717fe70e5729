// Macros write their code as it shall look: formatting it afterwards took the compiler longer than all the rest of an
// expansion.

extension [String] {
    /// The lines, each at a depth but the first, which stands where the text is put.
    func lines(indent depth: Int) -> String {
        map { $0.indented(depth) }.joined(separator: "\n" + String(repeating: "    ", count: depth))
    }
}

extension String {
    /// The text with all lines but the first so much deeper.
    func indented(_ depth: Int = 1) -> String {
        replacing("\n", with: "\n" + String(repeating: "    ", count: depth))
    }
}
