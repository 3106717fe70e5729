/// A diagram in Mermaid's language.
enum MermaidText {
    static func lines(_ diagram: Diagram) -> [String] {
        var lines = ["erDiagram"]
        for (index, entity) in diagram.entities.enumerated() {
            lines.append("    \(id(index))[\"\(quotable(entity.name))\"] {")
            lines += entity.columns.map { "        " + attribute($0) }
            lines.append("    }")
        }
        return lines + diagram.relations.map { "    " + relation($0) }
    }

    /// Tables are known by a number, since not every name of a table can be one in Mermaid.
    private static func id(_ index: Int) -> String { "t\(index + 1)" }

    private static func attribute(_ column: Diagram.Column) -> String {
        let keys = [column.isKey ? "PK" : nil, column.isReference ? "FK" : nil].compactMap { $0 }
        var words = [word(column.type.isEmpty ? "ANY" : column.type), word(column.name)]
        if !keys.isEmpty { words.append(keys.joined(separator: ", ")) }
        // What a word cannot say stands in the comment.
        if words[1] != column.name { words.append("\"\(quotable(column.name))\"") }
        return words.joined(separator: " ")
    }

    private static func relation(_ relation: Diagram.Relation) -> String {
        let parent = relation.isOptional ? "|o" : "||"
        let child = relation.isUnique ? "o|" : "o{"
        let line = relation.isGuess ? ".." : "--"
        let label = quotable(relation.columns.joined(separator: ", "))
        return "\(id(relation.parent)) \(parent)\(line)\(child) \(id(relation.child)) : \"\(label)\""
    }

    /// A word of Mermaid: letters, digits and underscores of ASCII, with a letter before all.
    private static func word(_ text: String) -> String {
        let word = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_()".contains($0)) ? $0 : "_" })
        return word.first.map { $0.isLetter || $0 == "_" } == true ? word : "_" + word
    }

    /// What may stand in quotes there. By scalars: a mark with a combining accent is another letter to Swift alone.
    private static func quotable(_ text: String) -> String {
        let scalars = Printable.line(text).unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\"": "'"
            case "%", "\\", "[", "]", "{", "}", ";": "_"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
