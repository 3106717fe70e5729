/// A table as expressions know it: its columns by name, each with the form of its values.
package final class SourceTable: Sendable {
    package let name: String
    package let columns: [SourceColumn]
    /// The column by which a row is known; empty for the rows of a query that are no entities.
    package let idColumn: String
    /// The query whose rows it has; nil for a table of the database.
    package let rows: QueryPlan?
    /// Columns that only tell the rows of a query apart; nobody selects them by name.
    let hiddenColumns: [(column: SourceColumn, value: ExpressionNode)]
    let quotedName: String
    /// All columns, as a SELECT lists them.
    package let selectList: String
    /// Why no table can hold the columns, if so.
    private let problem: String?

    private init(
        name: String, columns: [SourceColumn], idColumn: String, problem: String? = nil, rows: QueryPlan? = nil,
        hiddenColumns: [(column: SourceColumn, value: ExpressionNode)] = []
    ) {
        self.name = name
        self.columns = columns
        self.idColumn = idColumn
        self.problem = problem
        self.rows = rows
        self.hiddenColumns = hiddenColumns
        quotedName = name.quotedIdentifier
        selectList = columns.map(\.quotedName).joined(separator: ", ")
    }

    package convenience init(name: String, columns: [ColumnSchema], idColumn: String, problem: String?) {
        self.init(name: name, columns: columns.map(SourceColumn.init), idColumn: idColumn, problem: problem)
    }

    /// The column of that name.
    ///
    /// - Throws: `StorageError.queryFailed` that lists the columns, if there is no such column;
    ///   `StorageError.invalidConfiguration` for an entity that no table can hold.
    package func column(_ name: String) throws -> SourceColumn {
        if let column = columns.first(where: { $0.name == name }) ?? hiddenColumn(name) { return column }
        if let problem { throw StorageError.invalidConfiguration(message: problem) }
        let names = columns.map(\.name)
        let hint = names.nearest(to: name).map { "; did you mean '\($0)'? Its" } ?? "; its"
        throw StorageError.invalidQuery(
            "table '\(self.name)' has no column '\(name)'\(hint) columns are " + names.joined(separator: ", "))
    }

    /// The column of this table that an expression is, where nothing else will do: in a key, in an index.
    ///
    /// - Throws: As ``column(_:)`` does, and for what is calculated or a column of another table.
    package func ownColumn(_ expression: ExpressionNode) throws -> SourceColumn {
        guard expression.isPlainColumn, let name = expression.columnName else {
            let other = expression.columnName.map { "'\($0)' at the end of a path" } ?? "an expression"
            throw StorageError.invalidQuery("\(other) is no column of table '\(self.name)' itself")
        }
        return try column(name)
    }

    /// The name of the column that is written so with or without underscores. One that stands for no column stays as it is, so that
    /// the query throws and lists the columns.
    package func columnName(spelled name: String) -> String {
        let spelling = name.columnSpelling
        let matches = columns.filter { $0.name.columnSpelling == spelling }
        return matches.count == 1 ? matches[0].name : name
    }
}

extension String {
    fileprivate var columnSpelling: String {
        filter { $0 != "_" }.lowercased()
    }
}

// MARK: - The rows of a query

extension SourceTable {
    /// By which columns a row is known.
    var identity: [String] {
        if rows == nil { return [idColumn] }
        return (hiddenColumns.isEmpty ? columns : hiddenColumns.map(\.column)).map(\.name)
    }

    /// The column of that name among those that only tell the rows of a query apart.
    func hiddenColumn(_ name: String) -> SourceColumn? { hiddenColumns.first { $0.column.name == name }?.column }
}

extension SourceTable {
    /// The rows of a query, for a query that asks those.
    ///
    /// - Parameters:
    ///   - name: What the rows are called.
    ///   - columns: What is called so of what the query selects, in its order.
    ///   - idColumn: The one of them by which an entity is known; empty where rows are none.
    ///   - plan: The query. Its order only says which rows a limit leaves.
    package convenience init(name: String, columns: [String], idColumn: String, of plan: QueryPlan) {
        var rows = plan
        if plan.limit == nil, plan.offset == nil {
            rows = plan.unranked()
            rows.order = []
        }
        let selection = plan.selection ?? []
        let names = Dictionary(grouping: columns, by: \.asciiLowercased)
        if let same = columns.first(where: { names[$0.asciiLowercased]?.count != 1 }) {
            rows.add(
                .invalid("to SQL, '\(same)' has the name of another selected value: capitals are small letters to it"))
        }
        if let own = columns.first(where: \.isOwnName) {
            rows.add(.invalid("'\(own)' is no name for a selected value: those that begin so are StorageKit's own"))
        }
        let keys = plan.isDistinct ? [] : plan.identity
        self.init(
            name: name, columns: zip(columns, selection).map { SourceColumn($0, plan.formAsColumn(of: $1)) },
            idColumn: idColumn, rows: rows,
            hiddenColumns: keys.enumerated().map {
                (SourceColumn("storagekit_key\($0)", plan.formAsColumn(of: $1)), $1)
            })
    }

    /// Those columns that are a part of each row, under the names that they have in it.
    ///
    /// - Parameters:
    ///   - part: What the part is called.
    ///   - table: The rows.
    ///   - other: What has the same columns.
    convenience init(part: String, of table: SourceTable, as other: SourceTable) {
        let prefix = part + "."
        self.init(
            name: other.name,
            columns: table.columns.filter { $0.name.hasPrefix(prefix) }.map { $0.withoutPrefix(prefix) },
            idColumn: other.idColumn)
    }
}

extension QueryPlan {
    /// The plan of a query that asks the rows of this one.
    ///
    /// - Parameters:
    ///   - name: What the rows are called.
    ///   - columns: What is called so of what the plan selects.
    ///   - idColumn: The one of them by which an entity is known; empty where rows are none.
    package func asTable(_ name: String, columns: [String], idColumn: String) -> QueryPlan {
        var plan = QueryPlan(SourceTable(name: name, columns: columns, idColumn: idColumn, of: self))
        plan.coders = coders
        return plan
    }

    /// What a column of the rows holds. Where it cannot be said the plan cannot be written either, and says why.
    fileprivate func formAsColumn(of expression: ExpressionNode) -> ValueForm {
        let form = expression.isNestedTooDeep ? nil : try? form(of: expression)
        return form ?? ValueForm(type: nil, mayBeNull: true)
    }
}

/// A column of a table, with what statements say of it.
package struct SourceColumn: Sendable {
    package let schema: ColumnSchema
    let quotedName: String
    package let form: ValueForm

    package var name: String { schema.name }

    init(_ schema: ColumnSchema) {
        self.schema = schema
        quotedName = schema.name.quotedIdentifier
        form = ValueForm(
            type: ColumnType(rawValue: schema.type.uppercased()), mayBeNull: !schema.notNull && !schema.primaryKey)
    }

    /// A column of the rows of a query.
    ///
    /// - Parameter quotedName: How it is written; nil for its own name.
    fileprivate init(_ name: String, _ form: ValueForm, _ quotedName: String? = nil) {
        schema = ColumnSchema(name: name, type: form.type?.rawValue ?? "", notNull: !form.mayBeNull)
        self.quotedName = quotedName ?? name.quotedIdentifier
        self.form = form
    }

    /// The same column under a shorter name.
    fileprivate func withoutPrefix(_ prefix: String) -> SourceColumn {
        SourceColumn(String(name.dropFirst(prefix.count)), form, quotedName)
    }
}
