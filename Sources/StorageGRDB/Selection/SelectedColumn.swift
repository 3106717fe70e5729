// What queries know of the properties of a selected struct. The compiler chooses by the property's type, by the same rule as for the
// columns of entities: see `Column+Property.swift`.

/// The column of a property that is a ``ColumnValue``.
public func _selectedColumn<T: ColumnValue>(_ name: String, _ type: T.Type) -> Column<T> {
    Column(name)
}

/// The column of a raw value.
public func _selectedColumn<T: RawRepresentable>(_ name: String, _ type: T.Type) -> Column<T>
where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a raw value that may be missing.
public func _selectedColumn<T: RawRepresentable>(_ name: String, _ type: T?.Type) -> Column<T?>
where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a type that is both: its own form wins over the raw value.
public func _selectedColumn<T: ColumnValue & RawRepresentable>(_ name: String, _ type: T.Type) -> Column<T>
where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a type that is both and may be missing.
public func _selectedColumn<T: ColumnValue & RawRepresentable>(_ name: String, _ type: T?.Type) -> Column<T?>
where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a value that is kept as JSON.
@_disfavoredOverload
public func _selectedColumn<T: Codable & Sendable>(_ name: String, _ type: T.Type) -> JSONColumn<T> {
    JSONColumn(name)
}

/// An entity.
public func _selectedColumn<P: RegisteredEntity>(_ name: String, _ type: P.Type) -> ToOne<P> {
    ToOne(RowWay(.part(name, isOptional: false)))
}

/// An entity that may be missing.
public func _selectedColumn<P: RegisteredEntity>(_ name: String, _ type: P?.Type) -> OptionalToOne<P> {
    OptionalToOne(RowWay(.part(name, isOptional: true)))
}

/// A struct of several values.
public func _selectedColumn<S: SelectedStruct>(_ name: String, _ type: S.Type) -> SelectedPart<S> {
    SelectedPart(way: RowWay(.part(name, isOptional: false)))
}

/// Entities, which a statement of their own reads: no query can ask about them.
public func _selectedColumn<P: RegisteredEntity>(_ name: String, _ type: [P].Type) -> UnaskedColumn {
    UnaskedColumn()
}

/// A value of any other type, which is read and nothing else.
@_disfavoredOverload
public func _selectedColumn<T>(_ name: String, _ type: T.Type) -> UnaskedColumn {
    UnaskedColumn()
}

/// What a row has and no condition can ask about.
public struct UnaskedColumn: Sendable {}

/// The columns of a ``StorageSelection()`` struct inside another, in a query of selected rows: `$0.totals.open`.
@dynamicMemberLookup
public struct SelectedPart<S: SelectedStruct>: ColumnRefMember, HasColumns {
    let way: RowWay

    /// The same columns, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> SelectedPart<S> { SelectedPart(way: way.rooted(at: place)) }

    /// The column of a property.
    public subscript<Member: ColumnRefMember>(dynamicMember member: KeyPath<ColumnRef<S>, Member>) -> Member {
        let layout = S._layout
        let row = ColumnRef<S>(way.rows(of: SourceTable(name: layout.name, columns: [], idColumn: "", problem: nil)))
        return row[keyPath: member]
    }
}
