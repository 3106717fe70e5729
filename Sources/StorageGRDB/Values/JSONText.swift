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
        guard !json.holdsNaN else {
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
