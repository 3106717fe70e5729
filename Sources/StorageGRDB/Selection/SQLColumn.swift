/// A column of the app's own SQL that was found by its name: what generated code takes for a property.
public struct SQLColumn<Value>: Selectable {
    /// How it is read. Nothing is selected for it, since the statement says what there is.
    public let _selected: _Selected<Value>
}

extension SQLColumns {
    /// The column of a property. Called by generated code.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: The type of the property.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for a name that no column has, and for an entity, which is no column.
    public func column<T>(_ name: String, _ type: T.Type) throws -> SQLColumn<T> {
        let place = try place(of: name)
        guard let coder = LeafCoder.ofColumn(type, orJSON: true) else {
            throw StorageError.invalidQuery("'\(name)' is to be a \(T.self), which is no type of a column")
        }
        return SQLColumn(
            _selected: _Selected([]) { row in
                row.index = place
                return try coder.next(&row)
            })
    }
}
