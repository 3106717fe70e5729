// A property whose type can have no column. Most of what generated code does with it compiles here, so that little more is reported
// than which property of what type it is.

/// Stands for the columns of such a property. It is not `Sendable`, which all columns of an entity are: what the compiler says of that
/// names the property, its type and what the type lacks.
public struct _TypeHasToBeCodable<T> {
    fileprivate init() {}
}

/// There is no column of a type that is not Codable.
@_disfavoredOverload
public func _column<T>(_ name: String, _ type: T.Type) -> _TypeHasToBeCodable<T> { _TypeHasToBeCodable() }

/// There are no columns of a value that is not Codable.
@_disfavoredOverload
public func _embedded<T>(_ property: String, _ prefix: String, _ type: T.Type) -> _TypeHasToBeCodable<T> {
    _TypeHasToBeCodable()
}

extension EntityDescription {
    /// Never called: the entity does not compile.
    public mutating func embedded<T>(_ columns: _TypeHasToBeCodable<T>, renamedFrom formerPrefixes: [String] = []) {}
}

extension RowReader {
    /// Never called: the entity does not compile.
    @_disfavoredOverload
    public mutating func next<T>() throws -> T { throw _TypeHasToBeCodable<T>.refusal }

    /// Never called: the entity does not compile.
    public mutating func next<T>(_ columns: _TypeHasToBeCodable<T>) throws -> T { throw _TypeHasToBeCodable<T>.refusal }
}

extension RowWriter {
    /// Says what is wrong, wherever a property is seen.
    @available(*, unavailable, message: "the type of a property has to be Codable")
    @_disfavoredOverload
    public mutating func append<T>(_ value: T) throws { throw _TypeHasToBeCodable<T>.refusal }

    /// Says what is wrong, wherever a property is seen.
    @available(*, unavailable, message: "the type of a property has to be Codable")
    public mutating func append<T>(_ value: T, _ columns: _TypeHasToBeCodable<T>) throws {
        throw _TypeHasToBeCodable<T>.refusal
    }
}

extension _Equality {
    /// Never called: the entity does not compile.
    @_disfavoredOverload
    public mutating func compare<T>(_ lhs: T, _ rhs: T) {}
}

extension PropertyDecoder {
    /// Never called: the entity does not compile.
    @_disfavoredOverload
    public func value<T>(_ name: String) throws -> T { throw _TypeHasToBeCodable<T>.refusal }
}

extension PropertyEncoder {
    /// Says what is wrong, of an enum with a raw value too, which has a column.
    @available(*, unavailable, message: "the type of a property has to be Codable")
    @_disfavoredOverload
    public mutating func append<T>(_ value: T, _ name: String) throws { throw _TypeHasToBeCodable<T>.refusal }
}

extension _TypeHasToBeCodable {
    fileprivate static var refusal: ColumnEncodingError { ColumnEncodingError(reason: "\(T.self) has to be Codable") }
}
