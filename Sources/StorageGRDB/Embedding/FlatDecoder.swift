/// Decodes an embedded value from neighbouring columns of a row.
final class FlatDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    fileprivate let shape: EmbeddedShape
    fileprivate let first: Int32
    fileprivate let row: SharedRow

    init(_ shape: EmbeddedShape, row: SharedRow, first: Int32, codingPath: [any CodingKey] = []) {
        self.shape = shape
        self.row = row
        self.first = first
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FlatFields<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notFlat }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notFlat }

    /// The shape found nothing but keyed fields, so that only a type that decodes differently each time gets here.
    fileprivate var notFlat: DecodingError {
        DecodingError.dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "the columns of an embedded value hold its fields only"))
    }

    fileprivate var expected = 0

    fileprivate func field(_ key: any CodingKey) -> EmbeddedShape.Field? {
        guard let position = shape.position(of: key.stringValue, expected: expected) else { return nil }
        expected = position
        return shape.fields[position]
    }
}

/// The row that a decoder and those for its deeper values read from.
final class SharedRow {
    private var reader: RowReader

    init(_ row: borrowing RowReader) {
        reader = RowReader(sharing: row)
    }

    func read<T>(_ coder: TypedLeafCoder<T>, at index: Int32) throws -> T {
        try coder.read(from: &reader, at: index)
    }

    /// Whether all these columns are NULL: an optional value is nil then.
    func isNull(_ columns: Range<Int32>) -> Bool {
        columns.allSatisfy { reader.isNull(at: $0) }
    }
}

private struct FlatFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: FlatDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.shape.fields.compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { decoder.field(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let field = decoder.field(key) else { return true }
        let start = decoder.first + field.column
        return decoder.row.isNull(start..<start + field.kind.columnCount)
    }

    // What the protocol has for these two refuses them.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(type, key) }

    private func value<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        guard let field = decoder.field(key) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "the embedded value has no such column"))
        }
        decoder.expected += 1
        let index = decoder.first + field.column
        // An optional that a type asks for by `decode` and not by `decodeIfPresent`.
        if let optional = type as? any OptionalType.Type {
            if try decodeNil(forKey: key) {
                if let none = optional.none as? T { return none }
            } else if let wrapped = optional.wrappedType as? any Decodable.Type,
                let value = try value(wrapped, key) as? T
            {
                return value
            }
        }
        switch field.kind {
        case .leaf(let coder):
            guard let coder = coder.typed(T.self) else { throw decoder.notFlat }
            return try decoder.row.read(coder, at: index)
        case .nested(let shape):
            return try T(
                from: FlatDecoder(shape, row: decoder.row, first: index, codingPath: codingPath + [key]))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw decoder.notFlat }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.notFlat }
    func superDecoder() throws -> any Decoder { throw decoder.notFlat }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.notFlat }
}
