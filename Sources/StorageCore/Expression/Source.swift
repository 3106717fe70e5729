/// Whose columns an expression means: those of the rows that a closure is asked about, or of the rows that a path leads to
/// from them.
///
/// Each closure has a source of its own. So a column of an inner closure and the same column of an outer one are two, and a
/// column that is used outside its closure is noticed. ``QueryPlan`` knows which sources stand for its rows.
package final class Source: Sendable {
    package let table: SourceTable
    /// The way here from other rows; nil for the rows of a closure.
    package let path: (from: Source?, step: PathStep)?
    /// The row that these columns are a part of, and what the part is called in it; nil for rows of their own.
    package let part: (of: Source, name: String)?
    /// What leads the same way from the entity of the one row to that of the other; nil where nothing does.
    package let relation: (any Sendable)?
    /// Whether there may be no such row, so that all its columns are NULL.
    package let isOptional: Bool

    /// The rows that a closure is asked about.
    ///
    /// - Parameters:
    ///   - table: Their table.
    ///   - isOptional: Whether there may be none, as beside a row that nothing was joined to.
    package init(_ table: SourceTable, isOptional: Bool = false) {
        self.table = table
        path = nil
        part = nil
        relation = nil
        self.isOptional = isOptional
    }

    /// The row that a path leads to.
    ///
    /// - Parameters:
    ///   - table: The table of the row.
    ///   - source: Where the step begins; nil for the innermost query.
    ///   - step: The step.
    ///   - relation: What leads the same way from entity to entity.
    package init(_ table: SourceTable, from source: Source?, _ step: PathStep, relation: (any Sendable)? = nil) {
        self.table = table
        path = (source, step)
        part = nil
        self.relation = relation
        isOptional = step.isOptional || source?.isOptional == true
    }

    /// A part of each row that a query gives.
    ///
    /// - Parameters:
    ///   - name: What the part is called.
    ///   - whole: The row.
    ///   - table: What has the columns of the part.
    ///   - isOptional: Whether there may be none, so that all its columns are NULL.
    package init(part name: String, of whole: Source, as table: SourceTable, isOptional: Bool) {
        self.table = SourceTable(part: name, of: whole.table, as: table)
        path = nil
        part = (whole, name)
        relation = nil
        self.isOptional = isOptional
    }

    /// The rows that the path begins at; nil for those of the innermost query.
    package var root: Source? {
        if let part { return part.of.root }
        return path.map { $0.from?.root } ?? self
    }

    /// The column that the path begins by; nil where there is no path.
    var firstKey: String? { path.map { $0.from?.firstKey ?? $0.step.key } }

    /// The same path, beginning at a source where it began at none.
    package func rooted(at root: Source) -> Source {
        // A column that was reached through the root starts there already: rooted again, it would take the path's steps twice.
        guard self != root, let path else { return self }
        guard let from = path.from else { return Source(table, from: root, path.step, relation: relation) }
        let rooted = from.rooted(at: root)
        return rooted == from ? self : Source(table, from: rooted, path.step, relation: relation)
    }
}

extension Source: Equatable {
    package static func == (left: Source, right: Source) -> Bool { left === right }
}

/// A step from a row to the one row whose id it holds.
package struct PathStep: Sendable, Hashable {
    /// What the row is called in SQL, if nothing else has that name.
    package let name: String
    /// The column that refers to the row.
    package let key: String
    /// Whether there may be no such row: NULL, or a key that nothing enforces.
    package let isOptional: Bool

    package init(name: String, key: String, isOptional: Bool) {
        self.name = name
        self.key = key
        self.isOptional = isOptional
    }

    /// Whether both lead from a row to the same one, whatever it is called.
    func leadsWhere(_ other: PathStep) -> Bool {
        key == other.key && isOptional == other.isOptional
    }
}
