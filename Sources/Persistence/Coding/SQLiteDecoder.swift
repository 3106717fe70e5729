/// Makes a `Codable` value from one row, by the rules of ``SQLiteEncoder``.
///
/// Integers in a REAL column and whole numbers in an INTEGER column are read as what the property is, if nothing is lost.
/// An optional property is nil where its column is NULL or absent.
public struct SQLiteDecoder: Sendable {
    private let options: SQLiteCodingOptions
    private let table: String?

    /// Makes a decoder.
    ///
    /// - Parameter options: How JSON becomes other types.
    public init(options: SQLiteCodingOptions = SQLiteCodingOptions()) {
        self.init(options: options, table: nil)
    }

    /// - Parameter table: The table that errors name.
    init(options: SQLiteCodingOptions, table: String?) {
        self.options = options
        self.table = table
    }

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type, which has to decode itself with keys and without nested containers.
    ///   - row: The row. Columns that the type does not ask for are ignored.
    /// - Throws: ``SQLiteError/missingColumn(_:table:)``, ``SQLiteError/wrongType(column:table:expected:found:)``, also
    ///   for NULL, ``SQLiteError/decodingFailed(message:)`` with the column for JSON that is not of the type. Errors that
    ///   the type's own `init(from:)` throws pass through, unless they are `DecodingError`.
    public func decode<T: Decodable>(_ type: T.Type, from row: Row) throws -> T {
        do {
            return try T(from: RowDecoding(row: row, options: options, table: table))
        } catch let error as DecodingError {
            let place = error.placeInValue
            throw SQLiteError.decodingFailed(
                message: "A row" + (table.map { " of table '\($0)'" } ?? "") + " is no \(type)"
                    + (place.isEmpty ? "." : ", because of '\(place)'."))
        }
    }

    /// Decodes a value from what ``SQLiteEncoder/encode(_:)`` made of one.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - values: The values of the columns, by their names.
    /// - Throws: What decoding from a row throws.
    public func decode<T: Decodable>(_ type: T.Type, from values: [String: SQLiteValue]) throws -> T {
        try decode(type, from: Row(values))
    }
}

/// The row that a value reads itself from.
final class RowDecoding: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let row: Row
    let table: String?
    private let options: SQLiteCodingOptions
    private(set) lazy var jsonDecoder = options.jsonDecoder()

    init(row: Row, options: SQLiteCodingOptions, table: String?) {
        self.row = row
        self.options = options
        self.table = table
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowDecodingContainer<Key>(decoding: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notFlat("list at its top") }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notFlat("single value at its top") }

    func notFlat(_ wanted: String) -> SQLiteError {
        .decodingFailed(message: "A row has keys and values, and no \(wanted)\(table.map { ": table '\($0)'" } ?? "").")
    }
}

private struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: RowDecoding
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoding.row.columns.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoding.row.value(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try reader(of: key).value == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try reader(of: key).read(type) }
    // What the protocol has for these two refuses them.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try reader(of: key).read(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try reader(of: key).read(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw decoding.notFlat("nested keys at '\(key.stringValue)'")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw decoding.notFlat("nested list at '\(key.stringValue)'")
    }

    func superDecoder() throws -> any Decoder { throw decoding.notFlat("nested superclass") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }

    private func reader(of key: Key) throws -> ColumnReader {
        guard let value = decoding.row.value(key.stringValue) else {
            throw SQLiteError.missingColumn(key.stringValue, table: decoding.table)
        }
        return ColumnReader(value: value, column: key.stringValue, decoding: decoding)
    }
}
