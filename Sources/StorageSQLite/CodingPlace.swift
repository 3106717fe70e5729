// Entities and `Persistence` both make rows of Codable values. Their errors name the place in a value, never what stands there.

extension Error {
    /// Where in a value a coder failed, as far as it says so; empty otherwise.
    package var placeInValue: String {
        switch self as any Error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.dotted
        case EncodingError.invalidValue(_, let context): context.codingPath.dotted
        case DecodingError.keyNotFound(let key, let context): (context.codingPath + [key]).dotted
        default: ""
        }
    }
}

extension [any CodingKey] {
    /// The keys with points between. Those of a dictionary are data, and not shown.
    package var dotted: String { map { $0.isOfDictionary ? "*" : $0.stringValue }.joined(separator: ".") }
}

extension CodingKey {
    /// Whether it is a key of a dictionary. Where a decoder changes keys it makes those by itself, of the type that the places of an
    /// array have.
    fileprivate var isOfDictionary: Bool {
        let type = "\(Swift.type(of: self))"
        return type == "_DictionaryCodingKey" || type == "_CodingKey" && intValue == nil
    }
}
