// The columns of an entity without the macro are known when its record is asked, and to no compiler. So a value beside the column
// says what type it has: `$0.age >= 18` compares a `Column<Int>`. Where nothing does, it is text.

extension ColumnRef where E.StorageColumns == UntypedColumns {
    /// A text column by its name: `$0.name.hasPrefix("A")`, `\.name`.
    ///
    /// The name is looked up when the query is built, with or without underscores (`$0.createdAt` is `created_at`), and one that
    /// stands for no column makes the query throw.
    public subscript(dynamicMember name: String) -> Column<String> {
        column(spelled: name)
    }

    /// A column by its name, of the type of the value beside it: `$0.age >= 18`, `$0.kind == Kind.used`.
    @_disfavoredOverload
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        column(spelled: name)
    }

    /// A Bool column by its name: `$0.isActive`, `!$0.isActive`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<Bool> {
        column(spelled: name)
    }

    /// A column of any type that is compared with nil, by its name: `$0.note == nil`, `$0.due.isNotNull`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<String?> {
        column(spelled: name)
    }
}
