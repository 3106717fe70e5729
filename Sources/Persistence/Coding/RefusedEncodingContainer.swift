/// Takes what a row has no place for, since a container cannot be refused when it is asked for. The encoder throws
/// when the value is done.
struct RefusedEncodingContainer<Key: CodingKey>: UnkeyedEncodingContainer, SingleValueEncodingContainer,
    KeyedEncodingContainerProtocol
{
    let row: RowEncoding
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() throws {}
    func encodeNil(forKey key: Key) throws {}
    func encode(_ value: some Encodable) throws {}
    func encode(_ value: some Encodable, forKey key: Key) throws {}

    func nestedContainer<NestedKey: CodingKey>(keyedBy: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(RefusedEncodingContainer<NestedKey>(row: row))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedContainer(keyedBy: keyedBy)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { row }
    func superEncoder(forKey key: Key) -> any Encoder { row }
}

/// The key of a container that is never asked for one.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
