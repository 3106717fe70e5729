/// Decodes samples, and notes what was asked for.
final class ShapeDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var found: [(key: String, isOptional: Bool, kind: EmbeddedShape.Kind)] = []
    /// Keys asked for nil, which only optionals are.
    private var optionalKeys: Set<String> = []
    /// The type wants something that flat columns cannot give: all keys, an array, a single value.
    private var needsJSON = false
    /// Which field gets the second sample, by its keys, if any does.
    private let varied: ArraySlice<String>?

    init(codingPath: [any CodingKey] = [], varied: ArraySlice<String>? = nil) {
        self.codingPath = codingPath
        self.varied = varied
    }

    /// The fields in the order they were read in, or nil if the type cannot be taken apart.
    var shape: EmbeddedShape? {
        needsJSON || found.isEmpty ? nil : EmbeddedShape(found)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedSamples<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        needsJSON = true
        return SampleList(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        needsJSON = true
        return SingleSample(decoder: self)
    }

    fileprivate func noteOptional(_ key: String) { optionalKeys.insert(key) }
    fileprivate func noteJSON() { needsJSON = true }

    /// A sample for a field, after its place in the shape was noted.
    fileprivate func field<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T {
        let name = key.stringValue
        let isVaried = varied?.first == name
        let (kind, sample) = try self.sample(type, key, varied: isVaried ? varied?.dropFirst() : nil)
        // Decoded twice, a field is still one column.
        if !found.contains(where: { $0.key == name }) {
            found.append((name, optionalKeys.contains(name), kind))
        }
        return sample
    }

    fileprivate func sample<T: Decodable>(
        _ type: T.Type, _ key: (any CodingKey)? = nil, varied: ArraySlice<String>? = nil
    ) throws -> (EmbeddedShape.Kind, T) {
        let path = key.map { codingPath + [$0] } ?? codingPath
        if LeafCoder.isPlain(type) {
            guard let value = (varied == nil ? Sample.first : .second).value(type) else {
                throw ShapeProblem.noSample(of: "\(type)", at: path.dotted)
            }
            return (.leaf(LeafCoder.make(type)), value)
        }
        guard path.count < ShapeDecoder.deepest else { throw ShapeProblem.endless(at: path.dotted) }
        let decoder = ShapeDecoder(codingPath: path, varied: varied)
        do {
            let value = try type.init(from: decoder)
            return (decoder.shape.map { .nested($0) } ?? .leaf(LeafCoder.make(type)), value)
        } catch {
            // What is nothing but bits needs no decoding; a type with text in it has to say what it accepts.
            guard let value = Sample.first.bits(type) else {
                throw error is ShapeProblem ? error : ShapeProblem.noSample(of: "\(type)", at: path.dotted)
            }
            return (.leaf(LeafCoder.make(type)), value)
        }
    }

    private static let deepest = 16
}

/// Why the columns of an embedded value cannot be found.
enum ShapeProblem: Error, Equatable {
    case notFlat
    case noSample(of: String, at: String)
    case endless(at: String)

    func message(type: String) -> String {
        switch self {
        case .notFlat:
            "'\(type)' has no properties that could be columns; store it with @StorageJSON"
        case .noSample(let field, let path):
            path.isEmpty
                ? "'\(type)' refuses the sample values its columns are found with; store it with @StorageJSON"
                : "'\(field)', the type of '\(path)' in '\(type)', refuses the sample values that columns are found "
                    + "with; conform it to SampleProviding"
        case .endless(let path):
            "'\(type)' contains itself at '\(path)'; store it with @StorageJSON"
        }
    }
}

// MARK: - Containers

private struct KeyedSamples<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Only enums with values and dictionaries ask. An enum wants exactly one of its keys, a dictionary takes none.
    var allKeys: [Key] {
        decoder.noteJSON()
        return Sample.first.bits(Key.self).map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        decoder.noteOptional(key.stringValue)
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.field(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
        decoder.noteJSON()
        return ShapeDecoder(codingPath: codingPath + [key]).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        decoder.noteJSON()
        return ShapeDecoder(codingPath: codingPath + [key]).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        decoder.noteJSON()
        return ShapeDecoder(codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        decoder.noteJSON()
        return ShapeDecoder(codingPath: codingPath + [key])
    }
}

/// An array without elements, for those that look; the next sample for those that do not.
private struct SampleList: UnkeyedDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try decoder.sample(type, ElementKey()).1
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedDecodingContainer<NestedKey> {
        ShapeDecoder(codingPath: codingPath + [ElementKey()]).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        ShapeDecoder(codingPath: codingPath + [ElementKey()]).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { ShapeDecoder(codingPath: codingPath + [ElementKey()]) }
}

private struct SingleSample: SingleValueDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try decoder.sample(type, ElementKey()).1
    }
}

/// Counts as a step of the path, so that a type that contains itself is noticed.
private struct ElementKey: CodingKey {
    var stringValue: String { "0" }
    var intValue: Int? { 0 }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
