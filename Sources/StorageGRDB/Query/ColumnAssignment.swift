/// A column and its new value, for `Query.updateAll(set:)`.
///
/// ```swift
/// storage.query(User.self).where { $0.age < 18 }.updateAll { [$0.isActive.set(to: false)] }
/// ```
public struct ColumnAssignment: Sendable {
    package let column: String
    private let value: @Sendable (JSONCoders) throws -> StoredValue

    init(column: String, _ value: () throws -> StoredValue) {
        let stored = Result { try value() }
        self.init(column: column, with: { _ in try stored.get() })
    }

    /// - Parameter value: Makes the value with the coders of the store.
    init(column: String, with value: @escaping @Sendable (JSONCoders) throws -> StoredValue) {
        self.column = column
        self.value = value
    }

    /// Writes `"c" = ?`.
    func append<R>(to query: inout LoweredQuery, _ table: RecordTable<R>, isRepeated: Bool) throws {
        let schema = try table.column(column)
        guard !schema.primaryKey else { throw problem("the id of a row is for life") }
        guard column != table.sql.versionColumn else { throw problem("each write counts the version up") }
        guard !table.sql.isInOptionalValue(column) else {
            throw problem("it belongs to an optional value, which is there as a whole or not at all; save the entity")
        }
        guard !isRepeated else { throw problem("it is set twice") }
        let value: StoredValue
        do {
            value = try self.value(table.coders)
        } catch {
            throw problem(ColumnEncodingError(error).reason)
        }
        if value == .null, schema.notNull { throw problem("it may not be NULL") }
        query.sql += schema.quotedName + " = "
        query.append(schema.form(of: value))
    }

    private func problem(_ reason: String) -> StorageError {
        .invalidQuery("column '\(column)' cannot be set: \(reason)")
    }
}

extension Sequence<ColumnAssignment> {
    func contains(_ column: String) -> Bool {
        contains { $0.column == column }
    }
}

extension Column where T: ColumnValue {
    /// A new value for the column. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(column: name) { try value.storedValue() }
    }
}

extension Column where T: RawRepresentable, T.RawValue: ColumnValue {
    /// A new raw value for the column. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value.
    @_disfavoredOverload
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(column: name) { try value.rawValue.storedValue() }
    }
}

extension Column {
    /// A new raw value for a column that may be NULL. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    @_disfavoredOverload
    public func set<Raw: RawRepresentable>(to value: Raw?) -> ColumnAssignment
    where T == Raw?, Raw.RawValue: ColumnValue {
        ColumnAssignment(column: name) { try value?.rawValue.storedValue() ?? .null }
    }
}

extension JSONColumn where T: Encodable & Sendable {
    /// A new value for a column of JSON, written with the coders of the store. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value.
    @_disfavoredOverload
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(column: name) { coders in .text(try JSONText.encode(value, with: coders.makeEncoder())) }
    }
}

extension JSONColumn {
    /// A new value for a column of JSON that may be NULL, written with the coders of the store. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    public func set<Value: Encodable & Sendable>(to value: Value?) -> ColumnAssignment where T == Value? {
        ColumnAssignment(column: name) { coders in
            try value.map { .text(try JSONText.encode($0, with: coders.makeEncoder())) } ?? .null
        }
    }
}
