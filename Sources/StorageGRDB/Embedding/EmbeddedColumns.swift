/// The columns of an embedded value inside a `where` closure: `$0.shippingAddress.city` is a `Column<String>`.
///
/// Every stored property of the value is a column, checked by the compiler; one that is a value itself has columns
/// of its own, `$0.shippingAddress.geo.latitude`.
@dynamicMemberLookup
public struct EmbeddedColumns<Root: Codable & Sendable, Value>: @unchecked Sendable {
    // Unchecked for the key path only, which captures nothing but types.

    /// The property of the entity.
    let property: String
    /// What the names of all columns begin with.
    let prefix: String
    let type: EmbeddedType<Root>
    let isOptional: Bool
    fileprivate let path: KeyPath<Root, Value>

    fileprivate func column<T, Stored>(
        _ keyPath: KeyPath<Value, T>, _ stored: @escaping (T) -> StoredValue?
    ) -> Column<Stored> {
        let keyPath = path.appending(path: keyPath)
        guard let leaf = type.leaf(at: keyPath, stored) else {
            // Unknown to the table, so that the query throws and lists the columns there are.
            return Column("\(property)'s \(keyPath)")
        }
        return Column(prefix + leaf.name, leaf.storage)
    }

    fileprivate func deeper<T>(_ keyPath: KeyPath<Root, T>) -> EmbeddedColumns<Root, T> {
        EmbeddedColumns<Root, T>(property: property, prefix: prefix, type: type, isOptional: isOptional, path: keyPath)
    }
}

// MARK: - Members

extension EmbeddedColumns {
    /// The column of a property.
    public subscript<T: ColumnValue>(dynamicMember keyPath: KeyPath<Value, T>) -> Column<T> {
        column(keyPath) { try? $0.storedValue() }
    }

    /// The column of a raw value.
    public subscript<T: RawRepresentable>(dynamicMember keyPath: KeyPath<Value, T>) -> Column<T>
    where T.RawValue: ColumnValue {
        column(keyPath) { try? $0.rawValue.storedValue() }
    }

    /// The column of a raw value that may be missing.
    public subscript<T: RawRepresentable>(dynamicMember keyPath: KeyPath<Value, T?>) -> Column<T?>
    where T.RawValue: ColumnValue {
        column(keyPath) { try? $0?.rawValue.storedValue() }
    }

    /// The column of a property whose type is both.
    public subscript<T: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<Value, T>) -> Column<T>
    where T.RawValue: ColumnValue {
        column(keyPath) { try? $0.storedValue() }
    }

    /// The column of a property whose type is both and that may be missing.
    public subscript<T: ColumnValue & RawRepresentable>(dynamicMember keyPath: KeyPath<Value, T?>) -> Column<T?>
    where T.RawValue: ColumnValue {
        column(keyPath) { try? $0.storedValue() }
    }

    /// The columns of a value inside the value.
    @_disfavoredOverload
    public subscript<T: Codable>(dynamicMember keyPath: KeyPath<Value, T>) -> EmbeddedColumns<Root, T> {
        deeper(path.appending(path: keyPath))
    }

    /// The columns of a value inside the value that may be missing.
    @_disfavoredOverload
    public subscript<T: Codable>(dynamicMember keyPath: KeyPath<Value, T?>) -> EmbeddedColumns<Root, T> {
        // Samples, which the key path is tried on, have a value for each optional.
        deeper(path.appending(path: keyPath).appending(path: \.!))
    }
}

extension EmbeddedColumns {
    /// Never there: it gives the compiler words for a name that it does not find.
    @_disfavoredOverload
    @available(*, unavailable, message: "the value has no property of this name and type")
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        Column(name)
    }
}

// MARK: - The column list

/// The columns of a `@StorageEmbedded` property.
public func _embedded<E, Value: Codable & Sendable>(
    _ property: String, _ prefix: String, _ keyPath: KeyPath<E, Value>
) -> EmbeddedColumns<Value, Value> {
    EmbeddedColumns(property: property, prefix: prefix, type: .shared, isOptional: false, path: \.self)
}

/// The columns of a `@StorageEmbedded` property that may be missing.
public func _embedded<E, Value: Codable & Sendable>(
    _ property: String, _ prefix: String, _ keyPath: KeyPath<E, Value?>
) -> EmbeddedColumns<Value, Value> {
    EmbeddedColumns(property: property, prefix: prefix, type: .shared, isOptional: true, path: \.self)
}

extension EmbeddedColumns: SchemaPart {
    /// One column for each field, deeper ones in place.
    public var _columns: [(name: String, column: ColumnSchema)] {
        type.leaves.map { leaf in
            var storage = leaf.storage
            storage.isNullable = storage.isNullable || isOptional
            return (([property] + leaf.path).joined(separator: "."), storage.schema(name: prefix + leaf.name))
        }
    }

    /// Why the columns cannot be found.
    public var _problem: String? {
        type.problem.map { "'\(property)' cannot be embedded: \($0)" }
    }
}

// MARK: - Nil

/// The embedded value is nil: all its columns are NULL.
public func == <Value>(lhs: EmbeddedColumns<Value, Value>, rhs: _OptionalNilComparisonType) -> Predicate {
    lhs.isNil
}

/// The embedded value is there: one of its columns is not NULL.
public func != <Value>(lhs: EmbeddedColumns<Value, Value>, rhs: _OptionalNilComparisonType) -> Predicate {
    Predicate(.not(lhs.isNil.node))
}

extension EmbeddedColumns {
    fileprivate var isNil: Predicate {
        let nodes = _columns.map { PredicateNode.isNull(column: $0.column.name) }
        guard let first = nodes.first else {
            return Predicate(.invalid(column: property, reason: _problem ?? "there are no columns"))
        }
        return Predicate(nodes.dropFirst().reduce(first) { .and($0, $1) })
    }
}
