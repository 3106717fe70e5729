/// Turns a `Codable` value into the values of one row.
///
/// Each property is a column of its name. `Bool` and integers are INTEGER, floating-point numbers REAL, `String` and
/// `URL` TEXT, `Data` BLOB, `Date` the seconds since 1970 as REAL, nil NULL. Every other type is JSON, as TEXT.
public struct SQLiteEncoder: Sendable {
    private let options: SQLiteCodingOptions
    private let table: String?

    /// Makes an encoder.
    ///
    /// - Parameter options: How other types become JSON.
    public init(options: SQLiteCodingOptions = SQLiteCodingOptions()) {
        self.init(options: options, table: nil)
    }

    /// - Parameter table: The table that errors name.
    init(options: SQLiteCodingOptions, table: String?) {
        self.options = options
        self.table = table
    }

    /// Encodes a value.
    ///
    /// - Parameter value: The value, which has to encode itself with keys and without nested containers.
    /// - Returns: The values under their columns' names.
    /// - Throws: ``SQLiteError/encodingFailed(message:)`` with the column for NaN and for what has no JSON form, with the
    ///   type for what is not flat. Errors that the value's own `encode(to:)` throws pass through, unless they are
    ///   `EncodingError`.
    public func encode(_ value: some Encodable) throws -> [String: SQLiteValue] {
        let encoding = RowEncoding(options: options, table: table)
        do {
            try value.encode(to: encoding)
        } catch let error as EncodingError {
            let place = error.placeInValue
            throw SQLiteError.encodingFailed(
                message: place.isEmpty
                    ? "A \(type(of: value)) cannot be stored" + (table.map { " in table '\($0)'" } ?? "") + "."
                    : "The value of column \(place.at(table)) cannot be stored.")
        }
        if let refused = encoding.refused {
            throw SQLiteError.encodingFailed(
                message: "\(type(of: value)) is not flat: a row has keys and values, and no \(refused)")
        }
        return encoding.values
    }
}

/// The row that a value writes itself to.
final class RowEncoding: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private(set) var values: [String: SQLiteValue] = [:]
    /// Each column's name by its bytes as SQLite compares names.
    private var spellings: [SQLiteValue: String] = [:]
    /// What the value asked for that a row has not.
    var refused: String?
    private let options: SQLiteCodingOptions
    private let table: String?
    private lazy var jsonEncoder = options.jsonEncoder()

    init(options: SQLiteCodingOptions, table: String?) {
        self.options = options
        self.table = table
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RowEncodingContainer<Key>(row: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        refused = "list at its top"
        return RefusedEncodingContainer<AnyKey>(row: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        refused = "single value at its top"
        return RefusedEncodingContainer<AnyKey>(row: self)
    }

    func put(_ value: (some Encodable)?, in column: String) throws {
        let value = try value.map { try stored($0, in: column) } ?? .null
        if let other = spellings.updateValue(column, forKey: .text(column.asciiLowercased)),
            SQLiteValue.text(other) != .text(column)
        {
            throw SQLiteError.encodingFailed(
                message: "Column \(column.at(table)) and '\(other)' are one to SQLite, to which no letter has a case.")
        }
        guard values.updateValue(value, forKey: column) != nil, let first = values.index(forKey: column),
            SQLiteValue.text(values[first].key) != .text(column)
        else { return }
        throw SQLiteError.encodingFailed(
            message: "Column \(column.at(table)) and another differ in their bytes alone, and Swift takes them for one."
        )
    }

    private func stored(_ value: some Encodable, in column: String) throws -> SQLiteValue {
        if let leaf = value as? any Leaf {
            guard let stored = leaf.stored else {
                throw SQLiteError.encodingFailed(message: "NaN cannot be stored in column \(column.at(table)).")
            }
            return stored
        }
        guard let json = try? jsonEncoder.encode(value), !json.holdsNaN else {
            throw SQLiteError.encodingFailed(
                message: "The value of column \(column.at(table)) has no JSON form: \(type(of: value)).")
        }
        guard let text = String(data: json, encoding: .utf8) else { return .blob(json) }
        return text == "null" ? .null : .text(text)
    }
}
