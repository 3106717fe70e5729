// What generated code says of a table beside its columns.

extension EntityDescription {
    /// An index.
    ///
    /// - Parameter columns: The columns, in the order of the index.
    public mutating func index(_ columns: [String]) {
        declared.indexes.append(IndexSchema(columns))
    }

    /// A unique key.
    ///
    /// - Parameters:
    ///   - columns: The columns, in the order of the index behind it.
    ///   - ignoringCase: Whether `a` and `A` are the same to it.
    public mutating func unique(_ columns: [String], ignoringCase: Bool = false) {
        declared.indexes.append(IndexSchema(columns, isUnique: true, ignoresCase: ignoringCase))
    }

    /// The names that the table had in earlier versions of the model.
    ///
    /// - Parameter names: The names, the latest last.
    public mutating func renamed(from names: [String]) {
        declared.formerNames = names
    }

    /// The names that a column had in earlier versions of the model.
    ///
    /// - Parameters:
    ///   - column: The name that it has now.
    ///   - names: The names, the latest last.
    public mutating func renamed(_ column: String, from names: [String]) {
        declared.formerColumnNames[column] = names
    }
}

// MARK: - References

// The compiler compares the type of the column with that of the parent's id: the same, or with an optional more on either side.

extension EntityDescription {
    /// A column that holds ids of another entity.
    public mutating func reference<Id, Parent: RegisteredEntity>(
        _ column: String, _ type: Id.Type, to parent: Parent.Type, onDelete: ReferenceAction = .noAction,
        onUpdate: ReferenceAction = .noAction
    ) where Parent.Id == Id {
        refer(column, to: parent, onDelete, onUpdate)
    }

    /// A column that holds ids of another entity, or nothing.
    public mutating func reference<Id, Parent: RegisteredEntity>(
        _ column: String, _ type: Id?.Type, to parent: Parent.Type, onDelete: ReferenceAction = .noAction,
        onUpdate: ReferenceAction = .noAction
    ) where Parent.Id == Id {
        refer(column, to: parent, onDelete, onUpdate)
    }

    /// A column that holds ids of another entity, which SQLite gives.
    public mutating func reference<Id, Parent: RegisteredEntity>(
        _ column: String, _ type: Id.Type, to parent: Parent.Type, onDelete: ReferenceAction = .noAction,
        onUpdate: ReferenceAction = .noAction
    ) where Parent.Id == Id? {
        refer(column, to: parent, onDelete, onUpdate)
    }

    /// Never there: it gives the compiler words for a column of another type.
    @_disfavoredOverload
    @available(*, unavailable, message: "the property has to be of the type of the parent's id, or its optional")
    public mutating func reference<Value, Parent: RegisteredEntity>(
        _ column: String, _ type: Value.Type, to parent: Parent.Type, onDelete: ReferenceAction = .noAction,
        onUpdate: ReferenceAction = .noAction
    ) {}

    /// Never there: it gives the compiler words for a parent that is none.
    @_disfavoredOverload
    @available(*, unavailable, message: "the parent of a reference has to be an entity")
    public mutating func reference<Value, Parent>(
        _ column: String, _ type: Value.Type, to parent: Parent.Type, onDelete: ReferenceAction = .noAction,
        onUpdate: ReferenceAction = .noAction
    ) {}

    private mutating func refer<Parent: RegisteredEntity>(
        _ column: String, to parent: Parent.Type, _ onDelete: ReferenceAction, _ onUpdate: ReferenceAction
    ) {
        let schema: @Sendable () -> ReferenceSchema = {
            let record = Parent.Record.self
            return ReferenceSchema(
                column: column, table: record.databaseTableName,
                key: record.schemaColumns.first(where: \.primaryKey)?.name ?? "id", onDelete: onDelete,
                onUpdate: onUpdate)
        }
        declared.references.append((column, schema))
        if [onDelete, onUpdate].contains(.setDefault) { declared.columnsSetToDefault.insert(column) }
    }
}
