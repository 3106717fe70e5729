/// A change of a table that SQLite has no statement for: the table is made anew from its own text, but for one clause.
enum ClauseChange: Equatable {
    /// A column gets another type.
    case type(ColumnSchema, to: ColumnSchema)
    /// A column takes NULL.
    case allowNull(ColumnSchema)
    /// A column that the model does not know takes NULL.
    case allowNullOfUnknown(ColumnSchema)
    /// A column takes NULL no longer.
    case refuseNull(ColumnSchema)
    /// A column gets the default of the model, which a reference sets.
    case changeDefault(of: String, to: String)
    case addReference(ReferenceSchema)
    case dropReference(ReferenceSchema)
    /// The table gets this key in the place of the one that it has.
    case key([String], givesIds: Bool)

    /// The columns that it is about.
    var columns: [String] {
        switch self {
        case .type(let column, _), .allowNull(let column), .allowNullOfUnknown(let column), .refuseNull(let column):
            [column.name]
        case .changeDefault(let column, _): [column]
        case .addReference(let reference), .dropReference(let reference): [reference.column]
        case .key(let columns, _): columns
        }
    }

    /// Whether a column of these gets another type.
    func changesType(ofOneOf columns: [String]) -> Bool {
        guard case .type(let column, _) = self else { return false }
        return columns.contains { $0.isSameName(as: column.name) }
    }

    var isKey: Bool { if case .key = self { true } else { false } }

    /// What it is in a plan.
    func operation(table: String) -> MigrationPlan.Operation {
        switch self {
        case .type(let column, let new): .changeType(column: column.name, from: column.type, to: new.type, table: table)
        case .allowNull(let column): .allowNull(column: column.name, table: table)
        case .allowNullOfUnknown(let column): .makeNullable(column: column.name, table: table)
        case .refuseNull(let column): .refuseNull(column: column.name, table: table)
        case .changeDefault(let column, let value): .changeDefault(column: column, to: value, table: table)
        case .addReference(let reference): .addReference(reference, table: table)
        case .dropReference(let reference): .dropReference(reference, table: table)
        case .key(let columns, _): .changeKey(columns: columns, table: table)
        }
    }
}
