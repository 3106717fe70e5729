/// The columns of an embedded value inside a `where` closure: `$0.shippingAddress.city` is a `Column<String>`.
///
/// Every stored property of the value is a column, checked by the compiler; one that is a value itself has columns
/// of its own, `$0.shippingAddress.geo.latitude`.
@dynamicMemberLookup
public struct EmbeddedColumns<Root: Codable & Sendable, Value>: HasColumns, Sendable {
    /// The property of the entity.
    let property: String
    /// What the names of all columns begin with.
    let prefix: String
    let type: EmbeddedType<Root>
    fileprivate(set) var isOptional: Bool
    /// The way from the embedded value to the one inside it that these are the columns of; nil if some step of it is
    /// no stored property.
    fileprivate let steps: Steps?
    /// The value inside, as far as optionals on the way to it have values.
    fileprivate let value: @Sendable (Root) -> Value?
    /// Whose columns they are; nil for those of the innermost query.
    fileprivate var source: Source?
}

extension EmbeddedColumns: ColumnRefMember {
    /// The same columns, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> EmbeddedColumns<Root, Value> {
        var columns = self
        columns.source = source?.rooted(at: place.source) ?? place.source
        return columns
    }
}

extension EmbeddedColumns {
    fileprivate func column<T, Stored>(
        _ keyPath: KeyPath<Value, T>, _ stored: (T) -> StoredValue?
    ) -> Column<Stored> {
        guard let steps = steps(through: keyPath),
            let leaf = type.leaf(at: steps, { root in value(root).flatMap { stored($0[keyPath: keyPath]) } })
        else {
            return Column(invalid)
        }
        return Column(.column(prefix + leaf.name, of: source))
    }

    fileprivate func deeper<T>(
        _ keyPath: PartialKeyPath<Value>, _ inner: @escaping @Sendable (Value) -> T?
    ) -> EmbeddedColumns<Root, T> {
        let value = value
        return EmbeddedColumns<Root, T>(
            property: property, prefix: prefix, type: type, isOptional: isOptional,
            steps: steps(through: keyPath), value: { value($0).flatMap(inner) }, source: source)
    }

    /// Only a stored property has an offset. Anything else, a subscript or a getter, might not bear a sample.
    private func steps(through keyPath: PartialKeyPath<Value>) -> Steps? {
        guard var steps, MemoryLayout<Value>.offset(of: keyPath) != nil else { return nil }
        steps.keyPaths.append(keyPath)
        return steps
    }
}

// MARK: - The whole value

extension EmbeddedColumns {
    /// The keys that lead to the value, and what is stored of it; nil if some step on the way is no stored property.
    var stored: (path: [String], kind: EmbeddedShape.Kind)? {
        guard let steps else { return nil }
        guard !steps.keyPaths.isEmpty else { return type.problem == nil ? ([], .nested(type.shape)) : nil }
        guard let path = type.path(at: steps, { value($0).flatMap(jsonText) }) else { return nil }
        let keys = Array(path.prefix(steps.keyPaths.count))
        return type.shape.kind(at: keys).map { (keys, $0) }
    }

    /// The columns of a value inside.
    func nodes(at path: [String]) -> [ExpressionNode] {
        type.leaves.filter { $0.path.starts(with: path) }.map { .column(prefix + $0.name, of: source) }
    }

    /// Why the columns cannot be found, as a query says it.
    var invalid: ExpressionNode {
        .invalid(
            problem
                ?? "'\(property)': there is a step in the way to the value that is no stored property, or that cannot be told "
                + "from another one of its type, which needs an 'otherSample' beside its 'sample' (SampleProviding)")
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
    public subscript<T: Codable & Sendable>(dynamicMember keyPath: KeyPath<Value, T>) -> EmbeddedColumns<Root, T> {
        let shared = SharedKeyPath(keyPath)
        return deeper(keyPath) { $0[keyPath: shared.keyPath] }
    }

    /// The columns of a value inside the value that may be missing.
    @_disfavoredOverload
    public subscript<T: Codable & Sendable>(dynamicMember keyPath: KeyPath<Value, T?>)
        -> OptionalEmbeddedColumns<Root, T>
    {
        let shared = SharedKeyPath(keyPath)
        return OptionalEmbeddedColumns(columns: deeper(keyPath) { $0[keyPath: shared.keyPath] })
    }
}

/// A key path of a stored property, which captures nothing.
private struct SharedKeyPath<Root, Value>: @unchecked Sendable {
    let keyPath: KeyPath<Root, Value>
    init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }
}

// MARK: - The column list

/// The columns of a `@StorageEmbedded` property.
public func _embedded<Value: Codable & Sendable>(
    _ property: String, _ prefix: String, _ type: Value.Type
) -> EmbeddedColumns<Value, Value> {
    EmbeddedColumns(property: property, prefix: prefix, type: .shared, isOptional: false, steps: Steps(), value: { $0 })
}

/// The columns of a `@StorageEmbedded` property that may be missing.
public func _embedded<Value: Codable & Sendable>(
    _ property: String, _ prefix: String, _ type: Value?.Type
) -> OptionalEmbeddedColumns<Value, Value> {
    OptionalEmbeddedColumns(columns: _embedded(property, prefix, Value.self).orNil)
}

extension EmbeddedColumns {
    /// The same columns, of a value that may be missing.
    var orNil: EmbeddedColumns {
        var columns = self
        columns.isOptional = true
        return columns
    }

    /// Why the columns cannot be found.
    var problem: String? {
        type.problem.map { "'\(property)' cannot be embedded: \($0)" }
    }
}

// MARK: - As a whole

/// Never there: it gives the compiler words for a comparison that embedded values have not.
@available(*, unavailable, message: "an embedded value is not comparable as a whole; compare its properties")
public func == <Root, Value>(lhs: EmbeddedColumns<Root, Value>, rhs: Value) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words for a comparison that embedded values have not.
@available(*, unavailable, message: "an embedded value is not comparable as a whole; compare its properties")
public func != <Root, Value>(lhs: EmbeddedColumns<Root, Value>, rhs: Value) -> Predicate { Predicate(.never) }

// MARK: - Nil

/// Never there: it gives the compiler words for a nil beside a value that cannot be missing.
@available(*, unavailable, message: "the value is never nil")
public func == <Root, Value>(lhs: EmbeddedColumns<Root, Value>, rhs: _OptionalNilComparisonType) -> Predicate {
    Predicate(.never)
}

/// Never there: it gives the compiler words for a nil beside a value that cannot be missing.
@available(*, unavailable, message: "the value is never nil")
public func != <Root, Value>(lhs: EmbeddedColumns<Root, Value>, rhs: _OptionalNilComparisonType) -> Predicate {
    Predicate(.never)
}

/// The embedded value is nil, or there is no row that it could stand in: all its columns are NULL.
public func == <Root, Wrapped>(
    lhs: OptionalEmbeddedColumns<Root, Wrapped>, rhs: _OptionalNilComparisonType
) -> Predicate {
    lhs.columns.isNil
}

/// The embedded value is there: one of its columns is not NULL.
public func != <Root, Wrapped>(
    lhs: OptionalEmbeddedColumns<Root, Wrapped>, rhs: _OptionalNilComparisonType
) -> Predicate {
    Predicate(.not(lhs.columns.isNil.node))
}

extension EmbeddedColumns {
    fileprivate var isNil: Predicate {
        let nodes = optionalLeaves.map { ExpressionNode.isNull(.column(prefix + $0.name, of: source)) }
        guard let first = nodes.first else { return Predicate(invalid) }
        return Predicate(nodes.dropFirst().reduce(first) { .and($0, $1) })
    }

    private var optionalLeaves: [EmbeddedLeaf] {
        guard let steps else { return [] }
        if steps.keyPaths.isEmpty { return type.leaves }
        // What is never nil by itself is nil with the whole value.
        return type.leaves { value($0) == nil } ?? (isOptional ? type.leaves : [])
    }
}
