/// The columns of an entity without the macro, which are known when its record is asked, and to no compiler.
public struct UntypedColumns: ColumnsBySpelling {
    private let table: SourceTable

    fileprivate init(_ table: SourceTable) {
        self.table = table
    }

    /// The column that a name stands for.
    public func _column<T>(spelled name: String, as type: T.Type) -> Column<T> {
        Column(table.columnName(spelled: name))
    }
}

extension RegisteredEntity where StorageColumns == UntypedColumns {
    /// Columns by their names.
    public static var storageColumns: UntypedColumns { UntypedColumns(RecordTable(Record.self).source) }
}
