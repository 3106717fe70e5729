/// JSON as the text of a column. Errors name the place in the value, never what stands there.
enum JSONText {
    static func encode<Value: Encodable>(_ value: Value, with encoder: JSONEncoder) throws -> String {
        String(decoding: try data(of: value, with: encoder), as: UTF8.self)
    }

    static func data<Value: Encodable>(of value: Value, with encoder: JSONEncoder) throws -> Data {
        let json: Data
        do {
            json = try encoder.encode(value)
        } catch {
            let place = error.placeInValue
            throw ColumnEncodingError(
                reason: "the value" + (place.isEmpty ? "" : " at '\(place)'") + " has no JSON form")
        }
        // Of a Decimal that is no number Foundation makes what no JSON has.
        guard json.range(of: Data("NaN".utf8)) == nil || json.isJSON else {
            throw ColumnEncodingError(reason: "the value has no JSON form: a number in it is NaN")
        }
        return json
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, with decoder: JSONDecoder, mismatch: () -> ColumnDecodingError
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: json)
        } catch {
            var mismatch = mismatch()
            mismatch.path = error.placeInValue
            throw mismatch
        }
    }
}

extension Data {
    fileprivate var isJSON: Bool { (try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed)) != nil }
}

extension [any CodingKey] {
    /// The keys with points between. Those of a dictionary are data, and not shown.
    var dotted: String { map { $0.isOfDictionary ? "*" : $0.stringValue }.joined(separator: ".") }
}

extension CodingKey {
    /// Whether it is a key of a dictionary. Where a decoder changes keys it makes those by itself, of the type that the places of an
    /// array have.
    fileprivate var isOfDictionary: Bool {
        let type = "\(Swift.type(of: self))"
        return type == "_DictionaryCodingKey" || type == "_CodingKey" && intValue == nil
    }
}

extension Error {
    /// Where in a value a coder failed, as far as it says so; never what stands there.
    var placeInValue: String {
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
