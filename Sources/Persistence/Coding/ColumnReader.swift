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
