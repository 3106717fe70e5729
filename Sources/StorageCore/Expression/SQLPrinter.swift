/// Writes expressions and queries as SQL: the only place where they become text.
///
/// Values are arguments, and none of them becomes part of the text. Where one table is asked its columns have their names
/// alone; where there are several, each column says which one it is of.
package struct SQLPrinter {
    var query = LoweredQuery(sql: "")
    /// The queries around what is being written, the innermost last.
    private var scopes: [Scope] = []
    /// The names that rows have in the statement, in small letters.
    private var names: Set<String> = []
    /// Whether values stand in the text, for places where SQL takes no arguments.
    let writesLiterals: Bool
    /// The coders of the store, which write its JSON; nil for the usual ones.
    let coders: JSONCoders?
    /// Whether rows are called by the whole way to them. Without it `home.city.name` and `work.city.name`, each written alone, would
    /// both be `city.name`.
    var namesWholeWays = false

    // Not inlined: each place that begins to write would have a copy of how all its parts are made.
    @inline(never)
    init(writingLiterals: Bool = false, coders: JSONCoders? = nil) {
        writesLiterals = writingLiterals
        self.coders = coders
    }

    /// Writes something apart.
    mutating func piece(_ write: (inout SQLPrinter) throws -> Void) rethrows -> LoweredQuery {
        let before = query
        query = LoweredQuery(sql: "")
        try write(&self)
        let piece = query
        query = before
        return piece
    }

    mutating func append(_ text: String) { query.append(text) }

    /// Writes items with commas between them.
    mutating func append<Items: Sequence>(
        each items: Items, _ write: (inout SQLPrinter, Items.Element) throws -> Void
    ) rethrows {
        for (position, item) in items.enumerated() {
            if position > 0 { append(", ") }
            try write(&self, item)
        }
    }

    /// Writes a value.
    mutating func append(value: StoredValue) {
        if writesLiterals { append(value.literal) } else { query.append(value) }
    }
}

// MARK: - Sources

/// A query that is being written.
private struct Scope {
    /// The rows side by side in it: first those of its table, then those that paths lead to, in the order in which they are
    /// met.
    var rows: [NamedRows]
    let isQualified: Bool
    /// Whether something names the columns that only tell the rows of a query apart.
    var namesHiddenColumns = false
}

/// Rows under the name that they have in the statement.
struct NamedRows {
    let table: SourceTable
    /// In quotation marks.
    let name: String
    /// The sources that stand for them, where they are those of closures.
    let closures: [Source]
    /// The step to them from the rows at that position.
    let path: (from: Int, step: PathStep)?
    /// The rows at that position whose part they are, and what the part is called.
    var part: (of: Int, name: String)?
    /// Whether rows without them stay.
    var isOptional: Bool

    /// How a FROM clause names them.
    var declaration: String { name == table.quotedName ? name : "\(table.quotedName) \(name)" }
}

extension SQLPrinter {
    /// Writes what asks the rows of a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - isQualified: Whether columns have to say whose they are, also where there is one table only.
    ///   - write: Writes it.
    mutating func within(
        _ plan: QueryPlan, isQualified: Bool = false, _ write: (inout SQLPrinter) throws -> Void
    ) rethrows {
        let isQualified = isQualified || self.isQualified || plan.meansSeveralSources
        let name = isQualified ? freeName(plan.table.name).quotedIdentifier : plan.table.quotedName
        let rows = NamedRows(table: plan.table, name: name, closures: plan.sources, path: nil, isOptional: false)
        let joined = plan.joins.map { join in
            let name = freeName(join.table.name).quotedIdentifier
            return NamedRows(
                table: join.table, name: name, closures: join.closures, path: nil, isOptional: join.isOptional)
        }
        scopes.append(Scope(rows: [rows] + joined, isQualified: isQualified))
        defer { scopes.removeLast() }
        try write(&self)
    }

    /// Whether what is being written is of no query inside another.
    var isOutermost: Bool { scopes.count == 1 }

    /// Whether what is being written of the innermost query names the hidden columns of the query that it asks.
    var namesHiddenColumns: Bool { scopes.last?.namesHiddenColumns == true }

    /// The rows side by side in the innermost query, as far as they were met.
    var rows: [NamedRows] { scopes.last?.rows ?? [] }

    /// The names of rows, each different from all others in the statement. SQLite takes capitals of ASCII for small letters.
    private mutating func freeName(_ wanted: String) -> String {
        var (name, number) = (wanted, 1)
        while !names.insert(name.asciiLowercased).inserted {
            number += 1
            name = "\(wanted)\(number)"
        }
        return name
    }

    /// The rows that a source stands for. Where a path leads to rows not met before, the query that the path begins in gets them.
    ///
    /// - Throws: `StorageError.queryFailed` for a source that stands for nothing here.
    private mutating func place(of source: Source?) throws -> (scope: Int, rows: Int) {
        guard let source else {
            guard !scopes.isEmpty else { throw StorageError.invalidQuery("a column stands outside of all queries") }
            return (scopes.count - 1, 0)
        }
        if let (whole, name) = source.part { return try place(of: source, part: name, of: whole) }
        guard let path = source.path else {
            for scope in scopes.indices.reversed() {
                let found = scopes[scope].rows.firstIndex { $0.closures.contains(source) }
                if let found { return (scope, found) }
            }
            throw StorageError.invalidQuery(
                "a column of table '\(source.table.name)' is used outside the closure that it was given to")
        }
        let (scope, from) = try place(of: path.from)
        let rows = scopes[scope].rows
        let known = rows.firstIndex { rows in
            rows.path.map { $0.from == from && $0.step.leadsWhere(path.step) } == true && rows.table === source.table
        }
        if let known { return (scope, known) }
        // Parts of one row have its name, and their columns say which part they are of.
        let key = rows[from].part == nil ? path.step.key : try rows[from].table.column(path.step.key).quotedName
        let wanted = namesWholeWays ? "\(rows[from].name).\(key)" : path.step.name
        let name = freeName(wanted).quotedIdentifier
        scopes[scope].rows.append(
            NamedRows(
                table: source.table, name: name, closures: [], path: (from, path.step),
                isOptional: source.isOptional))
        return (scope, rows.count)
    }

    /// Notes of the innermost query that rows to which paths lead are there wherever a condition holds: SQLite, which sees that of few
    /// conditions, then need not begin with the rows that the paths start at.
    mutating func note(neededBy condition: ExpressionNode) throws {
        for source in condition.neededByCondition {
            let (scope, behind) = try place(of: source)
            guard scope == scopes.count - 1 else { continue }
            var place = behind
            while let before = rows[place].path?.from ?? rows[place].part?.of {
                if rows[place].path != nil { scopes[scope].rows[place].isOptional = false }
                place = before
            }
        }
    }

    /// A part of rows stands where they do.
    private mutating func place(of source: Source, part: String, of whole: Source) throws -> (scope: Int, rows: Int) {
        let (scope, from) = try place(of: whole)
        let rows = scopes[scope].rows
        if let known = rows.firstIndex(where: { $0.part.map { $0.of == from && $0.name == part } == true }) {
            return (scope, known)
        }
        scopes[scope].rows.append(
            NamedRows(
                table: source.table, name: rows[from].name, closures: [], path: nil, part: (from, part),
                isOptional: source.isOptional))
        return (scope, rows.count)
    }

    /// The query that has the rows of a source, or those that its path begins at; nil if there is none here.
    private func scope(of source: Source?) -> Int? {
        guard let root = source?.root else { return scopes.isEmpty ? nil : scopes.count - 1 }
        return scopes.lastIndex { $0.rows.contains { $0.closures.contains(root) } }
    }

    /// An aggregate that SQLite takes for one of the rows that it is of: to SQLite it belongs to the innermost query of which it has a
    /// column, and without any to the one that it stands in.
    func anchored(_ aggregate: Aggregate) -> Aggregate {
        guard let rows = aggregate.rows, let scope = scope(of: rows), let name = rows.table.identity.first else {
            return aggregate
        }
        let parts = [aggregate.argument, aggregate.condition].compactMap(\.self)
        let hasColumn = parts.contains { part in
            part.contains { if case .column(_, let source) = $0 { self.scope(of: source) == scope } else { false } }
        }
        if hasColumn || parts.isEmpty && scope == scopes.count - 1 { return aggregate }
        // SQLite writes 1 for `IS NOT NULL` of a column that refuses NULL, and then there is no column.
        let column = ExpressionNode.column(name, of: rows)
        let isThere = ExpressionNode.or(.isNull(column), .compare(.equal, column, column))
        let value = aggregate.argument ?? .constant(.integer(1), .integer)
        return Aggregate(
            aggregate.kind, .choice([Choice(isThere, value)], otherwise: .constant(.null, nil)),
            where: aggregate.condition, isDistinct: aggregate.isDistinct, of: rows)
    }

    /// Whether columns say whose they are, since there may be several tables.
    var isQualified: Bool { scopes.last?.isQualified == true }

    /// A column as the statement names it.
    mutating func name(of column: String, of source: Source?) throws -> String {
        let (scope, place) = try place(of: source)
        let rows = scopes[scope].rows[place]
        let name = try rows.table.column(column).quotedName
        if rows.table.hiddenColumn(column) != nil { scopes[scope].namesHiddenColumns = true }
        return scopes[scope].isQualified ? "\(rows.name).\(name)" : name
    }

    /// Writes a column with its table, also where there is one table only.
    mutating func append(qualified node: ExpressionNode) throws {
        guard case .column(let column, let source) = node else { return try append(operand: node) }
        let (scope, place) = try place(of: source)
        let rows = scopes[scope].rows[place]
        append("\(rows.name).\(try rows.table.column(column).quotedName)")
    }

    /// What an expression gives where it is being written.
    func form(of node: ExpressionNode) throws -> ValueForm {
        try node.form(in: scopes.last?.rows.first?.table)
    }

    /// The columns of the innermost query's table, as a SELECT lists them.
    var allColumns: String {
        guard let scope = scopes.last, let rows = scope.rows.first else { return "" }
        guard scope.isQualified else { return rows.table.selectList }
        return rows.table.columns.map { "\(rows.name).\($0.quotedName)" }.joined(separator: ", ")
    }

    /// A name of SQLite's for something of the innermost query's rows.
    func qualified(_ name: String) -> String {
        guard let scope = scopes.last, scope.isQualified, let rows = scope.rows.first else { return name }
        return "\(rows.name).\(name)"
    }
}
