import Foundation

/// A diagram as a picture that needs no other file.
enum SVGText {
    static func lines(_ diagram: Diagram) -> [String] {
        let layout = DiagramLayout(diagram)
        let size = "\(number(layout.width)) \(number(layout.height))"
        let head = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" width=\"\(number(layout.width))\" "
                + "height=\"\(number(layout.height))\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" "
                + "font-size=\"12\">",
            "<defs><marker id=\"parent\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
                + "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 Z\" fill=\"#57606a\"/></marker></defs>",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        ]
        let lines = zip(diagram.relations, layout.lines).map(line)
        let boxes = zip(diagram.entities, layout.boxes).flatMap(box)
        return head + lines + boxes + ["</svg>"]
    }

    private static func line(_ relation: Diagram.Relation, _ points: [DiagramLayout.Point]) -> String {
        let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        let dashes = relation.isGuess ? " stroke-dasharray=\"4 3\"" : ""
        return "<polyline points=\"\(path)\" fill=\"none\" stroke=\"#57606a\"\(dashes) marker-end=\"url(#parent)\"/>"
    }

    private static func box(_ entity: Diagram.Entity, _ box: DiagramLayout.Box) -> [String] {
        let (x, y) = (number(box.x), number(box.y))
        let padding = DiagramLayout.padding
        var lines = [
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(number(box.width))\" height=\"\(number(box.height))\" rx=\"4\" "
                + "fill=\"#f6f8fa\" stroke=\"#8c959f\"/>",
            "<text x=\"\(number(box.x + padding))\" y=\"\(number(box.y + 17))\" font-weight=\"bold\">"
                + "\(escaped(cut(entity.name)))</text>",
            "<line x1=\"\(x)\" y1=\"\(number(box.y + DiagramLayout.headHeight))\" x2=\"\(number(box.right))\" "
                + "y2=\"\(number(box.y + DiagramLayout.headHeight))\" stroke=\"#8c959f\"/>",
        ]
        for (index, column) in entity.columns.enumerated() {
            let baseline = box.y + DiagramLayout.headHeight + Double(index) * DiagramLayout.rowHeight + 14
            lines += row(column, box, y: number(baseline))
        }
        return lines
    }

    private static func row(_ column: Diagram.Column, _ box: DiagramLayout.Box, y: String) -> [String] {
        let padding = DiagramLayout.padding
        let mark = column.isKey ? "PK" : column.isReference ? "FK" : ""
        var lines: [String] = []
        if !mark.isEmpty {
            lines.append(
                "<text x=\"\(number(box.x + padding))\" y=\"\(y)\" fill=\"#0969da\" font-size=\"10\">\(mark)</text>")
        }
        lines.append("<text x=\"\(number(box.x + padding + 24))\" y=\"\(y)\">\(escaped(name(column)))</text>")
        lines.append(
            "<text x=\"\(number(box.right - padding))\" y=\"\(y)\" fill=\"#57606a\" text-anchor=\"end\">"
                + "\(escaped(type(column)))</text>")
        return lines
    }

    // MARK: - Texts

    /// The name of a column as it is shown.
    static func name(_ column: Diagram.Column) -> String { cut(column.name) }

    /// Its type, with a question mark where it may be NULL.
    static func type(_ column: Diagram.Column) -> String {
        cut(column.type) + (column.isNotNull || column.isKey ? "" : "?")
    }

    /// A name on one line, of a length that a box can have.
    static func cut(_ text: String) -> String { TextWidth.truncated(Printable.line(text), to: 40) }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            // XML has no way to say these.
            case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
