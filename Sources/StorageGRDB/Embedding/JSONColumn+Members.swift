// What is inside a column of JSON. As of the columns of an entity, the compiler chooses by the property's type: see
// `Storing.swift`.

extension JSONColumn where T: Codable & Sendable {
    /// A value.
    public subscript<V: ColumnValue>(dynamicMember keyPath: KeyPath<T, V>) -> Column<V> {
        value(keyPath, .of(V.self))
    }

    /// A raw value.
    public subscript<V: RawRepresentable & Sendable>(dynamicMember keyPath: KeyPath<T, V>) -> Column<V>
    where V.RawValue: ColumnValue {
        value(keyPath, .raw(V.self))
    }

    /// A raw value that may be missing.
    public subscript<V: RawRepresentable & Sendable>(dynamicMember keyPath: KeyPath<T, V?>) -> Column<V?>
    where V.RawValue: ColumnValue {
        value(keyPath, .optionalRaw(V.self))
    }

    /// A value whose type is both.
    public subscript<V: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<T, V>) -> Column<V>
    where V.RawValue: ColumnValue {
        value(keyPath, .of(V.self))
    }

    /// A value whose type is both and that may be missing.
    public subscript<V: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<T, V?>) -> Column<V?>
    where V.RawValue: ColumnValue {
        value(keyPath, .of(V?.self))
    }

    /// A value inside the value.
    @_disfavoredOverload
    public subscript<V: Codable & Sendable>(dynamicMember keyPath: KeyPath<T, V>) -> JSONColumn<V> {
        JSONColumn<V>(column, begin.step(keyPath))
    }

    /// A value inside the value that may be missing.
    @_disfavoredOverload
    public subscript<V: Codable & Sendable>(dynamicMember keyPath: KeyPath<T, V?>) -> JSONColumn<V?> {
        JSONColumn<V?>(column, begin.step(keyPath, isOptional: true))
    }

    private var begin: JSONWay { way ?? JSONWay(from: T.self) }

    private func value<Stored>(_ keyPath: PartialKeyPath<T>, _ leaf: JSONLeaf) -> Column<Stored> {
        Column(.json(column, begin.step(keyPath).path(to: leaf)))
    }
}

extension JSONColumn {
    /// A value; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: ColumnValue>(dynamicMember keyPath: KeyPath<W, V>) -> Column<V?>
    where T == W? {
        value(keyPath, in: W.self, .of(V.self))
    }

    /// A value that may be missing.
    public subscript<W: Codable & Sendable, V: ColumnValue>(dynamicMember keyPath: KeyPath<W, V?>) -> Column<V?>
    where T == W? {
        value(keyPath, in: W.self, .of(V?.self))
    }

    /// A raw value; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: RawRepresentable & Sendable>(dynamicMember keyPath: KeyPath<W, V>)
        -> Column<V?>
    where T == W?, V.RawValue: ColumnValue {
        value(keyPath, in: W.self, .raw(V.self))
    }

    /// A raw value that may be missing.
    public subscript<W: Codable & Sendable, V: RawRepresentable & Sendable>(dynamicMember keyPath: KeyPath<W, V?>)
        -> Column<V?>
    where T == W?, V.RawValue: ColumnValue {
        value(keyPath, in: W.self, .optionalRaw(V.self))
    }

    /// A value whose type is both; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<W, V>)
        -> Column<V?> where T == W?, V.RawValue: ColumnValue
    {
        value(keyPath, in: W.self, .of(V.self))
    }

    /// A value whose type is both and that may be missing.
    public subscript<W: Codable & Sendable, V: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<W, V?>)
        -> Column<V?> where T == W?, V.RawValue: ColumnValue
    {
        value(keyPath, in: W.self, .of(V?.self))
    }

    /// A value inside the value; nil where what it is in is nil.
    @_disfavoredOverload
    public subscript<W: Codable & Sendable, V: Codable & Sendable>(dynamicMember keyPath: KeyPath<W, V>) -> JSONColumn<
        V?
    > where T == W? {
        JSONColumn<V?>(column, begin(W.self).step(keyPath))
    }

    /// A value inside the value that may be missing.
    @_disfavoredOverload
    public subscript<W: Codable & Sendable, V: Codable & Sendable>(dynamicMember keyPath: KeyPath<W, V?>) -> JSONColumn<
        V?
    > where T == W? {
        JSONColumn<V?>(column, begin(W.self).step(keyPath, isOptional: true))
    }

    private func begin<W: Codable & Sendable>(_ type: W.Type) -> JSONWay {
        way ?? JSONWay(from: W.self, isOptional: true)
    }

    private func value<W: Codable & Sendable, Stored>(
        _ keyPath: PartialKeyPath<W>, in type: W.Type, _ leaf: JSONLeaf
    ) -> Column<Stored> {
        Column(.json(column, begin(W.self).step(keyPath).path(to: leaf)))
    }
}
