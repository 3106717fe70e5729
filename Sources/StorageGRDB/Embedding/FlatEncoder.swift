/// Encodes an embedded value into one stored value a column.
final class FlatEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    fileprivate let shape: EmbeddedShape
    fileprivate let first: Int
    fileprivate let columns: FlatColumns
    fileprivate var expected = 0

    init(_ shape: EmbeddedShape, into columns: FlatColumns, first: Int = 0, codingPath: [any CodingKey] = []) {
        self.shape = shape
        self.columns = columns
        self.first = first
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FlatFields<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { NoContainer(codingPath: codingPath) }
    func singleValueContainer() -> any SingleValueEncodingContainer { NoContainer(codingPath: codingPath) }
}

/// The columns being filled, by an encoder and those for its deeper values. A column that is never named is NULL.
final class FlatColumns {
    fileprivate(set) var values: [StoredValue]
    /// The column being written, to name it in an error.
    fileprivate(set) var current: Int?
    private var writer: RowWriter
    /// Keys that are encoded but never decoded, a constant's say. They need no column.
    private(set) var constants: Set<String>
    private let isLearning: Bool

    /// Columns of a value that is being stored.
    init(count: Int32, constants: Set<String>, sharing row: borrowing RowWriter) {
        values = Array(repeating: .null, count: Int(count))
        writer = RowWriter(sharing: row)
        self.constants = constants
        isLearning = false
    }

    /// Columns of a sample, which shows the constants.
    init(learning count: Int32) {
        values = Array(repeating: .null, count: Int(count))
        writer = RowWriter()
        constants = []
        isLearning = true
    }

    /// A key without a column. What depends on the value that is encoded would be lost.
    fileprivate func skip(_ path: String) throws {
        if isLearning {
            constants.insert(path)
        } else if !constants.contains(path) {
            throw ColumnEncodingError(reason: "'\(path)' is encoded for some values only, so that it has no column")
        }
    }

    fileprivate func write<T>(_ value: T, _ coder: TypedLeafCoder<T>, at index: Int) throws {
        current = index
        values[index] = try coder.storedValue(value, in: &writer)
        current = nil
    }
}

private struct FlatFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FlatEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    /// Columns begin as NULL.
    func encodeNil(forKey key: Key) {}

    // What the protocol has for these two refuses them.
    func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try put(value, key) }

    private func put<T: Encodable>(_ value: T, _ key: Key) throws {
        // The type says so for nearly all; casting the value would cost more.
        if T.self is any OptionalType.Type, let optional = value as? any OptionalType {
            guard let wrapped = optional.wrapped as? any Encodable else { return }
            return try put(wrapped, key)
        }
        guard let position = encoder.shape.position(of: key.stringValue, expected: encoder.expected) else {
            return try encoder.columns.skip((codingPath + [key]).dotted)
        }
        encoder.expected = position + 1
        let field = encoder.shape.fields[position]
        let index = encoder.first + Int(field.column)
        switch field.kind {
        case .leaf(let coder):
            guard let coder = coder.typed(T.self) else {
                throw ColumnEncodingError(
                    reason: "'\((codingPath + [key]).dotted)' is encoded as another type than it is decoded as")
            }
            try encoder.columns.write(value, coder, at: index)
        case .nested(let shape):
            try value.encode(
                to: FlatEncoder(shape, into: encoder.columns, first: index, codingPath: codingPath + [key]))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(NoKeyedContainer<NestedKey>(codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NoContainer(codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder { NoContainer(codingPath: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder { NoContainer(codingPath: codingPath + [key]) }
}

// MARK: - What flat columns cannot hold

// The shape found nothing but keyed fields, so that only a type that encodes otherwise than it decodes gets here.
// Asking for a container cannot throw; writing into one of these does.

private func notFlat(_ path: [any CodingKey]) -> ColumnEncodingError {
    ColumnEncodingError(reason: "'\(path.dotted)' is encoded in another form than it is decoded from")
}

private struct NoContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer, Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int { 0 }

    func encodeNil() throws { throw notFlat(codingPath) }
    func encode<T: Encodable>(_ value: T) throws { throw notFlat(codingPath) }
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(NoKeyedContainer<Key>(codingPath: codingPath))
    }
    func nestedContainer<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: keyType)
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { self }
}

private struct NoKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) throws { throw notFlat(codingPath) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw notFlat(codingPath) }
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(NoKeyedContainer<NestedKey>(codingPath: codingPath))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoContainer(codingPath: codingPath) }
    func superEncoder() -> any Encoder { NoContainer(codingPath: codingPath) }
    func superEncoder(forKey key: Key) -> any Encoder { NoContainer(codingPath: codingPath) }
}
