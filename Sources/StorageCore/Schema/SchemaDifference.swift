/// A column that is one thing in the file and another in the model.
///
/// Those that a start leaves are reported to the migration logger, and by `AppMigrations.plan(on:)`:
///
/// ```swift
/// for difference in try schema.plan(on: pool).differences {
///     print(difference)
///     // 'users.age' is "age" INTEGER in the file and "age" INTEGER DEFAULT 18 in the model; ...
/// }
/// ```
public struct SchemaDifference: Sendable, Equatable {
    /// What differs.
    public enum Kind: Sendable, Equatable {
        /// The model has no such column. It stays with its values.
        case columnNotInModel
        /// The declared types differ.
        case type
        /// One takes NULL, the other does not.
        case nullability
        /// The column is part of the primary key on one side only.
        case primaryKey
        /// The model declares a default that the file does not have.
        case defaultValue
    }

    /// What differs.
    public let kind: Kind
    /// The table.
    public let table: String
    /// The column as the file has it.
    public let file: ColumnSchema
    /// The column as the model has it; nil if it has none.
    public let model: ColumnSchema?

    /// Creates a difference.
    ///
    /// - Parameters:
    ///   - kind: What differs.
    ///   - table: The table.
    ///   - file: The column as the file has it.
    ///   - model: The column as the model has it.
    public init(kind: Kind, table: String, file: ColumnSchema, model: ColumnSchema?) {
        self.kind = kind
        self.table = table
        self.file = file
        self.model = model
    }

    /// Whether no row can be inserted through the model: a column that it does not know takes no NULL and has
    /// no default.
    public var preventsInserts: Bool {
        kind == .columnNotInModel && file.notNull && !file.primaryKey && !file.hasDefault
    }
}

extension SchemaDifference: CustomStringConvertible {
    /// The SQL on both sides, and what to do.
    public var description: String {
        let column = "'\(table).\(file.name)'"
        guard let model else {
            return "\(column) is in the file (\(file.declaration)) and not in the model; it stays with its values"
                + (preventsInserts
                    ? ". It takes no NULL and has no default, so that no new row can be saved: "
                        + "drop it or give it a default in a migration" : "")
        }
        return "\(column) is \(file.declaration) in the file and \(model.declaration) in the model; "
            + "it stays as it is: change it in a migration, before autoSchema"
    }
}

extension ColumnSchema {
    fileprivate var declaration: String {
        primaryKey ? "\(sql) PRIMARY KEY" : sql
    }
}
