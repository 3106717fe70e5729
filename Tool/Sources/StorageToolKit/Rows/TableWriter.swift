/// Rows in aligned columns for people to read.
///
/// The widths are those of the first rows; a longer text further down moves the rest of its line. NULL stands bare, and
/// a text that would look like it, or like bytes or nothing, in quotes.
struct TableWriter: RowWriter {
    private static let measuredRows = 500
    private static let longestBlob = 16
    /// The widest a column may get; nil for any width.
    let maximumWidth: Int?
    private var columns: [String] = []
    private var waiting: [[Cell]]? = []
    private var widths: [Int] = []

    init(maximumWidth: Int?) {
        self.maximumWidth = maximumWidth
    }

    mutating func begin(_ columns: [String], to output: Output) {
        self.columns = columns.map(Printable.line)
    }

    mutating func write(_ cells: [Cell], to output: Output) throws {
        guard waiting != nil else { return try writeLine(cells, to: output) }
        waiting?.append(cells)
        if waiting?.count == TableWriter.measuredRows { try measure(output) }
    }

    mutating func end(to output: Output) throws {
        if waiting != nil { try measure(output) }
    }

    private mutating func measure(_ output: Output) throws {
        let rows = waiting ?? []
        waiting = nil
        let texts = [columns] + rows.map { $0.map(shown) }
        widths = columns.indices.map { column in texts.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let head = TextTable.line(columns, widths: widths) { _ in false }
        try output.write(line: Terminal.bold(head))
        try output.write(line: widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
        for row in rows { try writeLine(row, to: output) }
    }

    private func writeLine(_ cells: [Cell], to output: Output) throws {
        try output.write(
            line: TextTable.line(cells.map(shown), widths: widths) { column in
                switch cells[column] {
                case .integer, .real: true
                default: false
                }
            })
    }

    private func shown(_ cell: Cell) -> String {
        let text = TableWriter.text(cell)
        return maximumWidth.map { TextWidth.truncated(text, to: $0) } ?? text
    }

    /// A value as people read it.
    static func text(_ cell: Cell) -> String {
        switch cell {
        case .null: return "NULL"
        case .integer(let value): return "\(value)"
        case .real(let value): return "\(value)"
        case .text(let value):
            let isLikeAnother =
                value.isEmpty || value == "NULL" || ["x'", "'"].contains { value.utf8.starts(with: $0.utf8) }
            return isLikeAnother ? Printable.line(value.quotedText) : Printable.line(value)
        case .brokenText(let value): return Printable.line(String(decoding: value, as: UTF8.self))
        case .blob(let value):
            guard value.count > longestBlob else { return HexText.of(value) }
            return "x'\(HexText.digits(value.prefix(longestBlob)))…' (\(Amount.bytes(value.count)))"
        }
    }
}
