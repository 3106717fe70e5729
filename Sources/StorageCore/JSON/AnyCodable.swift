/// Any JSON value, for data whose shape is not known when the app is written.
///
/// ```swift
/// var fields: [String: AnyCodable] = ["colour": "red", "sizes": [38, 40], "price": 9.5, "note": nil]
/// fields["colour"]?.stringValue            // "red"
/// fields["sizes"]?[0]?.intValue            // 38
/// ```
///
/// Numbers compare by value, as JSON does not tell `1` from `1.0`.
public enum AnyCodable: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number that fits 64 bits with a sign.
    case int(Int64)
    /// A whole number above `Int64.max`.
    case uint(UInt64)
    /// Any other number. JSON has no form for infinity and NaN: encoding them throws.
    case double(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([AnyCodable])
    /// An object.
    case object([String: AnyCodable])
}

// MARK: - Making and looking inside

extension AnyCodable {
    /// A string.
    public init(_ value: String) { self = .string(value) }
    /// A truth value.
    public init(_ value: Bool) { self = .bool(value) }
    /// A number.
    public init(_ value: Double) { self = .double(value) }
    /// An array.
    public init(_ value: [AnyCodable]) { self = .array(value) }
    /// An object.
    public init(_ value: [String: AnyCodable]) { self = .object(value) }

    /// A whole number of at most 64 bits.
    public init(_ value: some BinaryInteger) {
        if let value = Int64(exactly: value) {
            self = .int(value)
        } else if let value = UInt64(exactly: value) {
            self = .uint(value)
        } else {
            self = .double(Double(value))
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, or nil for anything else.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, if it is a whole one that fits an `Int`.
    public var intValue: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .uint(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, or nil for anything else.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The string, or nil for anything else.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of an array, or nil for anything else.
    public var arrayValue: [AnyCodable]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object, or nil for anything else.
    public var objectValue: [String: AnyCodable]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The element at a position, from 0; nil past the end, or if this is no array.
    public subscript(index: Int) -> AnyCodable? {
        guard let array = arrayValue, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The member of that name; nil if there is none, or if this is no object.
    public subscript(key: String) -> AnyCodable? { objectValue?[key] }
}

// MARK: - Comparing

extension AnyCodable: Hashable {
    /// Compares by value: `.int(1)` equals `.double(1)`.
    @inline(never)
    public static func == (lhs: AnyCodable, rhs: AnyCodable) -> Bool {
        // Not inlined: what compares the values of an object or an array would have a copy of all this.
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default:
            if let left = lhs.number, let right = rhs.number { left == right } else { false }
        }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int, .uint, .double: hasher.combine(number)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// A number in the first form that holds it exactly.
    private enum Number: Hashable {
        case int(Int64)
        case uint(UInt64)
        case double(Double)

        init(_ value: Double) {
            self =
                Int64(exactly: value).map { .int($0) } ?? UInt64(exactly: value).map { .uint($0) } ?? .double(value)
        }
    }

    private var number: Number? {
        switch self {
        case .int(let value): .int(value)
        case .uint(let value): Int64(exactly: value).map { .int($0) } ?? .uint(value)
        case .double(let value): Number(value)
        default: nil
        }
    }
}

// MARK: - Codable

extension AnyCodable: Codable {
    /// Reads any JSON value.
    ///
    /// - Throws: `DecodingError` if the decoder holds something that JSON has no form for.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .uint(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyCodable].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyCodable].self))
        }
    }

    /// Writes the JSON value.
    ///
    /// - Throws: `EncodingError` for infinity and NaN, and for arrays and objects that are nested deeper than Foundation's
    ///   decoder reads.
    public func encode(to encoder: any Encoder) throws {
        try checkNesting(encoder)
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .double(let value): try AnyCodable.encode(value, to: &container)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Refuses what no decoder reads, before it is tried: that takes some kilobytes of the stack for each level. What is inside is looked
    /// at once more when its turn comes, which costs little beside encoding it.
    @inline(never)
    private func checkNesting(_ encoder: any Encoder) throws {
        guard isNested(moreThan: AnyCodable.mostLevels) else { return }
        let reason = "more than \(AnyCodable.mostLevels) arrays and objects stand in each other"
        // Not the value itself: to describe it takes the stack as well.
        throw EncodingError.invalidValue(
            AnyCodable.self, .init(codingPath: encoder.codingPath, debugDescription: reason))
    }

    /// What Foundation's decoder reads.
    private static var mostLevels: Int { 512 }

    /// Without recursion, for which there may be too many levels.
    private func isNested(moreThan limit: Int) -> Bool {
        var waiting = holdsOthers ? [(value: self, level: 1)] : []
        while let (value, level) = waiting.popLast() {
            guard level <= limit else { return true }
            switch value {
            case .array(let values):
                for other in values where other.holdsOthers { waiting.append((other, level + 1)) }
            case .object(let members):
                for other in members.values where other.holdsOthers { waiting.append((other, level + 1)) }
            default: break
            }
        }
        return false
    }

    private var holdsOthers: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Writes a whole number as an integer: the shortest text of a great one is that of another integer.
    ///
    /// Apart, since values may be nested deeply, and each level takes room on the stack for all that `encode(to:)` has.
    @inline(never)
    private static func encode(_ value: Double, to container: inout any SingleValueEncodingContainer) throws {
        switch Number(value) {
        case .int(let whole): try container.encode(whole)
        case .uint(let whole): try container.encode(whole)
        case .double(let value): try container.encode(value)
        }
    }
}

// MARK: - Literals

extension AnyCodable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is `null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: AnyCodable...) { self = .array(elements) }
    /// An object; of two members with one name the later wins.
    public init(dictionaryLiteral elements: (String, AnyCodable)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }
}
