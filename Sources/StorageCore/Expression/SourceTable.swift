/// A table as expressions know it: its columns by name, each with the form of its values.
package final class SourceTable: Sendable {
    package let name: String
    package let columns: [SourceColumn]
    package let idColumn: String
    let quotedName: String
    /// All columns, as a SELECT lists them.
    package let selectList: String
    /// Why no table can hold the columns, if so.
    private let problem: String?

    package init(name: String, columns: [ColumnSchema], idColumn: String, problem: String?) {
        self.name = name
        self.columns = columns.map(SourceColumn.init)
        self.idColumn = idColumn
        self.problem = problem
        quotedName = name.quotedIdentifier
        selectList = self.columns.map(\.quotedName).joined(separator: ", ")
    }

    /// The column of that name.
    ///
    /// - Throws: `StorageError.queryFailed` that lists the columns, if there is no such column;
    ///   `StorageError.invalidConfiguration` for an entity that no table can hold.
    package func column(_ name: String) throws -> SourceColumn {
        if let column = columns.first(where: { $0.name == name }) { return column }
        if let problem { throw StorageError.invalidConfiguration(message: problem) }
        let names = columns.map(\.name)
        let hint = names.nearest(to: name).map { "; did you mean '\($0)'? Its" } ?? "; its"
        throw StorageError.invalidQuery(
            "table '\(self.name)' has no column '\(name)'\(hint) columns are " + names.joined(separator: ", "))
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
            type: ColumnType(rawValue: schema.type), mayBeNull: !schema.notNull && !schema.primaryKey)
    }
}
