import StorageSQLite

/// What lies between a table as the model describes it and the table in a file.
///
/// A pure value: it needs no database.
///
/// ```swift
/// let diff = SchemaDiff(model: UserRecord.tableSchema, file: installed)
/// diff.missingColumns     // what auto-schema would add
/// diff.differences        // what is otherwise there than in the model
/// ```
public struct SchemaDiff: Sendable, Equatable {
    /// Whether the file has no such table: auto-schema creates it.
    public let isTableMissing: Bool
    /// The columns that the file lacks, in the order of the model: auto-schema adds them.
    public let missingColumns: [ColumnSchema]
    /// What is otherwise there than in the model. Auto-schema changes types, NULL and keys where the rows allow it.
    public let differences: [SchemaDifference]

    /// Compares a table on both sides. Names are compared without case, as SQLite does.
    ///
    /// - Parameters:
    ///   - model: The table as the model describes it.
    ///   - file: The table as the file has it; nil if it has none.
    public init(model: TableSchema, file: TableSchema?) {
        isTableMissing = file == nil
        guard let file else {
            missingColumns = []
            differences = []
            return
        }
        let inFile = Dictionary(file.columns.map { (SQLName($0.name), $0) }) { first, _ in first }
        let inModel = Set(model.columns.map { SQLName($0.name) })
        missingColumns = model.columns.filter { inFile[SQLName($0.name)] == nil }
        let changed = model.columns.flatMap { column in
            inFile[SQLName(column.name)]?.differences(from: column, table: model.name) ?? []
        }
        let unknown = file.columns.filter { !inModel.contains(SQLName($0.name)) }
        differences =
            changed
            + unknown.map { SchemaDifference(kind: .columnNotInModel, table: model.name, file: $0, model: nil) }
    }

    /// Whether auto-schema has no column to add, and no table to create.
    public var isUpToDate: Bool { !isTableMissing && missingColumns.isEmpty }

    /// The columns that have another type in the file.
    package var retypedColumns: [String] { differences.filter { $0.kind == .type }.compactMap(\.model?.name) }
}

extension ColumnSchema {
    /// How a column of a file differs from that of the model.
    fileprivate func differences(from model: ColumnSchema, table: String) -> [SchemaDifference] {
        var kinds: [SchemaDifference.Kind] = []
        if !hasSameType(as: model) { kinds.append(.type) }
        // SQLite says of a key that was declared without NOT NULL that it takes NULL.
        if notNull != model.notNull, !primaryKey, !model.primaryKey { kinds.append(.nullability) }
        if primaryKey != model.primaryKey { kinds.append(.primaryKey) }
        // Without a default in the model any will do: auto-schema itself gives added columns one.
        if let wanted = model.defaultValue, ![wanted, wanted.withoutParentheses].contains(defaultValue) {
            kinds.append(.defaultValue)
        }
        return kinds.map { SchemaDifference(kind: $0, table: table, file: self, model: model) }
    }

    /// Whether values mean the same under both declarations. A type of another program's, such as `VARCHAR(20)`,
    /// goes by its affinity; `BOOLEAN` and `DATETIME` share one and are yet not the same.
    private func hasSameType(as model: ColumnSchema) -> Bool {
        let isKey = primaryKey || model.primaryKey
        let (file, model) = (type.uppercased(), model.type.uppercased())
        if file == model { return true }
        // An INTEGER PRIMARY KEY is the rowid, which an INT PRIMARY KEY is not.
        if isKey, file == "INTEGER" || model == "INTEGER" { return false }
        return ColumnType(rawValue: file) == nil && Affinity(of: file) == Affinity(of: model)
    }
}

extension String {
    /// A computed default as SQLite tells it: what is in the parentheses.
    fileprivate var withoutParentheses: String {
        guard hasPrefix("("), hasSuffix(")") else { return self }
        return dropFirst().dropLast().trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
