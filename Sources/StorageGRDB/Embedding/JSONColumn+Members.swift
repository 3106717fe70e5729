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

// The same where the value that they are in may be nil. Key paths of its own type, and not of its columns: with these the compiler gives up over
// `$0.place.tags.count == 2`.

extension JSONColumn {
    /// A value; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: ColumnValue>(dynamicMember keyPath: KeyPath<W, V>) -> Column<V?>
    where T == W? {
        Column(inside(W.self)[dynamicMember: keyPath].node)
    }

    /// A value that may be missing.
    public subscript<W: Codable & Sendable, V: ColumnValue>(dynamicMember keyPath: KeyPath<W, V?>) -> Column<V?>
    where T == W? {
        inside(W.self)[dynamicMember: keyPath]
    }

    /// A raw value; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: RawRepresentable & Sendable>(
        dynamicMember keyPath: KeyPath<W, V>
    ) -> Column<V?> where T == W?, V.RawValue: ColumnValue {
        Column(inside(W.self)[dynamicMember: keyPath].node)
    }

    /// A raw value that may be missing.
    public subscript<W: Codable & Sendable, V: RawRepresentable & Sendable>(
        dynamicMember keyPath: KeyPath<W, V?>
    ) -> Column<V?> where T == W?, V.RawValue: ColumnValue {
        inside(W.self)[dynamicMember: keyPath]
    }

    /// A value whose type is both; nil where what it is in is nil.
    public subscript<W: Codable & Sendable, V: ColumnValue & RawRepresentable>(
        dynamicMember keyPath: KeyPath<W, V>
    ) -> Column<V?> where T == W?, V.RawValue: ColumnValue {
        Column(inside(W.self)[dynamicMember: keyPath].node)
    }

    /// A value whose type is both and that may be missing.
    public subscript<W: Codable & Sendable, V: ColumnValue & RawRepresentable>(
        dynamicMember keyPath: KeyPath<W, V?>
    ) -> Column<V?> where T == W?, V.RawValue: ColumnValue {
        inside(W.self)[dynamicMember: keyPath]
    }

    /// A value inside the value; nil where what it is in is nil.
    @_disfavoredOverload
    public subscript<W: Codable & Sendable, V: Codable & Sendable>(
        dynamicMember keyPath: KeyPath<W, V>
    ) -> JSONColumn<V?> where T == W? {
        let deeper: JSONColumn<V> = inside(W.self)[dynamicMember: keyPath]
        return JSONColumn<V?>(deeper.column, deeper.way)
    }

    /// A value inside the value that may be missing.
    @_disfavoredOverload
    public subscript<W: Codable & Sendable, V: Codable & Sendable>(
        dynamicMember keyPath: KeyPath<W, V?>
    ) -> JSONColumn<V?> where T == W? {
        inside(W.self)[dynamicMember: keyPath]
    }

    /// What the value is where there is one.
    private func inside<W: Codable & Sendable>(_ type: W.Type) -> JSONColumn<W> {
        JSONColumn<W>(column, way ?? JSONWay(from: W.self, isOptional: true))
    }
}
