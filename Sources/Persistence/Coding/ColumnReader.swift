/// Reads the value of one column as whatever type is asked for.
struct ColumnReader {
    let value: SQLiteValue
    let column: String
    let decoding: RowDecoding

    func read<T: Decodable>(_ type: T.Type) throws -> T {
        let read: Any?
        switch T.self {
        case let leaf as any Leaf.Type: read = leaf.read(value)
        case let optional as any OptionalValue.Type: read = try optional.read(with: self)
        default: read = try readJSON(type)
        }
        guard let result = read as? T else { throw wrongType(type) }
        return result
    }

    /// NULL stands for JSON's null. Numbers are JSON that a numeric column has turned into its own type.
    private func readJSON<T: Decodable>(_ type: T.Type) throws -> T {
        let json =
            switch value {
            case .null: Data("null".utf8)
            case .integer(let number): Data("\(number)".utf8)
            case .real(let number): Data("\(number)".utf8)
            case .text(let text): Data(text.utf8)
            case .blob(let data): data
            }
        do {
            return try decoding.jsonDecoder.decode(type, from: json)
        } catch {
            guard case .text = value else { throw wrongType(type) }
            let place = error.placeInValue
            throw SQLiteError.decodingFailed(
                message: "Column \(column.at(decoding.table)) holds no JSON of a \(type)"
                    + (place.isEmpty ? "." : ", because of '\(place)' in it."))
        }
    }

    private func wrongType<T>(_ type: T.Type) -> SQLiteError {
        .wrongType(column: column, table: decoding.table, expected: "\(type)", found: value.storageClass.name)
    }
}

extension Error {
    /// Where in a value a coder failed, as far as it says so; never what stands there.
    var placeInValue: String {
        let path: [any CodingKey] =
            switch self as any Error {
            case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context):
                context.codingPath
            case EncodingError.invalidValue(_, let context): context.codingPath
            default: []
            }
        return path.map { $0.isOfDictionary ? "*" : $0.stringValue }.joined(separator: ".")
    }
}

extension CodingKey {
    /// Whether it is a key of a dictionary, which is data and not shown. Where a decoder changes keys it makes those by itself, of the
    /// type that the places of an array have.
    fileprivate var isOfDictionary: Bool {
        let type = "\(Swift.type(of: self))"
        return type == "_DictionaryCodingKey" || type == "_CodingKey" && intValue == nil
    }
}
