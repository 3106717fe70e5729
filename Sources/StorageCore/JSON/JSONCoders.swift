/// The coders of JSON values: the settings of a store, or the defaults where no store is at hand.
///
/// Objects are written with their keys sorted, so that a value keeps its text. Dates are ISO 8601 in UTC,
/// with as many decimals as the date needs; text of Foundation's own `.iso8601` is read too.
package final class JSONCoders: Sendable {
    package let makeEncoder: @Sendable () -> JSONEncoder
    package let makeDecoder: @Sendable () -> JSONDecoder

    package init(
        makeEncoder: @escaping @Sendable () -> JSONEncoder, makeDecoder: @escaping @Sendable () -> JSONDecoder
    ) {
        self.makeEncoder = makeEncoder
        self.makeDecoder = makeDecoder
    }

    package static let standard = JSONCoders(makeEncoder: standardEncoder, makeDecoder: standardDecoder)

    package static func standardEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard let text = DateText(date, form: .iso8601) else {
                let reason = "a date outside the years 1 to 9999 cannot be stored"
                // Not the date itself: Foundation traps when it describes one that is NaN.
                throw EncodingError.invalidValue(
                    Date.self, .init(codingPath: encoder.codingPath, debugDescription: reason))
            }
            var container = encoder.singleValueContainer()
            try container.encode(text.string)
        }
        return encoder
    }

    package static func standardDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            var text = try container.decode(String.self)
            guard let date = text.withUTF8({ DateText.parse($0) }) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "the text is no ISO 8601 date")
            }
            return date
        }
        return decoder
    }
}
