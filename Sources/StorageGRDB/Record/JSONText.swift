/// JSON as the text of a column. Errors name the place in the value, never what stands there.
enum JSONText {
    static func encode<Value: Encodable>(_ value: Value, with encoder: JSONEncoder) throws -> String {
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch let error as EncodingError {
            guard case .invalidValue(_, let context) = error else { throw error }
            let place = context.codingPath.isEmpty ? "" : " at '\(context.codingPath.dotted)'"
            throw ColumnEncodingError(reason: "the value\(place) has no JSON form")
        }
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, with decoder: JSONDecoder, mismatch: () -> ColumnDecodingError
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: json)
        } catch let error as DecodingError {
            var mismatch = mismatch()
            mismatch.path = error.codingPath.dotted
            throw mismatch
        }
    }
}

extension [any CodingKey] {
    var dotted: String { map(\.stringValue).joined(separator: ".") }
}

extension DecodingError {
    fileprivate var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }
}
