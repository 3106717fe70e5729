/// The columns of a row, by their keys.
struct RowEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let row: RowEncoding
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try row.put(String?.none, in: key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try put(value, key) }
    // What the protocol has for these two refuses them.
    func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        row.refused = "nested keys at '\(key.stringValue)'"
        return KeyedEncodingContainer(RefusedEncodingContainer<NestedKey>(row: row))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        row.refused = "nested list at '\(key.stringValue)'"
        return RefusedEncodingContainer<AnyKey>(row: row)
    }

    func superEncoder() -> any Encoder {
        row.refused = "nested superclass"
        return row
    }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

// MARK: - Optionals

// An absent value is written as NULL, so that an update sets it. The protocol leaves it out, for each of these types.
extension RowEncodingContainer {
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try put(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try put(value, key) }

    private func put(_ value: (some Encodable)?, _ key: Key) throws { try row.put(value, in: key.stringValue) }
}
