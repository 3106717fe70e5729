/// Decodes samples, and notes what was asked for.
final class ShapeDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var found: [(key: String, isOptional: Bool, kind: EmbeddedShape.Kind)] = []
    /// Keys asked for nil, which only optionals are.
    private var optionalKeys: Set<String> = []
    /// The type wants something that flat columns cannot give: all keys, an array, a single value.
    private var needsJSON = false
    /// The one field that is to be different.
    private let change: Change?

    /// A field, by its keys, and what becomes of it.
    struct Change {
        enum Kind { case second, absent }
        let kind: Kind
        var path: ArraySlice<String>

        /// What is left of the way behind a key; nil if the way leads elsewhere.
        func behind(_ key: String) -> Change? {
            path.first == key ? Change(kind: kind, path: path.dropFirst()) : nil
        }
    }

    init(codingPath: [any CodingKey] = [], change: Change? = nil) {
        self.codingPath = codingPath
        self.change = change
    }

    /// Decodes with the second sample for one field.
    convenience init(varying path: [String]) {
        self.init(change: Change(kind: .second, path: path[...]))
    }

    /// Decodes without one optional field.
    convenience init(without path: [String]) {
        self.init(change: Change(kind: .absent, path: path[...]))
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

    /// Notes that a key may be missing.
    ///
    /// - Returns: Whether it is to be missing this time.
    fileprivate func noteOptional(_ key: String) -> Bool {
        optionalKeys.insert(key)
        return change?.kind == .absent && change?.behind(key)?.path.isEmpty == true
    }

    fileprivate func noteJSON() { needsJSON = true }

    /// Whether this value itself is to be different.
    fileprivate var isVaried: Bool { change?.kind == .second && change?.path.isEmpty == true }

    /// A sample for a field, after its place in the shape was noted.
    fileprivate func field<T: Decodable>(_ type: T.Type, _ key: any CodingKey) throws -> T {
        let name = key.stringValue
        // An optional that a type asks for by `decode` and not by `decodeIfPresent`.
        if let optional = type as? any OptionalType.Type, let wrapped = optional.wrappedType as? any Decodable.Type {
            // Asked for as an optional although its key may be missing too: nil of which?
            if optionalKeys.contains(name) {
                throw ShapeProblem.optionalOfOptional(at: (codingPath + [key]).dotted)
            }
            if noteOptional(name), let none = optional.none as? T { return none }
            if let value = try field(wrapped, key) as? T { return value }
        }
        let (kind, sample) = try self.sample(type, key, change: change?.behind(name))
        // Decoded twice, a field is still one column.
        if !found.contains(where: { $0.key == name }) {
            found.append((name, optionalKeys.contains(name), kind))
        }
        return sample
    }

    fileprivate func sample<T: Decodable>(
        _ type: T.Type, _ key: (any CodingKey)? = nil, change: Change? = nil
    ) throws -> (EmbeddedShape.Kind, T) {
        let path = key.map { codingPath + [$0] } ?? codingPath
        if LeafCoder.isPlain(type) {
            guard let value = (change?.kind == .second ? Sample.second : .first).value(type) else {
                throw ShapeProblem.noSample(of: "\(type)", at: path.dotted)
            }
            return (.leaf(LeafCoder.make(type)), value)
        }
        guard path.count < ShapeDecoder.deepest else { throw ShapeProblem.endless(at: path.dotted) }
        let decoder = ShapeDecoder(codingPath: path, change: change)
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
    case optionalOfOptional(at: String)
    case ofSomeValues(at: String)

    func message(type: String) -> String {
        switch self {
        case .notFlat:
            "'\(type)' has no properties that could be columns; with @StorageJSON it is kept, and read whole"
        case .noSample(let field, let path):
            path.isEmpty
                ? "'\(type)' refuses the sample values its columns are found with; store it with @StorageJSON"
                : "'\(field)', the type of '\(path)' in '\(type)', refuses the sample values that columns are found "
                    + "with; conform it to SampleProviding"
        case .endless(let path):
            "'\(type)' contains itself at '\(path)'; store it with @StorageJSON, or conform the type of a field to "
                + "SampleProviding"
        case .optionalOfOptional(let path):
            "'\(path)' in '\(type)' is an optional of an optional, and both nils would be NULL"
        case .ofSomeValues(let path):
            "'\(path)' in '\(type)' is decoded of some values only, so that it has no column; store it with @StorageJSON"
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
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder.field(type, key) }
    // What the protocol has for these two refuses them.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder.field(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder.field(type, key) }

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

/// An array without elements, or with one where it is to be different, for those that look; the next sample for those that do
/// not.
private struct SampleList: UnkeyedDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { decoder.isVaried ? 1 : 0 }
    var isAtEnd: Bool { currentIndex >= (count ?? 0) }
    private(set) var currentIndex = 0

    init(decoder: ShapeDecoder) {
        self.decoder = decoder
    }

    func decodeNil() -> Bool { false }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type) }

    private mutating func next<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        return try decoder.sample(type, ElementKey()).1
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedDecodingContainer<NestedKey> {
        currentIndex += 1
        return ShapeDecoder(codingPath: codingPath + [ElementKey()]).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return ShapeDecoder(codingPath: codingPath + [ElementKey()]).unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return ShapeDecoder(codingPath: codingPath + [ElementKey()])
    }
}

private struct SingleSample: SingleValueDecodingContainer {
    let decoder: ShapeDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.sample(type, ElementKey()).1 }
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.sample(type, ElementKey()).1 }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.sample(type, ElementKey()).1 }
}

/// Counts as a step of the path, so that a type that contains itself is noticed.
private struct ElementKey: CodingKey {
    var stringValue: String { "0" }
    var intValue: Int? { 0 }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
