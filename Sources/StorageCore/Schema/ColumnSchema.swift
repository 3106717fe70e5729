/// One column of a table, as auto-schema creates it and compares it.
public struct ColumnSchema: Sendable, Equatable {
    /// The name of the column.
    public let name: String
    /// The SQL type: one of ``ColumnType``, or what another program has declared in a file.
    public let type: String
    /// Whether NULL is refused.
    public let notNull: Bool
    /// Whether the column is (part of) the primary key.
    public let primaryKey: Bool
    /// The SQL expression after `DEFAULT`, if any.
    public let defaultValue: String?

    /// Creates the description of a column.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The SQL type.
    ///   - notNull: Whether NULL is refused.
    ///   - primaryKey: Whether the column is (part of) the primary key.
    ///   - defaultValue: The SQL expression after `DEFAULT`.
    public init(
        name: String,
        type: String,
        notNull: Bool = false,
        primaryKey: Bool = false,
        defaultValue: String? = nil
    ) {
        self.name = name
        self.type = type
        self.notNull = notNull
        self.primaryKey = primaryKey
        self.defaultValue = defaultValue
    }

    /// The column with another default, or none.
    package func withDefault(_ value: String?) -> ColumnSchema {
        ColumnSchema(name: name, type: type, notNull: notNull, primaryKey: primaryKey, defaultValue: value)
    }

    /// Whether a row that says nothing of the column gets a value there: `DEFAULT NULL` gives none.
    package var hasDefault: Bool { defaultValue.map { $0.uppercased() != "NULL" } ?? false }
}
