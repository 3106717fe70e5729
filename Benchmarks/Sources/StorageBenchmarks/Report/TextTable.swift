/// Rows of text in columns as wide as their longest text. The first column is aligned to the left, the others to the right.
struct TextTable {
    private var rows: [[String]] = []

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + space : space + text
            }
            return cells.joined(separator: "  ").trimmingSuffix(" ")
        }.joined(separator: "\n")
    }
}

extension String {
    func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}

extension Comparison {
    /// The comparison as a table: each side's CPU time, its spread, wall time, and ratios to the baseline: of the medians,
    /// of the least CPU times, and of wall time.
    var table: String {
        var table = TextTable()
        let heading = "\(workload)  \(title)"
        table.add([heading, "CPU/\(unit)", "spread", "wall/\(unit)", "CPU ratio", "of least", "wall ratio", "goal"])
        for entry in entries {
            var row = [
                "    \(entry.name)", Report.time(entry.cpu.median), "\(Report.rounded(entry.cpu.spread * 100, 0))%",
                Report.time(entry.wall.median), Report.ratio(entry.cpuRatio), Report.ratio(entry.leastRatio),
                Report.ratio(entry.wallRatio),
            ]
            if entry.role == .storageKit, let goal {
                row.append("\(Report.ratio(goal)) \(isReached == true ? "reached" : "MISSED")")
            }
            table.add(row)
        }
        return table.text
    }
}
