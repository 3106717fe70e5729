/// Lines of aligned columns.
struct TextTable {
    private let titles: [String]
    private let rightAligned: Set<Int>
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - titles: The heads of the columns.
    ///   - rightAligned: The columns of numbers.
    init(_ titles: [String], rightAligned: Set<Int> = []) {
        self.titles = titles
        self.rightAligned = rightAligned
    }

    mutating func add(_ texts: [String]) {
        rows.append(texts.map(Printable.line))
    }

    /// The titles and the rows.
    var lines: [String] {
        let widths = titles.indices.map { column in
            ([titles] + rows).map { TextWidth.of($0[column]) }.max() ?? 0
        }
        let lines = ([titles] + rows).map { texts in
            TextTable.line(texts, widths: widths) { rightAligned.contains($0) }
        }
        return [Terminal.bold(lines[0])] + lines.dropFirst()
    }

    /// One line: each text filled up to the width of its column.
    static func line(_ texts: [String], widths: [Int], isRightAligned: (Int) -> Bool) -> String {
        var line = ""
        // Nothing is filled up behind the last text: it would go again.
        let last = texts.lastIndex { !$0.isEmpty } ?? 0
        for (column, text) in texts.prefix(last + 1).enumerated() {
            let isEnd = column == last && !isRightAligned(column)
            let space = String(repeating: " ", count: isEnd ? 0 : max(0, widths[column] - TextWidth.of(text)))
            if column > 0 { line += "  " }
            line += isRightAligned(column) ? space + text : text + space
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}

/// Numbers as people read them.
enum Amount {
    /// A number of bytes, in the largest unit that leaves a number above one.
    static func bytes(_ count: Int) -> String {
        guard count >= 1024 else { return "\(count) B" }
        var tenths = count * 10 / 1024
        for unit in ["KiB", "MiB", "GiB"] {
            if tenths < 10_240 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
            tenths /= 1024
        }
        return "\(tenths / 10).\(tenths % 10) TiB"
    }

    /// A number and what it counts, with an "s" where there is not one of it.
    static func of(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
