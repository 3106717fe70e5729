// How a property of any type becomes one column. The compiler chooses by the type, so that generated code is
// the same for all: a ColumnValue as it is, a RawRepresentable by its raw value, any other Codable as JSON.
// The same choice is made for reading, for writing and for the typed column. Where the source shows
// that a type has a form of its own, generated code says so (`nextValue`, `appendValue`), which leaves the compiler nothing to
// choose from.

// MARK: - Reading

extension RowReader {
    /// Reads the next column, a type whose name is that of a ``ColumnValue``.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a value of that type.
    @inlinable
    public mutating func nextValue<Value: ColumnValue>() throws -> Value {
        let current = index
        index += 1
        return try Value.read(from: self, at: current)
    }

    /// Reads the next column. The macro saw a name such as `Date` and took it for the standard type; here it is a type of the app's own.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a value of that type.
    @_disfavoredOverload
    public mutating func nextValue<Value: Decodable>() throws -> Value {
        guard let coder = LeafCoder.ofColumn(Value.self) else { return try nextJSON() }
        return try coder.next(&self)
    }

    /// Reads the next column, a ``ColumnValue``.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a value of that type.
    @inlinable
    public mutating func next<Value: ColumnValue>() throws -> Value { try nextValue() }

    /// Reads the next column, a raw value.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a raw value of that type.
    public mutating func next<Value: RawRepresentable>() throws -> Value where Value.RawValue: ColumnValue {
        try self.nextRaw()
    }

    /// Reads the next column, a raw value or NULL.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a raw value of that type.
    public mutating func next<Value: RawRepresentable>() throws -> Value? where Value.RawValue: ColumnValue {
        try isNextNull() ? nil : nextRaw() as Value
    }

    /// Reads the next column, a type that is both.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a value of that type.
    public mutating func next<Value: ColumnValue & RawRepresentable>() throws -> Value
    where Value.RawValue: ColumnValue { try nextValue() }

    /// Reads the next column, a type that is both, or NULL.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold a value of that type.
    public mutating func next<Value: ColumnValue & RawRepresentable>() throws -> Value?
    where Value.RawValue: ColumnValue { try nextValue() as Value? }

    /// Reads the next column, JSON.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold JSON of that type.
    @_disfavoredOverload
    public mutating func next<Value: Decodable>() throws -> Value { try nextJSON() }

    /// Reads the next column, a `@StorageJSON` property; NULL is nil where it is optional.
    ///
    /// - Throws: ``ColumnDecodingError`` if it does not hold JSON of that type.
    public mutating func nextJSON<Value: Decodable>() throws -> Value {
        // One function for both: overloads that differ in what they return only would be ambiguous.
        if let optional = Value.self as? any OptionalJSON.Type,
            let value = try optional.next(from: &self) as? Value
        {
            return value
        }
        return try nextEncoded()
    }

    /// Reads the next column as JSON, whatever the type.
    fileprivate mutating func nextEncoded<Value: Decodable>() throws -> Value {
        let current = index
        index += 1
        return try json(at: current)
    }

    private mutating func nextRaw<Value: RawRepresentable>() throws -> Value where Value.RawValue: ColumnValue {
        let current = index
        index += 1
        return try rawValue(at: current)
    }

    /// Whether the next column holds NULL; if so it is passed over.
    fileprivate mutating func isNextNull() -> Bool {
        guard isNull(at: index) else { return false }
        index += 1
        return true
    }

    func rawValue<Value: RawRepresentable>(at index: Int32) throws -> Value where Value.RawValue: ColumnValue {
        guard let value = Value(rawValue: try Value.RawValue.read(from: self, at: index)) else {
            throw mismatch(at: index, expected: Value.self)
        }
        return value
    }
}

private protocol OptionalJSON {
    static func next(from row: inout RowReader) throws -> Self
}

extension Optional: OptionalJSON where Wrapped: Decodable {
    /// NULL is nil. JSON's `null` is a value: of `AnyCodable`, for one, or of an optional within this one.
    static func next(from row: inout RowReader) throws -> Wrapped? {
        try row.isNextNull() ? nil : row.nextEncoded() as Wrapped
    }
}

// MARK: - Writing

extension RowWriter {
    /// Passes over columns that have no value.
    ///
    /// - Parameter count: How many.
    public mutating func skip(_ count: Int) {
        for _ in 0..<count { append(StoredValue.null) }
    }

    /// Writes the next column, a type whose name is that of a ``ColumnValue``.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    @inlinable
    public mutating func appendValue<Value: ColumnValue>(_ value: borrowing Value) throws {
        index += 1
        try value.bind(to: &self)
    }

    /// Writes the next column. The macro saw a name such as `Date` and took it for the standard type; here it is a type of the app's own.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    @_disfavoredOverload
    public mutating func appendValue<Value: Encodable>(_ value: Value) throws { try append(anyOf: value) }

    /// Writes the next column, a ``ColumnValue``.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    @inlinable
    public mutating func append<Value: ColumnValue>(_ value: borrowing Value) throws { try appendValue(value) }

    /// Writes the next column, a raw value.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    public mutating func append<Value: RawRepresentable>(_ value: Value) throws where Value.RawValue: ColumnValue {
        try self.append(value.rawValue)
    }

    /// Writes the next column, a raw value or NULL.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    public mutating func append<Value: RawRepresentable>(_ value: Value?) throws where Value.RawValue: ColumnValue {
        try self.append(value?.rawValue)
    }

    /// Writes the next column, a type that is both.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    public mutating func append<Value: ColumnValue & RawRepresentable>(_ value: Value) throws
    where Value.RawValue: ColumnValue { try appendValue(value) }

    /// Writes the next column, a type that is both, or NULL.
    ///
    /// - Throws: ``ColumnEncodingError`` if SQLite has no form for the value.
    public mutating func append<Value: ColumnValue & RawRepresentable>(_ value: Value?) throws
    where Value.RawValue: ColumnValue { try appendValue(value) }

    /// Writes the next column, as JSON.
    ///
    /// - Throws: ``ColumnEncodingError`` if the value cannot be encoded.
    @_disfavoredOverload
    public mutating func append<Value: Codable>(_ value: Value) throws { try appendJSON(value) }

    /// Writes the next column, as JSON or NULL.
    ///
    /// - Throws: ``ColumnEncodingError`` if the value cannot be encoded.
    @_disfavoredOverload
    public mutating func append<Value: Codable>(_ value: Value?) throws { try appendJSON(value) }

    /// Writes the next column, a `@StorageJSON` property.
    ///
    /// - Throws: ``ColumnEncodingError`` if the value cannot be encoded.
    public mutating func appendJSON<Value: Encodable>(_ value: Value) throws {
        guard isWanted(next: 1) else { return skip(1) }
        index += 1
        bindText(try json(value))
    }

    /// Writes the next column, a `@StorageJSON` property that may be missing.
    ///
    /// - Throws: ``ColumnEncodingError`` if the value cannot be encoded.
    public mutating func appendJSON<Value: Encodable>(_ value: Value?) throws {
        if let value {
            try self.appendJSON(value)
        } else {
            append(StoredValue.null)
        }
    }
}

// MARK: - Types known at run time only

extension RowWriter {
    /// Writes a value in the form that the compiler would choose.
    mutating func append<Value>(anyOf value: Value) throws {
        if let value = value as? any ColumnValue {
            try append(value)
        } else if let raw = (value as? any RawRepresentable)?.rawValue as? any ColumnValue {
            try append(raw)
        } else if (value as? any OptionalType).map({ $0.wrapped == nil }) == true {
            append(StoredValue.null)
        } else if let value = value as? any Encodable {
            try appendJSON(value)
        } else {
            throw ColumnEncodingError(reason: "\(Value.self) has no form that can be stored")
        }
    }

    /// What columns hold for values of any types.
    ///
    /// - Throws: ``ColumnEncodingError`` for one that has no form that can be stored.
    package static func storedValues<each V>(of values: repeat each V, coders: JSONCoders = .standard) throws
        -> [StoredValue]
    {
        var row = RowWriter(coders: coders)
        for value in repeat each values { try row.append(anyOf: value) }
        return row.collected
    }
}

extension RawRepresentable {
    /// The type of the raw value, if it has a column form of its own.
    static var rawColumnType: (any ColumnValue.Type)? { RawValue.self as? any ColumnValue.Type }
}
