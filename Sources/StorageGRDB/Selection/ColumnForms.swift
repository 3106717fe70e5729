// How a selected column is read. A type parameter does not tell the compiler which of the forms of `Storing.swift` its type has,
// so that they are looked up by the type, once for each selected expression.

/// How a column of one type is read.
protocol ColumnForm<Value>: Sendable {
    associatedtype Value

    /// Reads the next column.
    func next(_ row: inout RowReader) throws -> Value
}

enum ColumnForms {
    /// How a column of the type is read; nil for a type that no column has.
    static func form<Value>(of type: Value.Type) -> (any ColumnForm<Value>)? {
        anyForm(of: type) as? any ColumnForm<Value>
    }

    /// How a column of JSON is read as the type; nil for a type that cannot be decoded.
    static func jsonForm<Value>(of type: Value.Type) -> (any ColumnForm<Value>)? {
        (type as? any Decodable.Type).flatMap { json($0) as? any ColumnForm<Value> }
    }

    private static func json<Value: Decodable>(_ type: Value.Type) -> any ColumnForm { JSONForm<Value>() }

    fileprivate static func anyForm(of type: any Any.Type) -> (any ColumnForm)? {
        (type as? any ColumnValue.Type)?.form ?? (type as? any OptionalForm.Type)?.formOfOptional
            ?? (type as? any RawRepresentable.Type)?.formOfRaw
    }
}

struct JSONForm<Value: Decodable>: ColumnForm {
    /// Whether it is a value inside JSON, which SQL gives as NULL where it is `null`.
    var isInside = false

    func next(_ row: inout RowReader) throws -> Value {
        guard isInside, row.isNull(at: row.index), !(Value.self is any OptionalType.Type) else {
            return try row.nextJSON()
        }
        return try row.nextNullOfJSON()
    }
}

private struct PlainForm<Value: ColumnValue>: ColumnForm {
    func next(_ row: inout RowReader) throws -> Value { try row.nextValue() }
}

private struct RawForm<Value: RawRepresentable>: ColumnForm {
    let raw: any ColumnForm<Value.RawValue>

    func next(_ row: inout RowReader) throws -> Value {
        let index = row.index
        guard let value = Value(rawValue: try raw.next(&row)) else {
            throw row.mismatch(at: index, expected: Value.self)
        }
        return value
    }
}

private struct FormOfOptional<Wrapped>: ColumnForm {
    let wrapped: any ColumnForm<Wrapped>

    func next(_ row: inout RowReader) throws -> Wrapped? {
        guard row.isNull(at: row.index) else { return try wrapped.next(&row) }
        row.skip()
        return nil
    }
}

extension ColumnValue {
    fileprivate static var form: any ColumnForm { PlainForm<Self>() }
}

extension RawRepresentable {
    fileprivate static var formOfRaw: (any ColumnForm)? {
        ColumnForms.form(of: RawValue.self).map { RawForm<Self>(raw: $0) }
    }
}

private protocol OptionalForm {
    static var formOfOptional: (any ColumnForm)? { get }
}

extension Optional: OptionalForm {
    fileprivate static var formOfOptional: (any ColumnForm)? {
        ColumnForms.form(of: Wrapped.self).map { FormOfOptional(wrapped: $0) }
    }
}
