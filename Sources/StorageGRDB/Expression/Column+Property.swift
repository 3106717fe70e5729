// The typed column of a property. The compiler chooses by the property's type, by the same rule as for reading and writing it:
// see `Storing.swift`.

/// The column of a property that is a ``ColumnValue``.
public func _column<T: ColumnValue>(_ name: String, _ type: T.Type) -> Column<T> {
    Column(name)
}

/// The column of a raw value.
public func _column<T: RawRepresentable>(_ name: String, _ type: T.Type) -> Column<T> where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a raw value that may be missing.
public func _column<T: RawRepresentable>(_ name: String, _ type: T?.Type) -> Column<T?> where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a type that is both: its own form wins over the raw value.
public func _column<T: ColumnValue & RawRepresentable>(_ name: String, _ type: T.Type) -> Column<T>
where T.RawValue: ColumnValue {
    Column(name)
}

/// The column of a type that is both and may be missing.
public func _column<T: ColumnValue & RawRepresentable>(_ name: String, _ type: T?.Type) -> Column<T?>
where T.RawValue: ColumnValue {
    Column(name)
}

/// A type where its name alone would be that of a property.
public enum _Type<Value> {
    /// The type.
    public static var itself: Value.Type { Value.self }
}

/// The type of what a key path leads to: that of a field of an embedded value, for its column.
public func _type<Root, Value>(at keyPath: KeyPath<Root, Value>) -> Value.Type { Value.self }
