import GRDB

// Columns that the model knows again.

extension Database {
    /// Those that have NULLs.
    func columnsToFill(
        in models: [TableModel], _ recorded: RecordedModels
    ) throws -> [(AutoTable, [ColumnSchema])] {
        try columnsThatWereUnknown(in: models, recorded).compactMap { table, columns in
            let columns = try columns.filter { try hasNulls($0, in: table.schema.name) }
            return columns.isEmpty ? nil : (table, columns)
        }
    }

    /// The columns that take NULL only because some model did not know them, and that this one knows. One that has got another
    /// type is filled when it has it.
    func columnsThatWereUnknown(
        in models: [TableModel], _ recorded: RecordedModels
    ) throws -> [(AutoTable, [ColumnSchema])] {
        try models.flatMap { model -> [(AutoTable, [ColumnSchema])] in
            let name = model.schema.name
            let found = try diff(model.schema)
            let returned = found.differences.filter { $0.kind == .nullability }.compactMap(\.model).filter { column in
                column.notNull && !found.retypedColumns.contains(column.name)
                    && recorded.has(.nullable(column.name, of: name))
            }
            return model.records.map { record in
                let columns = record.schema.columns.filter { column in
                    column.notNull && returned.contains { $0.name == column.name }
                }
                return (record, columns)
            }.filter { !$0.1.isEmpty }
        }
    }

    /// The columns of a table with what their NULLs become: what rows get in an added column.
    ///
    /// - Throws: ``MissingValueError`` if there is nothing.
    func filledAgain(
        _ columns: [ColumnSchema], of table: AutoTable, in run: MigrationContext
    ) throws -> [ColumnSchema] {
        do {
            return try filled(columns, of: table, in: run)
        } catch let error as MissingValueError {
            guard case .type(let type) = error.reason else { throw error }
            throw MissingValueError(table: error.table, column: error.column, reason: .nulls(type: type))
        }
    }

    func hasNulls(_ column: ColumnSchema, in table: String) throws -> Bool {
        try hasRow(in: table, where: "\(column.name.quotedIdentifier) IS NULL")
    }

    func fillNulls(of column: ColumnSchema, in table: String) throws {
        if let value = column.defaultValue { try fillNulls([column.name: value], in: table) }
    }

    /// Fills the rows that have NULL in all of some columns.
    ///
    /// - Parameter values: What each column becomes, as SQL writes it.
    func fillNulls(_ values: [String: String], in table: String) throws {
        let settings = values.map { "\($0.key.quotedIdentifier) = \($0.value)" }.joined(separator: ", ")
        let areNull = values.keys.map { "\($0.quotedIdentifier) IS NULL" }.joined(separator: " AND ")
        do {
            try execute(sql: "UPDATE main.\(table.quotedIdentifier) SET \(settings) WHERE \(areNull)")
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
            // One default for several rows, in a column of a unique key.
            throw SchemaConflictError(
                table: table, columns: values.keys.sorted(), reason: .nulls(rows: try count(areNull, in: table)))
        }
    }
}
