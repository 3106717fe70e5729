/// Where to learn what a key of a group was for rows that have changed: from what a column of a table held before.
package struct KeyHistory: Sendable {
    /// The lowercased name of the table.
    package let table: String
    package let column: String
    /// What makes keys of those values; nil where they are the keys.
    package let leg: Trail.Leg?
    /// Whether a value may lead to no row, so that the key was NULL.
    package let mayBeNull: Bool
}

extension QueryPlan {
    /// What has to be known of former values to know which groups rows belonged to, for each key; nil where a key is more than a
    /// column of a row, or of one that a path leads to.
    package var keyHistories: [[KeyHistory]]? {
        guard let groupKeys, !groupKeys.isEmpty, table.rows == nil else { return nil }
        var all: [[KeyHistory]] = []
        for key in groupKeys {
            guard case .column(let name, let source) = key, source?.root.map(standsFor) ?? true else { return nil }
            all.append(histories(of: name, source))
        }
        return all
    }

    private func histories(of name: String, _ source: Source?) -> [KeyHistory] {
        let target = source?.table ?? table
        var histories = [
            KeyHistory(
                table: target.name.asciiLowercased, column: name, leg: nil, mayBeNull: source?.isOptional == true)
        ]
        var here = source
        // The steps behind the row at which a leg begins, the nearest first.
        var behind: [(table: SourceTable, step: PathStep)] = []
        while let row = here, let path = row.path {
            var plan = QueryPlan(row.table)
            let end = behind.reduce(plan.newSource()) { Source($1.table, from: $0, $1.step) }
            histories.append(
                KeyHistory(
                    table: (path.from?.table ?? table).name.asciiLowercased, column: path.step.key,
                    leg: Trail.Leg(
                        plan: plan, given: .column(row.table.idColumn, of: nil), taken: .column(name, of: end)),
                    mayBeNull: source?.isOptional == true))
            behind.insert((row.table, path.step), at: 0)
            here = path.from
        }
        return histories
    }
}
