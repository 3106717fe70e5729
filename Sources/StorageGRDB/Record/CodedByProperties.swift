/// An entity whose Codable generated code writes, one key for each property, as the compiler would: what the compiler makes of ten
/// properties takes longer to compile than all the rest of an entity.
///
/// Where the app writes `init(from:)` or `encode(to:)` itself, that one is used, and has to bring the coding keys that it names. Where
/// the struct declares `CodingKeys`, the compiler writes what the app does not.
public protocol CodedByProperties {
    /// The keys: those of the properties, unless the app has its own.
    associatedtype CodingKeys = PropertyKey
    /// Reads the properties in their order.
    init(_properties: inout PropertyDecoder) throws
    /// Writes the properties in their order.
    func _encodeProperties(to properties: inout PropertyEncoder) throws
}

extension CodedByProperties where CodingKeys == PropertyKey {
    /// Reads the properties, each by its name.
    ///
    /// - Throws: `DecodingError` of the first property that is missing or of another type, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        var properties = PropertyDecoder(try decoder.container(keyedBy: PropertyKey.self))
        try self.init(_properties: &properties)
    }

    /// Writes the properties, each by its name; what is nil is left out.
    ///
    /// - Throws: `EncodingError` of the first property that cannot be written, or what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var properties = PropertyEncoder(encoder.container(keyedBy: PropertyKey.self))
        try _encodeProperties(to: &properties)
    }
}

/// The name of a property, or of a column, as a key.
public struct PropertyKey: CodingKey {
    /// The name.
    public let stringValue: String
    /// Nil: properties have no numbers.
    public var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }

    /// The key of a name.
    public init(stringValue: String) { self.stringValue = stringValue }

    /// Nil: properties have no numbers.
    public init?(intValue: Int) { nil }
}

/// Reads the properties of an entity from a decoder.
///
/// The types that decoders have methods of their own for are read by these, as the compiler's code does.
public struct PropertyDecoder {
    private let container: KeyedDecodingContainer<PropertyKey>

    init(_ container: KeyedDecodingContainer<PropertyKey>) { self.container = container }

    /// The value of a property.
    public func value(_ name: String) throws -> String { try container.decode(String.self, forKey: PropertyKey(name)) }

    /// The value of a property.
    public func value(_ name: String) throws -> Int { try container.decode(Int.self, forKey: PropertyKey(name)) }

    /// The value of a property.
    public func value(_ name: String) throws -> Double { try container.decode(Double.self, forKey: PropertyKey(name)) }

    /// The value of a property.
    public func value(_ name: String) throws -> Bool { try container.decode(Bool.self, forKey: PropertyKey(name)) }

    /// The value of a property.
    @_disfavoredOverload
    public func value<T: Decodable>(_ name: String) throws -> T {
        try container.decode(T.self, forKey: PropertyKey(name))
    }

    /// The entities of a to-many relation; none where it is missing, as in JSON that was not made from an entity.
    public func children<T: Decodable>(_ name: String) throws -> [T] {
        try container.decodeIfPresent([T].self, forKey: PropertyKey(name)) ?? []
    }

    /// The value of a property; nil where it is null or missing.
    public func value<T: Decodable>(_ name: String) throws -> T? {
        try container.decodeIfPresent(T.self, forKey: PropertyKey(name))
    }
}

/// Writes the properties of an entity to an encoder.
public struct PropertyEncoder {
    private var container: KeyedEncodingContainer<PropertyKey>

    init(_ container: KeyedEncodingContainer<PropertyKey>) { self.container = container }

    /// Writes the value of a property.
    public mutating func append(_ value: String, _ name: String) throws {
        try container.encode(value, forKey: PropertyKey(name))
    }

    /// Writes the value of a property.
    public mutating func append(_ value: Int, _ name: String) throws {
        try container.encode(value, forKey: PropertyKey(name))
    }

    /// Writes the value of a property.
    public mutating func append(_ value: Double, _ name: String) throws {
        try container.encode(value, forKey: PropertyKey(name))
    }

    /// Writes the value of a property.
    public mutating func append(_ value: Bool, _ name: String) throws {
        try container.encode(value, forKey: PropertyKey(name))
    }

    /// Writes the value of a property.
    public mutating func append<T: Codable>(_ value: T, _ name: String) throws {
        try container.encode(value, forKey: PropertyKey(name))
    }

    /// Writes the value of a property, unless it is nil.
    public mutating func append<T: Codable>(_ value: T?, _ name: String) throws {
        try container.encodeIfPresent(value, forKey: PropertyKey(name))
    }
}
