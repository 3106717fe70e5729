/// The columns of an entity without the macro, which are known when its record is asked, and to no compiler. So a value beside the
/// column says what type it has: `$0.age >= 18` compares a `Column<Int>`. Where nothing does, it is text.
///
/// A name is looked up when the query is built, with or without underscores (`$0.createdAt` is `created_at`), and one that stands for no
/// column makes the query throw.
@dynamicMemberLookup
public struct UntypedColumns: Sendable {
    private let table: SourceTable

    fileprivate init(_ table: SourceTable) {
        self.table = table
    }

    /// A text column by its name: `$0.name.hasPrefix("A")`, `\.name`.
    public subscript(dynamicMember name: String) -> Column<String> {
        column(name)
    }

    /// A column by its name, of the type of the value beside it: `$0.age >= 18`, `$0.kind == Kind.used`.
    @_disfavoredOverload
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        column(name)
    }

    /// A Bool column by its name: `$0.isActive`, `!$0.isActive`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<Bool> {
        column(name)
    }

    /// A column of any type that is compared with nil, by its name: `$0.note == nil`, `$0.due.isNotNull`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<String?> {
        column(name)
    }

    private func column<T>(_ name: String) -> Column<T> {
        Column(table.columnName(spelled: name))
    }
}

extension RegisteredEntity where StorageColumns == UntypedColumns {
    /// Columns by their names.
    public static var storageColumns: UntypedColumns { UntypedColumns(RecordTable(Record.self).source) }
}
