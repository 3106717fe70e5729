extension Table {
    /// Its CHECKs as SQL.
    var checks: Set<String> {
        let sql = sql.onOneLine
        let marks = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\b(?i:check) ?\(|[()]/.matchingSemantics(.unicodeScalar)
        var checks: Set<String> = []
        var (start, depth) = (sql.startIndex, 0)
        for mark in sql.matches(of: marks) {
            if depth == 0 {
                guard mark.output.hasSuffix("("), mark.output != "(" else { continue }
                (start, depth) = (sql.index(before: mark.range.upperBound), 1)
            } else if mark.output == ")" {
                depth -= 1
                if depth == 0 { checks.insert("CHECK " + sql[start..<mark.range.upperBound]) }
            } else if mark.output.hasSuffix("(") {
                depth += 1
            }
        }
        return checks
    }
}
