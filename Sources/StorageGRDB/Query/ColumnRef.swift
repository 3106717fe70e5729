/// The columns of an entity inside a `where` closure: `$0.age` is a `Column<Int>`.
@dynamicMemberLookup
public struct ColumnRef<E: RegisteredEntity>: Sendable {
    package init() {}

    /// The column of a stored property, or the columns of an embedded one. A misspelt name does not compile.
    public subscript<Columns>(dynamicMember columns: KeyPath<E.StorageColumns, Columns>) -> Columns {
        E.storageColumns[keyPath: columns]
    }

    /// Never there: it gives the compiler words for a name that it does not find. Without them it settles on a
    /// `where` without columns and complains about the `$0`.
    @_disfavoredOverload
    @available(*, unavailable, message: "the entity has no column of this name and type")
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        Column(name)
    }
}

/// An entity with an embedded value whose fields the macro could not see. Conformed to by generated code.
public protocol EntityWithUnseenColumns: RegisteredEntity {}

extension ColumnRef where E: EntityWithUnseenColumns {
    /// A column of an embedded value by its name without underscores: `$0.shippingCity` is `shipping_city`.
    ///
    /// The compiler cannot check it: the name is looked up when the query is built, and one that stands for no
    /// column makes the query throw. `$0.shippingAddress.city` is checked.
    @_disfavoredOverload
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        Column(columnName(spelled: name))
    }

    /// A text column of an embedded value by its name without underscores: `$0.shippingCity.hasPrefix("K")`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<String> {
        Column(columnName(spelled: name))
    }

    /// A Bool column of an embedded value by its name without underscores: `!$0.shippingIsExpress`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<Bool> {
        Column(columnName(spelled: name))
    }
}

extension ColumnRef {
    /// A name that stands for no column stays as it is, so that the query throws and lists the columns.
    func columnName(spelled name: String) -> String {
        let spelling = name.columnSpelling
        let matches = RecordTable(E.Record.self).columns.filter { $0.name.columnSpelling == spelling }
        return matches.count == 1 ? matches[0].name : name
    }
}

extension String {
    fileprivate var columnSpelling: String {
        filter { $0 != "_" }.lowercased()
    }
}
